import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/card.tsx'
import { StatusIcon } from '../../components/status.tsx'
import { call } from '../../engine/client.ts'
import { setApp, useApp } from '../../state/store.ts'
import { useAction } from '../../state/use-load.ts'

/** After crashes missions wait for a person: it says why, and one button lets them fire. */
export function HeldNote() {
  const held = useApp((state) => state.info?.missionsHeld ?? null)
  const release = useAction(async () => setApp({ info: await call('mission.release', {}) }))
  if (held === null) return null
  return (
    <div className="banner note waiting msn-held" role="status">
      <StatusIcon status="waiting" />
      <div>
        <p>{held}</p>
        <Button disabled={release.isBusy} onClick={() => release.run()}>
          Let missions fire
        </Button>
        {release.error && <ErrorNote title="Not done" error={release.error} />}
      </div>
    </div>
  )
}
