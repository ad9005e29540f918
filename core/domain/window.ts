import { limits } from './limits.ts'

/** At least so much of a window is for the answer, in tokens, where it is large enough for that. */
export const answerTokens = 2_048

/** Whether a prompt leaves its model room to answer. A window that nobody knows fits everything. */
export function fitsWindow(promptTokens: number, windowTokens: number | null): boolean {
  if (windowTokens === null) return true
  return promptTokens + Math.min(answerTokens, Math.floor(windowTokens * (1 - limits.compactionShare))) <= windowTokens
}
