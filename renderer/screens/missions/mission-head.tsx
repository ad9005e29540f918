import { Menu } from '@base-ui/react/menu'
import { useCallback, useEffect, useRef } from 'react'
import type { MissionDetail } from '../../../core/domain/mission.ts'
import { shortcutOf } from '../../commands.ts'
import { Button } from '../../components/button.tsx'
import { Icon } from '../../components/icon.tsx'
import { Status } from '../../components/status.tsx'
import { useApp } from '../../state/store.ts'
import { useScreenCommand } from '../../state/use-screen-command.ts'
import type { MissionActions } from './use-mission-actions.tsx'
import { missionLook, sourceWords } from './words.ts'

interface MissionHeadProps {
  readonly mission: MissionDetail
  readonly actions: MissionActions
  onEdit(): void
}

/** What it is called, how it stands and why, and what can be done with it. */
export function MissionHead({ mission, actions, onEdit }: MissionHeadProps) {
  const { name, description, statusReason, version, source } = mission
  const isHeld = useApp((state) => (state.info?.missionsHeld ?? null) !== null)
  return (
    <header className="msn-title">
      <div className="msn-title-row">
        <h2 className="trunc" title={name}>
          {name}
        </h2>
        <span className="mute">v{version}</span>
        <Status {...missionLook(mission, isHeld)} look="chip" />
        <span className="grow" />
        <Actions mission={mission} actions={actions} onEdit={onEdit} />
      </div>
      <p className="dim msn-said">
        {description === '' ? '' : `${description} `}
        <span className="mute">
          {statusReason === null ? '' : `${capital(statusReason)}. `}
          {capital(sourceWords[source])}.
        </span>
      </p>
    </header>
  )
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

function Actions({ mission, actions, onEdit }: MissionHeadProps) {
  const { status, definition, nextFireAt } = mission
  const isPausable = status === 'active'
  const isResumable = status === 'paused' || status === 'completed'
  return (
    <>
      {isPausable && (
        <Does id="mission.pause" icon="pause" isBusy={actions.isBusy} run={actions.pause}>
          Pause
        </Does>
      )}
      {isResumable && (
        <Does id="mission.resume" icon="play" isBusy={actions.isBusy} run={actions.resume}>
          Resume
        </Does>
      )}
      {isPausable && nextFireAt !== null && (
        <Does id="mission.skip" icon="right" isBusy={actions.isBusy} run={actions.skip}>
          Skip next
        </Does>
      )}
      {status !== 'proposed' && (
        <Does id="mission.fire" icon="play" isBusy={actions.isBusy} run={actions.fire}>
          Run now
        </Does>
      )}
      {definition !== null && (
        <Does id="mission.edit" icon="file" isBusy={false} run={onEdit}>
          Edit
        </Does>
      )}
      <More actions={actions} />
    </>
  )
}

interface DoesProps {
  readonly id: string
  readonly icon: 'pause' | 'play' | 'right' | 'file'
  readonly isBusy: boolean
  readonly children: string
  run(): void
}

/** A button that is a command of the registry as long as it is there. */
function Does({ id, icon, isBusy, children, run }: DoesProps) {
  const runRef = useRef(run)
  useEffect(() => {
    runRef.current = run
  })
  const stable = useCallback(() => runRef.current(), [])
  useScreenCommand(id, stable)
  return (
    <Button icon={icon} shortcut={shortcutOf(id) ?? ''} disabled={isBusy} onClick={stable}>
      {children}
    </Button>
  )
}

function More({ actions }: Pick<MissionHeadProps, 'actions'>) {
  useScreenCommand('mission.remove', actions.askRemove)
  return (
    <Menu.Root>
      <Menu.Trigger className="btn ghost icon" aria-label="More" title="More">
        <Icon name="more" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="float-place" align="end" sideOffset={4}>
          <Menu.Popup className="menu float">
            <Menu.Item className="menu-item ink-failed" onClick={actions.askRemove}>
              Remove the mission…
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
