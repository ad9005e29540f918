import { Dialog } from '@base-ui/react/dialog'
import { type Command, commands } from '../commands.ts'
import { IconButton, Kbd } from '../components/button.tsx'
import { setApp, useApp } from '../state/store.ts'

const groups = [
  'Go to',
  'Thread',
  'Approval',
  'Memory',
  'Mission',
  'List',
  'Window',
  'Inspector',
] as const satisfies readonly Command['group'][]

/** Every key there is, from the one registry. */
export function HelpDialog() {
  const isOpen = useApp((state) => state.isHelpOpen)
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => setApp({ isHelpOpen: open })}>
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" />
        <Dialog.Popup className="dialog float help">
          <div className="row">
            <Dialog.Title className="help-title">Keyboard shortcuts</Dialog.Title>
            <span className="grow" />
            <Dialog.Close render={<IconButton icon="x" label="Close" shortcut="Escape" />} />
          </div>
          <div className="help-groups">
            {groups.map((group) => (
              <HelpGroup key={group} group={group} />
            ))}
          </div>
          <Dialog.Description className="mute small">
            Single letters are off in text fields. Settings, General switches them off everywhere.
          </Dialog.Description>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function HelpGroup({ group }: { readonly group: Command['group'] }) {
  const members = commands.filter((command) => command.group === group && command.keys.length > 0)
  return (
    <section>
      <h3 className="label">{group}</h3>
      <dl>
        {members.map((command) => (
          <div key={command.id} className="help-row">
            <dt>{command.title}</dt>
            <dd>
              {command.keys.map((keys) => (
                <span key={keys} className="help-keys">
                  <Kbd keys={keys} />
                  <span className="sr">{keys}</span>
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
