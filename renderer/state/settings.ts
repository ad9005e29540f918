import type { Settings, SettingsPatch } from '../../core/domain/settings.ts'
import { call } from '../engine/client.ts'
import { changeSettings } from './load.ts'

let last: Promise<unknown> = Promise.resolve()

/**
 * Changes a part of a setting that has several: one change after the other, each from what is stored then, so that none
 * takes back the one before it.
 */
export function changeSettingsBy(change: (settings: Settings) => SettingsPatch): Promise<void> {
  const work = async () => changeSettings(change(await call('settings.get', {})))
  const done = last.then(work)
  // Who asked is told of the failure; the next change is not held up by it.
  last = done.catch(() => undefined)
  return done
}
