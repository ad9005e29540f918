import { useEffect, useRef, useState } from 'react'
import type { ErrorBody } from '../../../core/domain/error.ts'
import { supervise } from '../../state/store.ts'
import { useAction } from '../../state/use-load.ts'
import type { Parsed } from './amounts.ts'

interface DraftOptions<Value> {
  /** What is stored, as the field shows it. */
  readonly stored: string
  /** Stable, or cheap. */
  parse(text: string): Parsed<Value>
  save(value: Value): Promise<unknown>
}

export interface Draft {
  readonly text: string
  readonly problem: string | undefined
  readonly error: ErrorBody | null
  write(text: string): void
  /** Saves where it differs and can be read; else says what is wrong. */
  commit(): void
  revert(): void
}

/** A field that is saved when it is left: what is stored until somebody writes, then what is written. */
export function useDraft<Value>({ stored, parse, save }: DraftOptions<Value>): Draft {
  const [written, setWritten] = useState<string | null>(null)
  const [isTried, setTried] = useState(false)
  const saving = useAction(async (text: string, value: Value) => {
    await save(value)
    // What was written meanwhile stays.
    setWritten((now) => (now === text ? null : now))
  })
  const parsed = parse(written ?? stored)
  const isChanged = written !== null && written !== stored

  function commit(): void {
    if (!isChanged) revert()
    else if (parsed.ok) saving.run(written, parsed.value)
    setTried(isChanged)
  }
  function revert(): void {
    setWritten(null)
    setTried(false)
    saving.clear()
  }
  useSaveOnLeave(() => (isChanged && parsed.ok && !saving.isBusy ? save(parsed.value) : Promise.resolve()))
  return {
    text: written ?? stored,
    problem: isTried && !parsed.ok ? parsed.problem : undefined,
    error: saving.error,
    write(text) {
      setWritten(text)
      saving.clear()
    },
    commit,
    revert,
  }
}

/** A key can lead to another screen while the field still has the focus: no blur comes then. */
function useSaveOnLeave(save: () => Promise<unknown>): void {
  const saveRef = useRef(save)
  useEffect(() => {
    saveRef.current = save
  })
  useEffect(() => () => supervise(() => saveRef.current()), [])
}
