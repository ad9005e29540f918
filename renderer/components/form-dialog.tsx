import { Dialog } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'

interface FormDialogProps {
  readonly title: string
  readonly children: ReactNode
  onClose(): void
}

/** A form that stands before the screen. Open while it is mounted; Escape and a press beside it close it. */
export function FormDialog({ title, children, onClose }: FormDialogProps) {
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" />
        <Dialog.Popup className="dialog float form-dialog">
          <Dialog.Title className="confirm-title">{title}</Dialog.Title>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
