import { limits } from '../../../core/domain/limits.ts'
import type { SkillUse } from '../../../core/domain/skill.ts'
import { Empty } from '../../components/card.tsx'
import { Status, type StatusLook } from '../../components/status.tsx'
import { nowMs } from '../../engine/clock.ts'
import { exactText, relativeText } from '../../format/dates.ts'
import { routeHash } from '../../routes.ts'
import { howWords } from './words.ts'

const looks = {
  success: { status: 'done', word: 'success' },
  failure: { status: 'failed', word: 'failure' },
  none: { status: 'queued', word: 'does not count' },
} as const satisfies Readonly<Record<string, StatusLook>>

/** Threads that worked with it, the newest first: what each shows, and why. */
export function UsesTab({ uses }: { readonly uses: readonly SkillUse[] }) {
  if (uses.length === 0)
    return (
      <Empty title="Not used yet">
        Each thread that works with it stands here once it has ended, with what it says about the skill and why.
      </Empty>
    )
  return (
    <>
      <table className="table sk-uses">
        <thead>
          <tr>
            <th scope="col" className="w-outcome">
              Outcome
            </th>
            <th scope="col">Thread</th>
            <th scope="col" className="w-version">
              Version
            </th>
            <th scope="col" className="w-how">
              How
            </th>
            <th scope="col" className="w-why">
              Why
            </th>
            <th scope="col" className="num w-when">
              When
            </th>
          </tr>
        </thead>
        <tbody>
          {uses.map((use) => (
            <tr key={`${use.threadId} ${use.version} ${use.how} ${use.at}`}>
              <td>
                <Status {...looks[use.outcome ?? 'none']} />
              </td>
              <td className="trunc" title={use.threadTitle}>
                <a href={routeHash({ screen: 'thread', id: use.threadId })}>#{use.threadNumber}</a> {use.threadTitle}
              </td>
              <td className="mute">v{use.version}</td>
              <td className="dim">{howWords[use.how]}</td>
              <td className="trunc dim" title={use.reason}>
                {use.reason === '' ? '–' : use.reason}
              </td>
              <td className="num mute" title={exactText(use.at)}>
                {relativeText(use.at, nowMs())}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {uses.length >= limits.skillUses && (
        <p className="small mute sk-note">
          The newest {limits.skillUses.toLocaleString('en')}; older ones still count.
        </p>
      )}
    </>
  )
}
