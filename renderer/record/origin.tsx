import type { EventFact } from '../../core/domain/event.ts'
import { fenceStart } from '../../core/domain/fence.ts'
import { provenanceOf } from '../../core/domain/provenance.ts'
import { FactList, Section } from './parts.tsx'
import { provenanceText } from './provenance.ts'

/** Where a result came from, and between which marks the model read it. */
export function Origin({ fact }: { readonly fact: EventFact }) {
  const provenance = provenanceOf(fact)
  if (provenance === null) return null
  const sources = provenance.by === 'action' ? provenance.sources : []
  return (
    <Section title="Origin">
      <FactList
        facts={[
          [
            'Text',
            <span key="t" className="breaks">
              {provenanceText(provenance)}
            </span>,
          ],
          sources.length === 0
            ? null
            : [
                'Shown to the model as data',
                <code key="f" className="breaks">
                  {fenceStart(sources)}
                </code>,
              ],
        ]}
      />
    </Section>
  )
}
