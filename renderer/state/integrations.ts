import type { Integration } from '../../core/domain/integration.ts'
import { call } from '../engine/client.ts'
import { go } from './navigation.ts'
import { getApp, setApp } from './store.ts'

export async function loadIntegrations(): Promise<void> {
  setApp({ integrations: await call('integration.list', {}) })
}

/** What a change answered stands in the place of what was known. */
export function showIntegration(changed: Integration): void {
  const known = getApp().integrations
  if (known === null) return
  const integrations = known.integrations.map((each) => (each.skill === changed.skill ? changed : each))
  setApp({ integrations: { ...known, integrations } })
}

/** Opens Integrations at the field of a skill's credential. */
export function openConnect(skill: string): void {
  setApp({ connecting: skill })
  go({ screen: 'integrations', part: skill })
}
