import { Menu } from '@base-ui/react/menu'
import { useCallback } from 'react'
import type { SkillDetail } from '../../../core/domain/skill.ts'
import { shortcutOf } from '../../commands.ts'
import { Button } from '../../components/button.tsx'
import { Icon } from '../../components/icon.tsx'
import { Status } from '../../components/status.tsx'
import { call } from '../../engine/client.ts'
import { routeHash, skillRoute } from '../../routes.ts'
import { go } from '../../state/navigation.ts'
import { supervise } from '../../state/store.ts'
import { useScreenCommand } from '../../state/use-screen-command.ts'
import type { SkillActions } from './use-skill-actions.tsx'
import { lastTakenBack, rollbackTarget, skillLook, takenBackText } from './words.ts'

interface SkillHeadProps {
  readonly skill: SkillDetail
  readonly actions: SkillActions
  onEdit(): void
}

/** What it is called, how it stands, and what can be done with it. */
export function SkillHead({ skill, actions, onEdit }: SkillHeadProps) {
  const { name, version, trust, description, versions, isOnlyByName } = skill
  const shown = versions.find((each) => each.version === version)
  const taken = lastTakenBack(skill)
  return (
    <header className="sk-title">
      <div className="row sk-title-row">
        <h2 className="trunc" title={name}>
          {name}
        </h2>
        <span className="sk-version mute">v{version}</span>
        <Status {...skillLook(skill)} look="chip" />
        {shown?.state === 'rolledBack' && <Status status="failed" word="Rolled back" look="chip" />}
        {taken && taken.version !== version && (
          <a
            className="sk-taken"
            href={routeHash(skillRoute(skill.id, 'versions'))}
            title={`${takenBackText(taken)} Show the versions`}
          >
            <Status status="failed" word={`v${taken.version} taken back`} look="chip" />
          </a>
        )}
        <span className="chip line" title={trustText[trust]}>
          {trust}
        </span>
        {isOnlyByName && <span className="chip line">only by /{name}</span>}
        <span className="grow" />
        <Actions skill={skill} actions={actions} onEdit={onEdit} />
      </div>
      <p className="dim sk-said" title={description}>
        {description}
      </p>
    </header>
  )
}

const trustText = {
  trusted: 'What it says is followed as your own',
  installed: 'From elsewhere: whatever does more than read and compute asks each time',
} as const

function Actions({ skill, actions, onEdit }: SkillHeadProps) {
  const { id } = skill
  const test = useCallback(() => go(skillRoute(id, 'activation')), [id])
  useScreenCommand('skill.test', test)
  useScreenCommand(
    'skill.edit',
    useCallback(() => onEdit(), [onEdit]),
  )
  const to = rollbackTarget(skill)
  return (
    <div className="sk-acts">
      <Button shortcut={shortcutOf('skill.test') ?? ''} onClick={test}>
        Test
      </Button>
      <Button shortcut={shortcutOf('skill.edit') ?? ''} onClick={onEdit}>
        Edit
      </Button>
      {to !== null && <RollbackButton to={to} onAsk={actions.askRollback} />}
      <MoreMenu skill={skill} actions={actions} />
    </div>
  )
}

function RollbackButton({ to, onAsk }: { readonly to: number; onAsk(to: number): void }) {
  const ask = useCallback(() => onAsk(to), [to, onAsk])
  useScreenCommand('skill.rollback', ask)
  return (
    <Button icon="undo" shortcut={shortcutOf('skill.rollback') ?? ''} onClick={ask}>
      Roll back to v{to}
    </Button>
  )
}

function MoreMenu({ skill, actions }: Pick<SkillHeadProps, 'skill' | 'actions'>) {
  const { state, projectId, file } = skill
  useScreenCommand('skill.export', actions.askExport)
  const isOut = state === 'quarantined'
  return (
    <Menu.Root>
      <Menu.Trigger className="btn ghost icon" aria-label="More" title="More">
        <Icon name="more" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="float-place" align="end" sideOffset={4}>
          <Menu.Popup className="menu float">
            <Menu.Item className="menu-item" onClick={actions.askExport}>
              Export…
            </Menu.Item>
            {file !== null && (
              <Menu.Item className="menu-item" onClick={() => supervise(() => call('shell.showFile', { path: file }))}>
                Show in its folder
              </Menu.Item>
            )}
            {projectId !== null && (
              <Menu.Item className="menu-item" onClick={actions.globalize}>
                Propose it for every project
              </Menu.Item>
            )}
            <div className="menu-line" />
            <Menu.Item className="menu-item" onClick={() => actions.quarantine(!isOut)}>
              {isOut ? 'Use it again' : 'Quarantine: out of use'}
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
