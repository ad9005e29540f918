import { useCallback, useEffect, useState } from 'react'
import { shortcutOf } from '../commands.ts'
import { useScreenCommand } from '../state/use-screen-command.ts'
import { Button } from './button.tsx'
import { StatusIcon } from './status.tsx'

/** What was done, and how to take it back. A new one is a new object. */
export interface Undoable {
  readonly text: string
  /** Where taking it back would promise too much. */
  readonly verb?: string
  undo(): void
}

const secondsShown = 10

/** Offers to take back what was just done, for ten seconds; longer while it is pointed at or has the focus. */
export function UndoToast({ done, onOver }: { readonly done: Undoable | null; onOver(): void }) {
  return (
    <div className="undo-place" role="status">
      {done && <Offer key={done.text} done={done} onOver={onOver} />}
    </div>
  )
}

function Offer({ done, onOver }: { readonly done: Undoable; onOver(): void }) {
  const [left, setLeft] = useState(secondsShown)
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => (left <= 1 ? onOver() : setLeft(left - 1)), 1_000)
    return () => clearTimeout(timer)
  }, [left, isHeld, onOver])
  const undo = useCallback(() => {
    onOver()
    done.undo()
  }, [done, onOver])
  useScreenCommand('undo', undo)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only stays while somebody is about to press its button
    <div
      className="toast float undo"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span className="st done">
        <StatusIcon status="done" />
      </span>
      <span className="trunc">{done.text}</span>
      <span className="grow" />
      <Button shortcut={shortcutOf('undo') ?? ''} onClick={undo}>
        {done.verb ?? 'Undo'}
        <span className="mute" aria-hidden="true">
          {left} s
        </span>
      </Button>
    </div>
  )
}
