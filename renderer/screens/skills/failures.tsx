import type { SkillUse } from '../../../core/domain/skill.ts'
import { Status } from '../../components/status.tsx'
import { nowMs } from '../../engine/clock.ts'
import { exactText, relativeText } from '../../format/dates.ts'
import { Section } from '../../record/parts.tsx'
import { routeHash, skillRoute } from '../../routes.ts'
import './failures.css'

const shownFailures = 4

/** The last threads that failed with it, the newest first. */
export function Failures({ uses, skillId }: { readonly uses: readonly SkillUse[]; readonly skillId: string }) {
  const failed = uses.filter(({ outcome }) => outcome === 'failure').toSorted((a, b) => b.at - a.at)
  const counted = uses.filter(({ outcome }) => outcome !== null).length
  return (
    <Section title="Last failures" aside={counted === 0 ? '' : `${failed.length} of ${counted}`}>
      {failed.length === 0 ? (
        <p className="small dim">{counted === 0 ? 'It was not used yet.' : 'No thread failed with it.'}</p>
      ) : (
        <ul>
          {failed.slice(0, shownFailures).map((use) => (
            <FailureRow key={`${use.threadId} ${use.version}`} use={use} />
          ))}
        </ul>
      )}
      {failed.length > shownFailures && (
        <a className="small" href={routeHash(skillRoute(skillId, 'uses'))}>
          Show all {failed.length}
        </a>
      )}
    </Section>
  )
}

function FailureRow({ use }: { readonly use: SkillUse }) {
  const text = `${use.reason === '' ? use.threadTitle : use.reason} (v${use.version})`
  return (
    <li className="sk-failure">
      <Status status="failed" look="icon" />
      <a href={routeHash({ screen: 'thread', id: use.threadId })} title={use.threadTitle}>
        #{use.threadNumber}
      </a>
      <span className="trunc dim" title={text}>
        {text}
      </span>
      <time className="mute" dateTime={new Date(use.at).toISOString()} title={exactText(use.at)}>
        {relativeText(use.at, nowMs())}
      </time>
    </li>
  )
}
