import type { SkillScore, SkillSelected } from '../../../../core/domain/skill.ts'
import { Status } from '../../../components/status.tsx'
import { counted } from '../../../format/figures.ts'
import { Body, Section } from '../../../record/parts.tsx'
import { factOf } from '../../../timeline/fact.ts'
import type { Timeline } from '../../../timeline/timeline.ts'

/** How skills were chosen, message by message: why this one, why not that one. */
export function SkillsTab({ timeline }: { readonly timeline: Timeline }) {
  const choices = timeline.notes.flatMap((note) => {
    const fact = factOf(note)
    return fact?.kind === 'skill.selected' ? [{ seq: note.seq, data: fact.data }] : []
  })
  if (choices.length === 0) return <p className="mute small pad">No skills were looked at in this thread.</p>
  return choices.map(({ seq, data }) => (
    <Section key={seq} title={`Skills, before step ${data.step + 1}`} aside={choiceText(data)}>
      <Body seq={seq} none="">
        {(event) => (event.kind === 'skill.selected' ? <ScoreTable rows={event.body.table} data={data} /> : null)}
      </Body>
    </Section>
  ))
}

function choiceText({ skills, looked }: SkillSelected): string {
  return skills.length === 0 ? `none joined, ${looked} looked at` : `${skills.length} of ${looked} joined`
}

function ScoreTable({ rows, data }: { readonly rows: readonly SkillScore[]; readonly data: SkillSelected }) {
  const left = data.looked - rows.length
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls by keys too */}
      <section className="scores" tabIndex={0} aria-label="Scores">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Skill</th>
              <Head name="Key" title="Words, at most 30 together with parts" />
              <Head name="Part" title="Phrases, and words with an ending" />
              <Head name="Tag" title="At most 15" />
              <Head name="Pat" title="Patterns, at most 40" />
              <Head name="×" title="Factor: 0.5 + 0.5 × confidence" />
              <Head name="Score" title="(key + part + tag + pat) × factor" />
              <Head name="Tok" title="Tokens in the prompt" />
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <ScoreRow key={row.name} row={row} />
            ))}
          </tbody>
        </table>
      </section>
      <p className="mute small">
        Score = (key + part + tag + pat) × factor.
        {left > 0 && ` ${counted(left, 'more skill')} without any points.`}
      </p>
      {data.unavailable.length > 0 && (
        <p className="small">Asked for but not available: {data.unavailable.map((name) => `/${name}`).join(', ')}</p>
      )}
    </>
  )
}

function Head({ name, title }: { readonly name: string; readonly title: string }) {
  return (
    <th scope="col" className="num" title={title}>
      {name}
    </th>
  )
}

function ScoreRow({ row }: { readonly row: SkillScore }) {
  const { name, gate, veto, keyword, substring, tag, pattern, confidenceFactor, score, tokens, picked, reason } = row
  const look = picked ? joined : gate && !veto ? notPicked : ruledOut
  const points = { keyword, substring, tag, pattern }
  return (
    <>
      <tr className="points">
        <th scope="row">
          <Status {...look} look="icon" /> {name}
        </th>
        {Object.entries(points).map(([part, value]) => (
          <td key={part} className={value === 0 ? 'num mute' : 'num'}>
            {value}
          </td>
        ))}
        <td className="num mute">{confidenceFactor.toFixed(2)}</td>
        <td className="num medium">{score}</td>
        <td className="num mute">{tokens.toLocaleString('en')}</td>
      </tr>
      <tr>
        <td className="why" colSpan={8}>
          {look.word}: {reason}
        </td>
      </tr>
    </>
  )
}

const joined = { status: 'done', word: 'picked' } as const
const notPicked = { status: 'queued', word: 'not picked' } as const
const ruledOut = { status: 'denied', word: 'ruled out' } as const
