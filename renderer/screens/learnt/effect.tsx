import type { LearntEntry } from '../../../core/domain/learnt.ts'
import { Section } from '../../record/parts.tsx'
import { type EffectView, effectOf } from './words.ts'

/** How threads went before it and since, with how many they were; nothing where it cannot be measured. */
export function Effect({ entry }: { readonly entry: LearntEntry }) {
  const effect = effectOf(entry)
  if (effect === null) return null
  return (
    <Section title="Effect">
      {effect.counts.length > 0 && <Counts effect={effect} />}
      <p className="small lrn-verdict">{effect.verdict}</p>
    </Section>
  )
}

function Counts({ effect: { counts, hasIssue, unit } }: { readonly effect: EffectView }) {
  return (
    <table className="table lrn-effect">
      <thead>
        <tr>
          <th scope="col">{unit}</th>
          {hasIssue && (
            <th scope="col" className="num">
              Its issue came up
            </th>
          )}
          <th scope="col" className="num">
            {hasIssue ? 'No answer' : 'Failed'}
          </th>
        </tr>
      </thead>
      <tbody>
        {counts.map(({ of, tally }) => (
          <tr key={of}>
            <th scope="row">{of}</th>
            {hasIssue && <td className="num">{ratio(tally.issues, tally.n)}</td>}
            <td className="num">{ratio(tally.failures, tally.n)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function ratio(count: number, n: number): string {
  return n === 0 ? 'no data' : `${count} of ${n}`
}
