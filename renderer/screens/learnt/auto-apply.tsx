import type { LearntStatus } from '../../../core/domain/learnt.ts'
import { ErrorNote } from '../../components/card.tsx'
import { Toggle } from '../../components/toggle.tsx'
import { counted } from '../../format/figures.ts'
import { missionRoute, routeHash } from '../../routes.ts'
import { changeSettingsBy } from '../../state/settings.ts'
import { useApp } from '../../state/store.ts'
import { useAction } from '../../state/use-load.ts'

/** What may come into force without a decision, and how much is in force. */
export function AutoApply({ status }: { readonly status: LearntStatus | null }) {
  const isOn = useApp((state) => state.settings?.learning.autoApply)
  const change = useAction((autoApply: boolean) => changeSettingsBy(() => ({ learning: { autoApply } })))
  return (
    <div className="lrn-auto">
      {isOn !== undefined && (
        <div className="row">
          <span id="auto-apply" className="medium">
            Put small things in force without asking
          </span>
          <span className="grow" />
          <Toggle labelledBy="auto-apply" isOn={isOn} disabled={change.isBusy} onChange={change.run} />
        </div>
      )}
      <p className="small dim">{isOn ? allowed : notAllowed}</p>
      {change.error && <ErrorNote title="The setting was not saved" error={change.error} />}
      {status && (
        <p className="small mute">
          In force: {counted(status.live.overlay, 'rule')}, {counted(status.live.insight, 'insight')},{' '}
          {counted(status.live.setting, 'setting')}. {counted(status.fixes, 'known fix', 'known fixes')}.{' '}
          <a className="link" href={routeHash(missionRoute(null))}>
            Learning missions
          </a>
        </p>
      )}
    </div>
  )
}

const allowed =
  'A rule or an insight from threads that read nothing from outside is in force at once; take it back here whenever you like. Everything else waits for you.'
const notAllowed =
  'Everything waits for you. Switched on, a rule or an insight from threads that read nothing from outside would be in force at once.'
