import { refusal } from '../refusal.ts'
import { nearestLine } from './nearest-line.ts'

export interface Edit {
  readonly find: string
  readonly replace: string
  readonly all: boolean
}

/**
 * The text after all edits, each made on what the one before left. Line ends in an edit mean those of the file. Throws
 * action.conflict for the first edit whose text does not occur, or occurs more than once without `all`.
 */
export function applyEdits(text: string, edits: readonly Edit[], path: string): string {
  // Where every line ends in CRLF the text can be edited without them and comes back exactly.
  const isCrlf = text.includes('\r\n') && !/(^|[^\r])\n/.test(text)
  if (!isCrlf) return edits.reduce((now, edit, at) => applyOne(now, endsLikeFile(edit, now), { at, path }), text)
  const plain = edits.reduce((now, edit, at) => applyOne(now, withPlainEnds(edit), { at, path }), withLf(text))
  return plain.replaceAll('\n', '\r\n')
}

function withLf(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

function withPlainEnds(edit: Edit): Edit {
  return { ...edit, find: withLf(edit.find), replace: withLf(edit.replace) }
}

/** In a file of mixed line ends the part that is meant may have others than the edit. */
function endsLikeFile(edit: Edit, text: string): Edit {
  if (text.includes(edit.find)) return edit
  const plain = withPlainEnds(edit)
  const crlf = { ...edit, find: plain.find.replaceAll('\n', '\r\n'), replace: plain.replace.replaceAll('\n', '\r\n') }
  return text.includes(crlf.find) ? crlf : plain
}

interface Where {
  readonly at: number
  readonly path: string
}

function applyOne(text: string, { find, replace, all }: Edit, where: Where): string {
  const places = occurrences(text, find)
  const first = places[0]
  if (first === undefined) throw missing(text, find, where)
  if (all) return text.split(find).join(replace)
  if (places.length > 1) throw ambiguous(text, places, where)
  return text.slice(0, first) + replace + text.slice(first + find.length)
}

function occurrences(text: string, find: string): readonly number[] {
  const places: number[] = []
  for (let at = text.indexOf(find); at >= 0; at = text.indexOf(find, at + find.length)) places.push(at)
  return places
}

function ambiguous(text: string, places: readonly number[], { at, path }: Where): Error {
  const lines = places.slice(0, 10).map((place) => text.slice(0, place).split('\n').length)
  const more = places.length > lines.length ? ' and more' : ''
  return refusal(
    'action.conflict',
    `Edit ${at + 1}: its text occurs ${places.length} times in "${path}", on lines ${lines.join(', ')}${more}. Give more of what stands around it, or pass all: true.`,
    { path, edit: at + 1, occurrences: places.length },
  )
}

function missing(text: string, find: string, { at, path }: Where): Error {
  const nearest = nearestLine(text, find)
  const hint = nearest === undefined ? '' : ` The nearest line is ${nearest.line}: ${JSON.stringify(nearest.text)}.`
  return refusal('action.conflict', `Edit ${at + 1}: its text does not occur in "${path}".${hint}`, {
    path,
    edit: at + 1,
    occurrences: 0,
  })
}
