import { AlertDialog } from '@base-ui/react/alert-dialog'
import { type ReactNode, useRef } from 'react'
import type { ErrorBody } from '../../core/domain/error.ts'
import { Button } from './button.tsx'
import { ErrorNote } from './card.tsx'

interface ConfirmDialogProps {
  readonly title: string
  /** What comes of it. */
  readonly children: ReactNode
  /** Verb and object. */
  readonly confirm: string
  readonly keep: string
  /** What is confirmed cannot be taken back. */
  readonly isDestructive?: boolean
  readonly isBusy: boolean
  readonly error: ErrorBody | null
  onConfirm(): void
  onClose(): void
}

/** Asks once more, with the consequences. Open while it is mounted; the focus begins on what changes nothing. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, confirm, keep, isDestructive = false, isBusy, error, onConfirm, onClose } = props
  const keepRef = useRef<HTMLButtonElement>(null)
  return (
    <AlertDialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="scrim" />
        <AlertDialog.Popup className="dialog float confirm" initialFocus={keepRef}>
          <AlertDialog.Title className="confirm-title">{title}</AlertDialog.Title>
          <AlertDialog.Description render={<div />} className="confirm-text">
            {children}
          </AlertDialog.Description>
          {error && <ErrorNote title="Nothing was changed" error={error} />}
          <div className="confirm-acts">
            <AlertDialog.Close ref={keepRef} render={<Button shortcut="Escape">{keep}</Button>} />
            <Button look={isDestructive ? 'danger' : 'primary'} disabled={isBusy} onClick={onConfirm}>
              {confirm}
            </Button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
