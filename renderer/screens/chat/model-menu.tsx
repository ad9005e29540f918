import { Menu } from '@base-ui/react/menu'
import { useCallback, useState } from 'react'
import { type Tier, tiers, tierTitles } from '../../../core/domain/thread.ts'
import { Icon } from '../../components/icon.tsx'
import { ProbeBadges } from '../../components/probe-badges.tsx'
import { openModels } from '../../state/models-focus.ts'
import { modelTitle } from '../../state/select.ts'
import { setApp, useApp } from '../../state/store.ts'
import { useScreenCommand } from '../../state/use-screen-command.ts'

/** Which tier the next message goes to, and which model that is now. */
export function ModelMenu() {
  const tier = useApp((state) => state.tier)
  const settings = useApp((state) => state.settings)
  const [isOpen, setOpen] = useState(false)
  useScreenCommand(
    'model.choose',
    useCallback(() => setOpen(true), []),
  )
  if (!settings) return null
  return (
    <Menu.Root open={isOpen} onOpenChange={(opens) => setOpen(opens)}>
      <Menu.Trigger className="btn ghost" title="Model of the next message">
        <span className="mute">{tierTitles[tier]}</span> {modelTitle(settings, tier)}
        <Icon name="down" size="small" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="float-place" align="end" sideOffset={4}>
          <Menu.Popup className="menu float model-menu">
            <Menu.RadioGroup value={tier} onValueChange={(value) => setApp({ tier: tierOf(value) })}>
              {tiers.map((name) => (
                <Menu.RadioItem key={name} value={name} className="menu-item two-lines" closeOnClick>
                  <Menu.RadioItemIndicator className="menu-tick" keepMounted>
                    <Icon name="check" size="small" />
                  </Menu.RadioItemIndicator>
                  <span className="tier-name">{tierTitles[name]}</span>
                  <span className="tier-model">
                    <span className="trunc">{modelTitle(settings, name)}</span>
                    <ProbeBadges model={settings.tiers[name]} look="short" />
                  </span>
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
            <Menu.Separator className="menu-line" />
            <Menu.Item className="menu-item" onClick={() => openModels()}>
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
