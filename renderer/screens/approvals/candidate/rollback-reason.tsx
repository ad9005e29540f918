import { useCallback, useState } from 'react'
import type { CandidateDetail } from '../../../../core/domain/candidate.ts'
import type { SkillDetail, SkillUse } from '../../../../core/domain/skill.ts'
import { ErrorNote } from '../../../components/card.tsx'
import { Interval, successText } from '../../../components/interval.tsx'
import { call } from '../../../engine/client.ts'
import { Section } from '../../../record/parts.tsx'
import { useLoad } from '../../../state/use-load.ts'
import { Failures } from '../../skills/failures.tsx'

interface RollbackReasonProps {
  readonly detail: CandidateDetail
  readonly skill: SkillDetail
}

/** Why it should go back: how the live version does beside the one before it, and the threads that failed with it. */
export function RollbackReason({ detail, skill }: RollbackReasonProps) {
  const [uses, setUses] = useState<readonly SkillUse[]>([])
  const load = useLoad(useCallback(() => call('skill.uses', { id: skill.id }).then(setUses), [skill.id]))
  const live = detail.before?.version ?? skill.version
  const parent = skill.versions.find(({ version }) => version === live)?.parent ?? null
  const shown = skill.versions.filter(({ version }) => version === live || version === parent)
  return (
    <>
      <Section title="Why it should go back">
        <p className="small">{detail.reason}</p>
        <ul className="can-versions">
          {shown.map(({ version, confidence }) => (
            <li key={version} className="row small">
              <b className="medium">v{version}</b>
              <Interval confidence={confidence} of={`v${version}`} />
              {confidence.n > 0 && <span className="dim">{successText(confidence)}</span>}
              {version === live && <span className="mute">live</span>}
            </li>
          ))}
        </ul>
      </Section>
      {load.phase === 'failed' ? (
        <ErrorNote title="The threads could not be read" error={load.error} />
      ) : (
        <Failures uses={uses.filter(({ version }) => version === live)} skillId={skill.id} />
      )}
    </>
  )
}
