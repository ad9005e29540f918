import { useCallback, useState } from 'react'
import type { Keychain } from '../../core/domain/contract.ts'
import { call } from '../engine/client.ts'
import { useLoad } from '../state/use-load.ts'
import { ErrorNote, Note } from './card.tsx'

/** Where keys are kept; a warning where whoever reads the files reads the keys. */
export function KeychainNote() {
  const [keychain, setKeychain] = useState<Keychain | null>(null)
  const load = useLoad(useCallback(async () => setKeychain(await call('provider.keychain', {})), []))
  return (
    <>
      {load.phase === 'failed' && <ErrorNote title="The keychain could not be looked at" error={load.error} />}
      {keychain?.isProtected && (
        <p className="dim">In the keychain of this computer ({keychain.backend}). The window never sees a key again.</p>
      )}
      {keychain?.isProtected === false && (
        <Note status="waiting">
          This system has no keychain that Threadsmith can use. Keys are kept in its data folder, obscured but not
          protected: who can read your files can read them. A keyring such as GNOME Keyring or KWallet protects keys
          that are entered anew.
        </Note>
      )}
    </>
  )
}
