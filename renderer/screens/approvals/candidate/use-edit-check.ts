import { useCallback, useState } from 'react'
import type { CheckedEdit } from '../../../../core/domain/candidate.ts'
import type { ErrorBody } from '../../../../core/domain/error.ts'
import { call } from '../../../engine/client.ts'
import { useLoad } from '../../../state/use-load.ts'

/** What the checks say of an edit; until they answered, what is known is of what was proposed. */
export type EditCheck =
  | { readonly phase: 'loading' }
  | ({ readonly phase: 'ready' } & CheckedEdit)
  | { readonly phase: 'failed'; readonly error: ErrorBody; readonly retry: () => void }

interface Asked {
  readonly id: string
  /** Null: nothing is edited. */
  readonly text: string | null
  /** The hash of the live version: with another one the checks may say something else. */
  readonly live: string | null
}

/** Asks the engine, which stores nothing, as soon as there is an edit; null while there is none. */
export function useEditCheck({ id, text, live }: Asked): EditCheck | null {
  const [found, setFound] = useState<{ readonly of: string; readonly check: CheckedEdit } | null>(null)
  const load = useLoad(
    useCallback(async () => {
      if (text !== null) setFound({ of: text, check: await call('candidate.check', { id, content: text }) })
    }, [id, text, live]),
  )
  if (text === null) return null
  if (load.phase === 'failed') return load
  return load.phase === 'ready' && found?.of === text ? { phase: 'ready', ...found.check } : { phase: 'loading' }
}
