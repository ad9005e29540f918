import { useCallback } from 'react'
import { call } from '../engine/client.ts'
import { setApp, useApp } from './store.ts'
import { useLoad } from './use-load.ts'

/** What the app does while nobody looks, as the shell has it: read anew when the settings of it change. */
export function useDesktop() {
  const setting = useApp((state) => state.settings?.desktop)
  const desktop = useApp((state) => state.desktop)
  // `setting` is what asks for it again.
  const read = useCallback(async () => setApp({ desktop: await call('shell.desktop', {}) }), [setting])
  const load = useLoad(read)
  return { desktop, load }
}
