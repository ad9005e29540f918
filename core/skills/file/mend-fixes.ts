import { sanitizeText } from '../../domain/text.ts'
import type { Diagnostic } from './diagnostic.ts'
import { withQuotedDescription } from './front-matter.ts'
import { headerOf, linesOf, type MendedLines, textOfLines, withHeader } from './mend-lines.ts'
import { withNameKey, withNameOf, withPlainName } from './mend-name.ts'

/** A file with one flaw less, and what that changes, in the words of an order. */
export interface Fix {
  readonly title: string
  readonly text: string
}
export interface FixAsked {
  readonly bytes: Uint8Array
  /** '' where the bytes are no UTF-8. */
  readonly text: string
  readonly folder: string
}

/** What may be tried against each flaw; whether it helps is for the parser to say. A flaw without one needs a person. */
export const fixes: Partial<Record<Diagnostic['code'], (asked: FixAsked) => Fix | null>> = {
  E_ENCODING: ({ bytes }) => fix('save it as UTF-8', utf16(bytes)),
  E_NUL: ({ bytes, text }) => fix('save it as UTF-8', utf16(bytes)) ?? fix('remove the NUL bytes', withoutNuls(text)),
  W_BOM: ({ text }) => fix('remove the byte order mark', text.replace(/^\ufeff/, '')),
  E_FM_MISSING: ({ text }) => fix('begin with the front matter', withFirstFence(text)),
  E_FM_ENGINE: ({ text }) => fix('open the front matter with --- alone', withPlainFence(text)),
  E_FM_UNCLOSED: ({ text }) => fix('close the front matter with ---', withClosingFence(text)),
  E_YAML_SYNTAX: ({ text }) => fix('indent with blanks in the place of tabs', inHeader(text, withoutTabs)),
  E_YAML_DUPKEY: ({ text }) => fix('remove the line that stands there twice', inHeader(text, withoutTwins)),
  W_YAML_COLON: ({ text }) => fix('put the description into quotes', inHeader(text, withQuotes)),
  E_NAME_MISSING: (asked) => keyed(asked, 'name') ?? named(asked),
  E_DESC_MISSING: (asked) => keyed(asked, 'description'),
  W_NAME_STYLE: (asked) =>
    named(asked) ?? fix('write the name in small letters with hyphens', inHeader(asked.text, withPlainName)),
  W_NAME_MISMATCH: (asked) => named(asked),
  W_HIDDEN_CHARS: ({ text }) => fix('remove the hidden characters', isNeeded(text) ? null : withoutHidden(text)),
}

function keyed({ text }: FixAsked, key: 'name' | 'description'): Fix | null {
  const edit = (lines: MendedLines) => withNameKey(lines, key)
  return fix(`write the key ${key} in small letters`, inHeader(text, edit))
}

function named({ text, folder }: FixAsked): Fix | null {
  const edit = (lines: MendedLines) => withNameOf(lines, folder)
  return fix('name it as its folder', inHeader(text, edit))
}

function fix(title: string, text: string | null): Fix | null {
  return text === null ? null : { title, text }
}

function inHeader(text: string, edit: (lines: MendedLines) => MendedLines | null): string | null {
  const lines = linesOf(text)
  const header = headerOf(lines)
  const edited = header === null ? null : edit(header)
  return edited === null ? null : withHeader(lines, edited)
}

/** Null where the bytes are not of this encoding. */
export function decoded(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

/** Only where the bytes themselves say so: by their mark, or by the fence that every file begins with. */
function utf16(bytes: Uint8Array): string | null {
  const starts = (...head: readonly number[]) => head.every((byte, at) => bytes[at] === byte)
  const isLittle = starts(0xff, 0xfe) || starts(0x2d, 0, 0x2d, 0, 0x2d, 0)
  const isBig = starts(0xfe, 0xff) || starts(0, 0x2d, 0, 0x2d, 0, 0x2d)
  if (!isLittle && !isBig) return null
  return decoded(bytes, isLittle ? 'utf-16le' : 'utf-16be')?.replace(/^\ufeff/, '') ?? null
}

/** Only behind a fence of this very encoding: in another one every second byte is a NUL, and the rest of them means else. */
function withoutNuls(text: string): string | null {
  return /^\ufeff?---[ \t]*[\r\n]/.test(text) ? text.replaceAll('\0', '') : null
}

function withPlainFence(text: string): string {
  return text.replace(/^(\ufeff?)---[ \t]*ya?ml[ \t]*(?=[\r\n])/i, '$1---')
}

/** Without the blank lines before the fence, and the blanks before it in its own line. */
function withFirstFence(text: string): string | null {
  const lines = linesOf(text.replace(/^\ufeff/, ''))
  const at = lines.findIndex(({ text: line }) => line.trim() !== '')
  const first = lines[at]
  if (first === undefined || first.text.trim() !== '---') return null
  return textOfLines([{ ...first, text: '---' }, ...lines.slice(at + 1)])
}

/** One line that was meant to be it, and nothing but keys before. */
function withClosingFence(text: string): string | null {
  const lines = linesOf(text)
  const meant = lines.flatMap(({ text: line }, at) =>
    at > 0 && /^[ \t]*(?:-{2,}|\.{3}|[–—]{1,3}-?)[ \t]*$/.test(line) ? [at] : [],
  )
  const [at = -1] = meant
  const isAmongKeys = lines
    .slice(1, at)
    .every(({ text: line }) => /^(?:[A-Za-z_][\w-]*:(?: .*)?|[ \t]+\S.*|- .*)$/.test(line))
  if (meant.length !== 1 || !isAmongKeys) return null
  return textOfLines(lines.map((line, each) => (each === at ? { ...line, text: '---' } : line)))
}

function withQuotes(lines: MendedLines): MendedLines | null {
  const texts = withQuotedDescription(lines.map(({ text }) => text).join('\n'))?.header.split('\n')
  return texts === undefined ? null : lines.map((line, at) => ({ ...line, text: texts[at] ?? '' }))
}

/** Where blanks indent as well, nobody knows how many of them a tab was meant to be. */
function withoutTabs(lines: MendedLines): MendedLines | null {
  if (lines.some(({ text }) => /^\t* +\t*\S/.test(text)) || !lines.some(({ text }) => text.startsWith('\t')))
    return null
  return lines.map((line) => ({ ...line, text: line.text.replace(/^\t+/, (tabs) => '  '.repeat(tabs.length)) }))
}

function withoutTwins(lines: MendedLines): MendedLines | null {
  const seen = new Set<string>()
  const left = lines.filter(({ text }, at) => {
    const isKey = /^[A-Za-z_][\w-]*:[ \t]+[^\s|>&*!]/.test(text) && !/^[ \t]/.test(lines[at + 1]?.text ?? '')
    if (!isKey) return true
    const isFirst = !seen.has(text)
    seen.add(text)
    return isFirst
  })
  return left.length === lines.length ? null : left
}

/** Hidden, but part of what is written: direction marks of scripts that run from right to left, and flags. */
function isNeeded(text: string): boolean {
  return /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]|\u{1f3f4}[\u{e0000}-\u{e007f}]/u.test(
    text,
  )
}

/** Without what no reader sees. */
export function withoutHidden(text: string): string {
  const known = new Map<string, string>()
  return text.replace(/[^\x20-\x7e\n\t\r]/gu, (character) => {
    const before = known.get(character)
    if (before !== undefined) return before
    const visible = sanitizeText(character) === character ? character : ''
    known.set(character, visible)
    return visible
  })
}
