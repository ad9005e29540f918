import { Status, type StatusName } from '../../../components/status.tsx'
import { tokensText, usdText } from '../../../format/figures.ts'
import { Section } from '../../../record/parts.tsx'
import { type BurnLine, burnLinesOf } from '../../../timeline/budget.ts'
import type { Timeline } from '../../../timeline/timeline.ts'

const scopeTitles = {
  thread: 'This thread, with its children',
  project: 'Project, today',
  day: 'Everything, today',
} as const
const verdicts = {
  ok: { status: 'done', word: 'ok' },
  warn: { status: 'waiting', word: 'past 80 %' },
  stop: { status: 'failed', word: 'used up' },
} as const satisfies Record<string, { readonly status: StatusName; readonly word: string }>

/** Each limit as it was last checked. A limit that nothing was checked against is not drawn. */
export function BudgetTable({ timeline }: { readonly timeline: Timeline }) {
  const lines = burnLinesOf(timeline)
  const checks = lines.reduce((sum, line) => sum + line.checks.length, 0)
  if (lines.length === 0)
    return (
      <Section title="Budget">
        <p className="mute small">No budget set: no limit was checked in this thread.</p>
      </Section>
    )
  return (
    <Section title="Budget" aside={`${checks.toLocaleString('en')} checks recorded`}>
      <table className="table budget">
        <thead>
          <tr>
            <th scope="col">Limit</th>
            <th scope="col" className="num">
              Used
            </th>
            <th scope="col" className="num">
              Of
            </th>
            <th scope="col">Last check</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <Line key={`${line.scope} ${line.kind}`} line={line} />
          ))}
        </tbody>
      </table>
    </Section>
  )
}

function Line({ line }: { readonly line: BurnLine }) {
  const last = line.checks.at(-1)
  if (last === undefined) return null
  const figure = (value: number) => (line.kind === 'usd' ? usdText(value) : tokensText(value))
  const unit = line.kind === 'usd' ? 'dollars' : line.kind
  return (
    <tr title={`The next call may have taken ${figure(last.reserved)} more`}>
      <td>
        {scopeTitles[line.scope]}, {unit}
      </td>
      <td className="num">{figure(last.used)}</td>
      <td className="num">{figure(last.limit)}</td>
      <td>
        <Status {...verdicts[last.verdict]} />
      </td>
    </tr>
  )
}
