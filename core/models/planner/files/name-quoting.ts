import type { Plan } from '../plan.ts'
import { baseName, loadCatalogue, stemOf } from './catalogue.ts'

// "dinner in may.md": a name of several words cannot be told from the sentence around it without the folder's listing.
const severalWords = /[^\s"'`]+\s+[^\s"'`]+\.[A-Za-z][A-Za-z0-9]{0,9}(?![\p{L}\p{N}])/u

/** The request with names of several words in backticks, as the folder has them. */
export function* quoteNames(said: string): Plan<string> {
  if (!severalWords.test(said)) return said
  const { files } = yield* loadCatalogue()
  const names = files.map((f) => baseName(f.path)).filter((name) => /\s/.test(name))
  return quoteAll(said, names)
}

/** The same for names without their extension ("the pantry list"): tried when nothing else fits. */
export function* quoteStems(said: string): Plan<string> {
  const { files } = yield* loadCatalogue()
  const stems = files.map((f) => stemOf(f.path)).filter((stem) => /[\s_\d-]/.test(stem) && stem.length > 3)
  return quoteAll(said, stems)
}

function quoteAll(said: string, names: readonly string[]): string {
  const longestFirst = [...new Set(names)].sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
  return longestFirst.reduce((text, name) => quoteOne(text, name), said)
}

function quoteOne(text: string, name: string): string {
  return text
    .split(/(`[^`]*`|"[^"]*")/)
    .map((part, at) => {
      if (at % 2 === 1) return part
      const from = part.toLowerCase().indexOf(name.toLowerCase())
      const isWhole =
        from >= 0 &&
        !/[\p{L}\p{N}]/u.test(part[from - 1] ?? '') &&
        !/[\p{L}\p{N}.]/u.test(part[from + name.length] ?? '')
      return isWhole
        ? `${part.slice(0, from)}\`${part.slice(from, from + name.length)}\`${part.slice(from + name.length)}`
        : part
    })
    .join('')
}
