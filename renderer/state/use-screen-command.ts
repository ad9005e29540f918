import { useEffect } from 'react'
import { setApp } from './store.ts'

/** Gives a command of the registry its work while this component is mounted. `run` must be stable (useCallback). */
export function useScreenCommand(id: string, run: () => void): void {
  useEffect(() => {
    setApp(({ screenCommands }) => ({ screenCommands: { ...screenCommands, [id]: run } }))
    return () =>
      setApp(({ screenCommands }) => {
        if (screenCommands[id] !== run) return {}
        const { [id]: _, ...rest } = screenCommands
        return { screenCommands: rest }
      })
  }, [id, run])
}
