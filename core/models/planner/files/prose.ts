import { extensionOf } from './catalogue.ts'

/** A sentence as it stands in a file, and where it begins. */
export interface Sentence {
  readonly text: string
  readonly order: number
}

/** The title that a text gives itself: a Markdown or HTML heading, a front-matter title, an underlined first line. */
export function headingOf(path: string, text: string): string | undefined {
  const front = /^---\n([\s\S]*?)\n---/.exec(text)?.[1]
  const title = /^title:\s*["']?(.+?)["']?\s*$/m.exec(front ?? '')?.[1]
  if (title) return title
  if (isCode(path)) return undefined
  const html = /<(title|h1)[^>]*>([\s\S]{2,400}?)<\/\1>/i.exec(text)
  const atx = [...text.matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)].find(([, title]) => isTelling(wordsOf(title ?? '')))
  const underlined = /^(\S[^\n]{1,100})\n(?:={3,}|-{3,})$/m.exec(text)?.[1]
  const isMarkup = /^\.(html?|xml|svg)$/.test(extensionOf(path))
  // Many Markdown files open with a heading in HTML; one further down is somebody's example.
  const opens = html !== null && (isMarkup || html.index < (atx?.index ?? Number.POSITIVE_INFINITY))
  const titles = [opens ? html[2] : undefined, atx?.[1], underlined]
  return titles.map((title) => wordsOf(title ?? '')).find(isTelling)
}

function isTelling(title: string): boolean {
  return /\p{L}/u.test(title)
}

/** A heading's words: without badges, images, tags and marks. */
function wordsOf(title: string): string {
  return unlinked(title).replace(/[*_`]/g, '').replace(/\s+/g, ' ').trim()
}

/** Markdown without its images, with the words of its links, and without tags. */
function unlinked(text: string): string {
  return text
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])/g, '')
    .replace(/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replace(/^\s*\[[^\]]+\]:\s+\S.*$/gm, '')
    .replace(/<\/?[a-z][^>]*>/gi, ' ')
}

const codeFile =
  /^\.(py|js|mjs|cjs|jsx|ts|tsx|java|rs|go|rb|sh|bash|c|h|cpp|hpp|cs|php|sql|css|scss|toml|ini|conf|yml|yaml|env)$/

function isCode(path: string): boolean {
  return codeFile.test(extensionOf(path))
}

/** The running text of a file: without headings, code, tables, list marks and tags; for code, its comments. */
export function prose(path: string, text: string): string {
  if (isCode(path)) return comments(text)
  const body = text.replace(/^---\n[\s\S]*?\n---\n/, '').replace(/```[\s\S]*?(```|$)/g, '\n\n')
  const plain = /^\.(html?|xml|svg)$/.test(extensionOf(path)) ? tagless(body) : unlinked(body)
  return plain
    .split('\n')
    .map((line) => (/^\s*(#{1,6}\s|\||={3,}$|-{3,}$|!\[)/.test(line) ? '' : line))
    .map((line) => line.replace(/^\s*(?:[-*+]|\d{1,3}[.)]|>)\s+(?:\[[ x]\]\s+)?/, '\uE002'))
    .join('\n')
    .replace(/[*`]{1,3}/g, '')
    .replace(/(?<![\p{L}\p{N}])_+(?=\S)|(?<=\S)_+(?![\p{L}\p{N}])/gu, '')
}

function tagless(text: string): string {
  return text
    .replace(/<(script|style)[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<(title|h[1-6])[^>]*>[^<]*<\/\1>/gi, '\n\n')
    .replace(/<\/(p|div|li|tr|h\d)>/gi, '\n\n')
    .replace(/<[^>]+>/g, ' ')
}

function comments(text: string): string {
  const docstring = /^\s*(?:#!.*\n)?\s*(?:"""|''')([\s\S]*?)(?:"""|''')/.exec(text)?.[1]
  const block = /\/\*\*?([\s\S]*?)\*\//.exec(text)?.[1]?.replace(/^\s*\*\s?/gm, '')
  const lines = text
    .split('\n')
    .filter((line) => /^\s*(?:#(?!!)|\/\/|--|;)\s*\p{L}/u.test(line))
    .map((line) => line.replace(/^\s*(?:#|\/\/+|--|;)\s*/, ''))
  return [docstring, block, lines.join('\n')].filter((part) => part !== undefined).join('\n\n')
}

/** Sentences in order. A paragraph break, a list item and a full stop end one; a bare label is none. */
export function sentencesOf(text: string): readonly Sentence[] {
  return text
    .split(/\n\s*\n|\uE002/)
    .flatMap((paragraph) =>
      paragraph
        .replace(/\s+/g, ' ')
        .split(/(?<=[.?!]["')\]]?)\s+(?=["'(\p{Lu}\p{N}])/u)
        .map((s) => s.trim()),
    )
    .filter((s) => (s.match(/\p{L}{2,}/gu)?.length ?? 0) >= 2 && !/:$/.test(s))
    .map((s, order) => ({ text: s, order }))
}
