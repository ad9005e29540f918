import type { Settings, SettingsPatch } from '../../../core/domain/settings.ts'
import { runCommand, shortcutOf } from '../../commands.ts'
import { Button } from '../../components/button.tsx'
import { ErrorCard } from '../../components/card.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { Toggle } from '../../components/toggle.tsx'
import { changeSettings } from '../../state/load.ts'
import { useApp } from '../../state/store.ts'
import { useAction } from '../../state/use-load.ts'
import { DesktopCard } from './desktop-card.tsx'

const themes = [
  ['system', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const satisfies readonly (readonly [Settings['theme'], string])[]
const densities = [
  ['compact', 'Compact'],
  ['comfortable', 'Comfortable'],
] as const satisfies readonly (readonly [Settings['density'], string])[]

export function GeneralSection() {
  const settings = useApp((state) => state.settings)
  const change = useAction((patch: SettingsPatch) => changeSettings(patch))
  if (!settings) return null
  return (
    <>
      <h1>General</h1>
      <p>How the window looks and listens. A change holds at once and is kept.</p>
      {change.error && <ErrorCard title="The setting was not saved" error={change.error} />}
      <div className="sech">
        <h2>Appearance</h2>
      </div>
      <div className="card">
        <div className="setrow">
          <div>
            Theme
            <div className="sub">Colours of day or night.</div>
          </div>
          <Segmented
            label="Theme"
            options={themes}
            value={settings.theme}
            onChange={(theme) => change.run({ theme })}
          />
        </div>
        <div className="setrow">
          <div>
            Density
            <div className="sub">Height of rows and controls. The size of the text stays.</div>
          </div>
          <Segmented
            label="Density"
            options={densities}
            value={settings.density}
            onChange={(density) => change.run({ density })}
          />
        </div>
      </div>
      <div className="sech">
        <h2>Keyboard</h2>
      </div>
      <div className="card">
        <div className="setrow">
          <div id="single-keys">
            Single-letter keys
            <div className="sub">j, k, /, g c and the like. They are always off in text fields.</div>
          </div>
          <Toggle
            labelledBy="single-keys"
            isOn={settings.singleKeys}
            onChange={(singleKeys) => change.run({ singleKeys })}
          />
        </div>
        <div className="setrow">
          <div>
            All shortcuts
            <div className="sub">Every key that does something, in one list.</div>
          </div>
          <Button shortcut={shortcutOf('help.open') ?? ''} onClick={() => runCommand('help.open')}>
            Show the list
          </Button>
        </div>
      </div>
      <DesktopCard />
      <div className="sech">
        <h2>First steps</h2>
      </div>
      <div className="card">
        <div className="setrow">
          <div>
            The first run
            <div className="sub">Choose a model, a folder, and try a question. Nothing that is on record changes.</div>
          </div>
          <Button onClick={() => change.run({ firstRunDone: false })}>Show it again</Button>
        </div>
      </div>
    </>
  )
}
