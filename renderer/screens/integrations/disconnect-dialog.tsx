import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { call } from '../../engine/client.ts'
import { showIntegration } from '../../state/integrations.ts'
import { setApp } from '../../state/store.ts'
import { useAction } from '../../state/use-load.ts'

interface DisconnectDialogProps {
  readonly named: { readonly skill: string; readonly credential: string }
  readonly title: string
  onClose(): void
}

/** What is deleted cannot be brought back, so it is asked for once more. */
export function DisconnectDialog({ named, title, onClose }: DisconnectDialogProps) {
  const leave = useAction(async () => {
    showIntegration(await call('integration.disconnect', named))
    // What comes next, if anything: the field that is there again.
    setApp({ connecting: named.skill })
    onClose()
  })
  return (
    <ConfirmDialog
      title={`Disconnect ${title}?`}
      confirm={`Disconnect ${title}`}
      keep="Keep it"
      isDestructive
      isBusy={leave.isBusy}
      error={leave.error}
      onConfirm={() => leave.run()}
      onClose={onClose}
    >
      <ul className="consequences">
        <li>It is deleted from this computer and cannot be brought back from here.</li>
        <li>At the service it stays valid until you revoke it there.</li>
        <li>Requests that need it send nothing, and say so, until you connect again.</li>
      </ul>
    </ConfirmDialog>
  )
}
