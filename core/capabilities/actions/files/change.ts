import type { Change } from '../../../domain/approval.ts'
import { limits } from '../../../domain/limits.ts'
import { detectContent, headBytes } from './encoding.ts'

/** What a person sees of a file that is about to change: its whole text, or a note where that is no text or too long. */
export function fileChange(path: string, before: Buffer | undefined, after: Buffer | undefined): Change {
  const [was, will] = [shown(before), shown(after)]
  const notes = [
    was.why && `The file that is there now is not shown: ${was.why}.`,
    will.why && `What it would be is not shown: ${will.why}.`,
  ].filter((note) => note !== undefined)
  return {
    kind: 'file',
    path,
    before: was.text,
    after: will.text,
    ...(notes.length > 0 && { note: notes.join(' ') }),
  }
}

function shown(bytes: Buffer | undefined): { readonly text: string | null; readonly why?: string } {
  if (bytes === undefined) return { text: null }
  const content = detectContent(bytes.subarray(0, headBytes), bytes.length <= headBytes)
  const size = `${bytes.length} bytes`
  if (content.kind === 'binary') return { text: null, why: `${content.type}, ${size}` }
  if (content.kind !== 'text') return { text: null, why: `it looks like ${content.looksLike}, ${size}` }
  const text = new TextDecoder(content.encoding).decode(bytes)
  if (text.length <= limits.changeCharacters) return { text }
  return { text: null, why: `${text.length} characters, more than ${limits.changeCharacters}` }
}
