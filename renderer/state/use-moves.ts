import { useCallback } from 'react'
import { useScreenCommand } from './use-screen-command.ts'

/** Next and previous row of the list that is on the screen. */
export function useMoves(move: (by: number) => void): void {
  useScreenCommand(
    'list.next',
    useCallback(() => move(1), [move]),
  )
  useScreenCommand(
    'list.previous',
    useCallback(() => move(-1), [move]),
  )
}
