import { limits } from '../../../domain/limits.ts'
import { sanitizeText } from '../../../domain/text.ts'

/** The end of a stream, safe to show. `cut`: how many characters before it are missing. */
export interface OutputEnd {
  readonly text: string
  readonly cut: number
}

/** Keeps the end of what is written to it, in bounded memory. */
export function createOutputEnd() {
  // Escape sequences take room before they are removed.
  const rawCharacters = limits.shellOutputCharacters * 4
  let kept = ''
  let dropped = 0
  return {
    write(text: string): void {
      kept += text
      if (kept.length <= rawCharacters * 2) return
      dropped += kept.length - rawCharacters
      kept = kept.slice(-rawCharacters)
    },
    read(): OutputEnd {
      const clean = sanitizeText(withoutEscapes(kept))
      const text = lastFitting(clean)
      return { text, cut: dropped + clean.length - text.length }
    },
  }
}

// Quotes and line breaks count twice in a result: two streams and the rest of it must fit into one.
const shareCharacters = (limits.actionResultCharacters - 4_000) / 2

function lastFitting(text: string): string {
  let fitting = text.slice(-limits.shellOutputCharacters)
  while (JSON.stringify(fitting).length > shareCharacters) fitting = fitting.slice(Math.ceil(fitting.length / 10))
  return fitting.toWellFormed()
}

/** Colours, cursor moves, titles and links of a terminal. Each alternative ends at the next escape: linear in time. */
function withoutEscapes(text: string): string {
  return text.replace(escapes, '')
}
const escapes = new RegExp(
  [
    '\\u001b\\[[0-?]*[ -/]*[@-~]?',
    '\\u009b[0-?]*[ -/]*[@-~]?',
    '\\u001b[\\]PX^_][^\\u0007\\u001b]*(?:\\u0007|\\u001b\\\\)?',
    '\\u001b[ -/]*[0-~]?',
  ].join('|'),
  'g',
)
