import { ErrorCard, ErrorNote } from '../../components/card.tsx'
import { Toggle } from '../../components/toggle.tsx'
import { call } from '../../engine/client.ts'
import { useDesktop } from '../../state/desktop.ts'
import { changeSettingsBy } from '../../state/settings.ts'
import { setApp, useApp } from '../../state/store.ts'
import { useAction } from '../../state/use-load.ts'

/** Whether missions fire while nobody looks: the tray, the closed window, the start at login. */
export function DesktopCard() {
  const setting = useApp((state) => state.settings?.desktop)
  const { desktop, load } = useDesktop()
  const change = useAction((patch: Partial<NonNullable<typeof setting>>) =>
    changeSettingsBy((settings) => ({ desktop: { ...settings.desktop, ...patch } })),
  )
  const login = useAction(async (isOn: boolean) => setApp({ desktop: await call('shell.setLogin', { isOn }) }))
  if (!setting) return null
  const wantsTray = setting.tray ?? desktop?.tray.isUsual ?? false
  const hasTray = desktop?.tray.isShown === true
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
              {desktop?.tray.isFailed
                ? 'The system made no icon: missions run while the window is open. Switch it off and on to try again.'
                : 'Says what fires next, and opens the window. Some desktops of Linux have no place for it: then it stays out of sight.'}
            </div>
          </div>
          <Toggle labelledBy="desktop-tray" isOn={wantsTray} onChange={(tray) => change.run({ tray })} />
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
            isOn={desktop?.keepsRunning === true}
            disabled={!hasTray}
            onChange={(keepRunning) => change.run({ keepRunning })}
          />
        </div>
        <div className="setrow">
          <div id="desktop-login">
            Start at login
            <div className="sub">
              {hasTray ? 'Begins in the tray, without a window.' : 'Begins with the window.'}{' '}
              {desktop?.login.note ?? 'Shown as the system has it.'}
            </div>
          </div>
          <Toggle
            labelledBy="desktop-login"
            isOn={desktop?.login.isOn === true}
            disabled={desktop === null || login.isBusy}
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
