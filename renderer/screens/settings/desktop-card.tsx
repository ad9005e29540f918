import { useCallback, useState } from 'react'
import type { DesktopState } from '../../../core/domain/shell.ts'
import { ErrorCard, ErrorNote } from '../../components/card.tsx'
import { Toggle } from '../../components/toggle.tsx'
import { call } from '../../engine/client.ts'
import { changeSettingsBy } from '../../state/settings.ts'
import { useApp } from '../../state/store.ts'
import { useAction, useLoad } from '../../state/use-load.ts'

/** Whether missions fire while nobody looks: the tray, the closed window, the start at login. */
export function DesktopCard() {
  const desktop = useApp((state) => state.settings?.desktop)
  const [system, setSystem] = useState<DesktopState | null>(null)
  const readNow = useCallback(async () => setSystem(await call('shell.desktop', {})), [])
  const load = useLoad(readNow)
  const change = useAction(async (patch: Partial<NonNullable<typeof desktop>>) => {
    await changeSettingsBy((settings) => ({ desktop: { ...settings.desktop, ...patch } }))
    await readNow()
  })
  const login = useAction(async (isOn: boolean) => setSystem(await call('shell.setLogin', { isOn })))
  if (!desktop) return null
  const hasTray = desktop.tray ?? system?.tray.isUsual ?? false
  return (
    <>
      <div className="sech">
        <h2>While nobody looks</h2>
      </div>
      {change.error && <ErrorCard title="The setting was not saved" error={change.error} />}
      <div className="card">
        <div className="setrow">
          <div id="desktop-tray">
            Icon in the tray
            <div className="sub">
              Says what fires next, and opens the window. Some desktops of Linux have no place for it: then it stays out
              of sight.
            </div>
          </div>
          <Toggle labelledBy="desktop-tray" isOn={hasTray} onChange={(tray) => change.run({ tray })} />
        </div>
        <div className="setrow">
          <div id="desktop-keep">
            Go on when the window is closed
            <div className="sub">
              {hasTray
                ? 'While a mission is active, closing the window leaves the app in the tray, and missions fire. Quit ends it.'
                : 'Needs the icon in the tray: without it you could not find the app again.'}
            </div>
          </div>
          <Toggle
            labelledBy="desktop-keep"
            isOn={desktop.keepRunning && hasTray}
            disabled={!hasTray}
            onChange={(keepRunning) => change.run({ keepRunning })}
          />
        </div>
        <div className="setrow">
          <div id="desktop-login">
            Start at login
            <div className="sub">
              {hasTray ? 'Begins in the tray, without a window.' : 'Begins with the window.'}{' '}
              {system?.login.note ?? 'Shown as the system has it.'}
            </div>
          </div>
          <Toggle
            labelledBy="desktop-login"
            isOn={system?.login.isOn === true}
            disabled={system === null || login.isBusy}
            onChange={(isOn) => login.run(isOn)}
          />
        </div>
        {login.error && (
          <div className="setmore">
            <ErrorNote title="Not changed" error={login.error} />
          </div>
        )}
        {load.phase === 'failed' && (
          <div className="setmore">
            <ErrorNote title="The system was not asked" error={load.error} />
          </div>
        )}
      </div>
    </>
  )
}
