import { useEffect, useState } from 'react'
import { call } from '../engine/client.ts'
import { supervise } from '../state/store.ts'
import { Button, IconButton } from './button.tsx'

const doneMs = 1_600

interface CopyButtonProps {
  readonly text: string
  readonly label: string
  /** With words where there is room for them. */
  readonly isWide?: boolean
}

/** Copies and says so for a moment. */
export function CopyButton({ text, label, isWide = false }: CopyButtonProps) {
  const [isDone, setDone] = useState(false)
  useEffect(() => {
    if (!isDone) return
    const timer = setTimeout(() => setDone(false), doneMs)
    return () => clearTimeout(timer)
  }, [isDone])
  const copy = () =>
    supervise(async () => {
      await call('shell.copyText', { text })
      setDone(true)
    })
  const name = isDone ? 'Copied' : label
  return isWide ? (
    <Button look="ghost" onClick={copy}>
      {name}
    </Button>
  ) : (
    <IconButton icon={isDone ? 'check' : 'copy'} label={name} className="copy" onClick={copy} />
  )
}
