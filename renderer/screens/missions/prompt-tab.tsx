import { useCallback, useState } from 'react'
import type { ApiOutput } from '../../../core/api.ts'
import type { MissionDetail } from '../../../core/domain/mission.ts'
import { Button } from '../../components/button.tsx'
import { ErrorCard, Skeleton } from '../../components/card.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { call } from '../../engine/client.ts'
import { useLoad } from '../../state/use-load.ts'

type Brief = ApiOutput<'mission.preview'>

const partTitles: Readonly<Record<Brief['parts'][number]['kind'], string>> = {
  goal: 'Goal',
  focus: 'Focus',
  approach: 'Approaches so far',
  knowledge: 'Knowledge',
  trigger: 'What set it off',
  answer: 'How it has to answer',
}

/** Exactly what the next firing would be sent, part by part. */
export function PromptTab({ mission, seq }: { readonly mission: MissionDetail; readonly seq: number }) {
  const [brief, setBrief] = useState<Brief | null>(null)
  const { id, version } = mission
  const load = useLoad(useCallback(async () => setBrief(await call('mission.preview', { id })), [id, version, seq]))
  if (load.phase === 'failed')
    return (
      <div className="padded">
        <ErrorCard
          title="The prompt could not be put together"
          error={load.error}
          actions={
            <Button look="primary" onClick={load.retry}>
              Try again
            </Button>
          }
        />
      </div>
    )
  if (brief === null) return <Skeleton rows={6} label="Putting the prompt together" />
  return (
    <div className="section">
      <div className="label-row">
        <p className="small mute">
          What the next firing would be sent, letter by letter; only the time and what sets it off are then another.
        </p>
        <CopyButton text={brief.text} label="Copy the prompt" isWide />
      </div>
      {brief.parts.map(({ kind, text }) => (
        <section key={kind} className="msn-part" aria-label={partTitles[kind]}>
          <h3 className="label">{partTitles[kind]}</h3>
          <pre className="msn-pre">{text}</pre>
        </section>
      ))}
      {brief.sources.length > 0 && (
        <p className="small mute msn-said">
          Not from a person: {brief.sources.map(({ name }) => name).join(', ')}. It stands between marks and counts as
          data.
        </p>
      )}
    </div>
  )
}
