import { useEffect, useRef } from 'react'
import { setApp } from '../../state/store.ts'
import { type InspectorCommand, inspectorCommands } from './inspector-commands.ts'

const listIds = ['list.filter', 'list.next', 'list.previous'] as const
type Runs = Readonly<Record<InspectorCommand | (typeof listIds)[number], () => void>>

/** Tells the registry what the inspector's commands do while it is mounted: its keys work wherever the focus is. */
export function useInspectorKeys(runs: Runs): void {
  const latest = useRef(runs)
  useEffect(() => {
    latest.current = runs
  })
  useEffect(() => {
    const ids = [...inspectorCommands.map(({ id }) => id), ...listIds]
    const ours = Object.fromEntries(ids.map((id) => [id, () => latest.current[id]()]))
    setApp(({ screenCommands }) => ({ screenCommands: { ...screenCommands, ...ours } }))
    return () => setApp(({ screenCommands }) => ({ screenCommands: without(screenCommands, ours) }))
  }, [])
}

/** Another inspector may have taken its place by now: only what is still ours goes. */
function without<Run>(all: Readonly<Record<string, Run>>, ours: Readonly<Record<string, Run>>) {
  return Object.fromEntries(Object.entries(all).filter(([id, run]) => ours[id] !== run))
}
