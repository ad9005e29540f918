import { useState } from 'react'
import type { LocalModel } from '../../../../core/domain/local.ts'
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx'
import { Toggle } from '../../../components/toggle.tsx'
import { bytesText } from '../../../format/figures.ts'
import { changeLocal, isInFolder, localRef } from '../../../state/local.ts'
import { tiersText } from '../../../state/providers.ts'
import { useApp } from '../../../state/store.ts'
import { useAction } from '../../../state/use-load.ts'

interface RemoveModelDialogProps {
  readonly model: LocalModel
  /** The app's own: only what it downloaded itself does it delete. */
  readonly folder: string
  onClose(): void
}

/** Takes a model out of the list; its file only where the app brought it, and only if that is wanted. */
export function RemoveModelDialog({ model, folder, onClose }: RemoveModelDialogProps) {
  const settings = useApp((state) => state.settings)
  const isOurs = isInFolder(model.file, folder)
  const [deletesFile, setDeletesFile] = useState(isOurs)
  const remove = useAction(async () => {
    await changeLocal('local.remove', { name: model.name, deletesFile })
    onClose()
  })
  if (!settings) return null
  const fallBack = tiersText(settings, localRef(model))
  const isEmbedder = settings.embedder?.model === model.name && settings.embedder.providerId === 'local'
  return (
    <ConfirmDialog
      title={`Remove ${model.title}?`}
      confirm={`Remove ${model.title}`}
      keep="Keep it"
      isDestructive
      isBusy={remove.isBusy}
      error={remove.error}
      onConfirm={() => remove.run()}
      onClose={onClose}
    >
      <ul className="consequences">
        <li>{fallBack}</li>
        {isEmbedder && <li>Docs are found by their words again.</li>}
        {!isOurs && <li>Its file stays where it is.</li>}
      </ul>
      {isOurs && (
        <div className="remove-file">
          <span id="delete-file">Delete the file too, which frees {bytesText(model.bytes)}</span>
          <Toggle labelledBy="delete-file" isOn={deletesFile} onChange={setDeletesFile} />
        </div>
      )}
    </ConfirmDialog>
  )
}
