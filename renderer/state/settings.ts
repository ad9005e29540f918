import type { Settings, SettingsPatch } from '../../core/domain/settings.ts'
import { call } from '../engine/client.ts'
import { createTurns } from './in-turn.ts'
import { changeSettings } from './load.ts'

const inTurn = createTurns()

/** Changes a part of a setting that has several, from what is stored then: no change takes back the one before it. */
export function changeSettingsBy(change: (settings: Settings) => SettingsPatch): Promise<void> {
  return inTurn(async () => changeSettings(change(await call('settings.get', {}))))
}
