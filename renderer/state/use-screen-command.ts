import { useLayoutEffect } from 'react'
import { setApp } from './store.ts'

/**
 * Gives a command of the registry its work while this component is mounted, before it is painted: what can be seen can be pressed.
 * `run` must be stable (useCallback).
 */
export function useScreenCommand(id: string, run: () => void): void {
  useLayoutEffect(() => {
    setApp(({ screenCommands }) => ({ screenCommands: { ...screenCommands, [id]: run } }))
    return () =>
      setApp(({ screenCommands }) => {
        if (screenCommands[id] !== run) return {}
        const { [id]: _, ...rest } = screenCommands
        return { screenCommands: rest }
      })
  }, [id, run])
}
