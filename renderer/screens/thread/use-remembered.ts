import { useState } from 'react'
import { recall, remember } from '../../state/remembered.ts'

/** A choice of this window that outlives it: a pane's width, a mode. `accept` refuses what an older version left behind. */
export function useRemembered<Value extends string | number | boolean>(
  key: string,
  initial: Value,
  accept: (value: unknown) => value is Value,
): readonly [Value, (value: Value) => void] {
  const name = `thread.${key}`
  const [value, setValue] = useState(() => read(recall(name), initial, accept))
  const keep = (next: Value) => {
    setValue(next)
    remember(name, JSON.stringify(next))
  }
  return [value, keep]
}

function read<Value>(text: string | null, initial: Value, accept: (value: unknown) => value is Value): Value {
  if (text === null) return initial
  try {
    const value: unknown = JSON.parse(text)
    return accept(value) ? value : initial
  } catch (error) {
    // Cut short by a full disk: a width is not worth an error card.
    if (error instanceof SyntaxError) return initial
    throw error
  }
}

export const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
export const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean'
