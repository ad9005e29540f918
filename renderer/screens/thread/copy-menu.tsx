import { Menu } from '@base-ui/react/menu'
import { Kbd } from '../../components/button.tsx'
import { Icon } from '../../components/icon.tsx'

export interface CopyChoices {
  readonly json: () => void
  readonly markdown: () => void
  readonly id: () => void
}

/** What can be taken along: the selection, the transcript, the thread's id. */
export function CopyMenu({ choices }: { readonly choices: CopyChoices }) {
  return (
    <Menu.Root>
      <Menu.Trigger className="btn">
        <Icon name="copy" size="small" />
        Copy
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="float-place" align="end" sideOffset={4}>
          <Menu.Popup className="menu float">
            <Menu.Item className="menu-item" onClick={choices.json}>
              <span className="grow">Selection as JSON</span> <Kbd keys="c j" />
            </Menu.Item>
            <Menu.Item className="menu-item" onClick={choices.markdown}>
              <span className="grow">Transcript as Markdown</span> <Kbd keys="c m" />
            </Menu.Item>
            <Menu.Item className="menu-item" onClick={choices.id}>
              <span className="grow">Thread id</span>
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
