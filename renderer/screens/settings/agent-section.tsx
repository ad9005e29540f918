import type { Settings } from '../../../core/domain/settings.ts'
import { ErrorCard } from '../../components/card.tsx'
import { Toggle } from '../../components/toggle.tsx'
import { changeSettingsBy } from '../../state/settings.ts'
import { useApp } from '../../state/store.ts'
import { useAction } from '../../state/use-load.ts'
import { Grants } from '../grants.tsx'
import { EffectRows } from './effect-rows.tsx'
import { LoopVersions } from './loop-versions.tsx'
import { PolicyRules } from './policy-rules.tsx'
import { ProjectTrust } from './project-trust.tsx'

/** What the agent may do, what it has to ask for, and the loop that it works by. */
export function AgentSection() {
  const settings = useApp((state) => state.settings)
  if (!settings) return null
  return (
    <>
      <h1>Agent</h1>
      <p>
        Five checks run before every action, in this order: what is switched off here, where its arguments come from,
        your rules, what the action itself asks for, and the lease of the thread. Deny always wins. No answer counts as
        deny.
      </p>
      <div className="sech">
        <h2>Code</h2>
      </div>
      <RunsCode runsCode={settings.runsCode} />
      <div className="sech">
        <h2>By effect</h2>
        <span className="mute small">Off: every action with this effect is denied</span>
      </div>
      <EffectRows denied={settings.policy.deniedEffects} />
      <PolicyRules rules={settings.policy.rules} />
      <ProjectTrust />
      <div className="sech">
        <h2>Standing approvals</h2>
        <span className="mute small">What no longer asks, because you said so once</span>
      </div>
      <div className="card standing">
        <Grants />
      </div>
      <LoopVersions orchestrator={settings.orchestrator} />
    </>
  )
}

function RunsCode({ runsCode }: Pick<Settings, 'runsCode'>) {
  const change = useAction((next: boolean) => changeSettingsBy(() => ({ runsCode: next })))
  return (
    <>
      <div className="card">
        <div className="setrow">
          <div>
            <span id="runs-code">Run code</span>
            <div className="sub">
              Python that a model writes into its answer runs in a sandbox without files or network; what it calls
              passes the same checks as any action. Off: it is only shown.
            </div>
          </div>
          <Toggle labelledBy="runs-code" isOn={runsCode} disabled={change.isBusy} onChange={change.run} />
        </div>
      </div>
      {change.error && <ErrorCard className="after-card" title="The setting was not saved" error={change.error} />}
    </>
  )
}
