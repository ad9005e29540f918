import { useCallback, useEffect, useState } from 'react'
import { type ErrorBody, errorBody } from '../../core/domain/error.ts'

export type LoadState = { readonly phase: 'loading' } | { readonly phase: 'ready' } | Failed
interface Failed {
  readonly phase: 'failed'
  readonly error: ErrorBody
}

/** Loads when `load` changes (keep it stable with useCallback) and says how it stands; `retry` loads again. */
export function useLoad(load: () => Promise<unknown>): LoadState & { readonly retry: () => void } {
  const [state, setState] = useState<LoadState>({ phase: 'loading' })
  const [attempt, setAttempt] = useState(0)
  // `attempt` is what asks for it again.
  useEffect(() => {
    let isCurrent = true
    setState({ phase: 'loading' })
    load().then(
      () => isCurrent && setState({ phase: 'ready' }),
      (error: unknown) => isCurrent && setState({ phase: 'failed', error: errorBody(error) }),
    )
    return () => {
      isCurrent = false
    }
  }, [load, attempt])
  const retry = useCallback(() => setAttempt((count) => count + 1), [])
  return { ...state, retry }
}

/** One thing that a button does: whether it is under way, and the error that it ended with. */
export function useAction<Input extends readonly unknown[]>(work: (...input: Input) => Promise<unknown>) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<ErrorBody | null>(null)
  function run(...input: Input): void {
    setBusy(true)
    setError(null)
    work(...input)
      .catch((thrown: unknown) => setError(errorBody(thrown)))
      .finally(() => setBusy(false))
  }
  return { run, isBusy, error, clear: () => setError(null) }
}
