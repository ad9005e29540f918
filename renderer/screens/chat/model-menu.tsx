import { Menu } from '@base-ui/react/menu'
import { type Tier, tiers, tierTitles } from '../../../core/domain/thread.ts'
import { Icon } from '../../components/icon.tsx'
import { go } from '../../state/navigation.ts'
import { modelTitle } from '../../state/select.ts'
import { setApp, useApp } from '../../state/store.ts'

/** Which tier the next message goes to, and which model that is now. */
export function ModelMenu() {
  const tier = useApp((state) => state.tier)
  const settings = useApp((state) => state.settings)
  if (!settings) return null
  return (
    <Menu.Root>
      <Menu.Trigger className="btn ghost" title="Model of the next message">
        <span className="mute">{tierTitles[tier]}</span> {modelTitle(settings, tier)}
        <Icon name="down" size="small" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="float-place" align="end" sideOffset={4}>
          <Menu.Popup className="menu float">
            <Menu.RadioGroup value={tier} onValueChange={(value) => setApp({ tier: tierOf(value) })}>
              {tiers.map((name) => (
                <Menu.RadioItem key={name} value={name} className="menu-item" closeOnClick>
                  <Menu.RadioItemIndicator className="menu-tick" keepMounted>
                    <Icon name="check" size="small" />
                  </Menu.RadioItemIndicator>
                  <span>{tierTitles[name]}</span>
                  <span className="grow" />
                  <span className="mute small">{modelTitle(settings, name)}</span>
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
            <Menu.Separator className="menu-line" />
            <Menu.Item className="menu-item" onClick={() => go({ screen: 'settings', section: 'models' })}>
              <span className="menu-tick" />
              Choose models
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}

function tierOf(value: unknown): Tier {
  return tiers.find((name) => name === value) ?? 'allegro'
}
