import { Body, LongText, Section } from '../../../record/parts.tsx'

/** The events behind a span, as they stand in the store. */
export function Raw({ seqs }: { readonly seqs: readonly (number | null)[] }) {
  const known = [...new Set(seqs.filter((seq) => seq !== null && seq > 0))]
  if (known.length === 0) return <p className="mute small pad">No event is on record for this.</p>
  return known.map((seq) => (
    <Body key={seq} seq={seq} none="">
      {(event) => (
        <Section title={event.kind} aside={<span className="mono">seq {event.seq}</span>}>
          <LongText text={JSON.stringify(event, null, 2)} />
        </Section>
      )}
    </Body>
  ))
}
