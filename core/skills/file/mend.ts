import { sanitizeText } from '../../domain/text.ts'
import type { Diagnostic } from './diagnostic.ts'
import { withQuotedDescription } from './front-matter.ts'
import { headerOf, linesOf, type MendedLines, textOfLines, withHeader } from './mend-lines.ts'
import { withNameKey, withNameOf, withPlainName } from './mend-name.ts'
import { parseSkill, type SkillVerdict } from './parse.ts'

/** What one click would write in the place of a file, and what that changes, in words. */
export interface Mend {
  readonly title: string
  /** The file as it reads now, to be shown beside it. */
  readonly before: string
  readonly text: string
}

/**
 * A change of a SKILL.md that needs no guess: every flaw that can be taken away without a person is gone, none came, and the
 * skill is otherwise what it was. Null where there is none, or where the file still could not be used. Writes nothing.
 */
export function mendOf(bytes: Uint8Array, folder: string): Mend | null {
  let draft: Draft = { bytes, verdict: parseSkill(bytes, folder), titles: [] }
  for (let round = 0; round < mostRounds; round += 1) {
    const next = mendedOnce(draft, folder)
    if (next === null) break
    draft = next
  }
  if (draft.titles.length === 0 || draft.verdict.outcome === 'reject') return null
  const read = (some: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(some)
  return { title: sentence(draft.titles), before: read(bytes), text: read(draft.bytes) }
}
/** More flaws than there are kinds of them cannot be taken away. */
const mostRounds = 12

interface Draft {
  readonly bytes: Uint8Array
  readonly verdict: SkillVerdict
  readonly titles: readonly string[]
}

interface Fix {
  readonly title: string
  readonly text: string
}
interface Asked {
  readonly bytes: Uint8Array
  /** '' where the bytes are no UTF-8. */
  readonly text: string
  readonly folder: string
}

/** With one flaw less, or null. */
function mendedOnce(draft: Draft, folder: string): Draft | null {
  const asked: Asked = { bytes: draft.bytes, text: decoded(draft.bytes, 'utf-8') ?? '', folder }
  for (const { code } of draft.verdict.diagnostics) {
    const fix = fixes[code]?.(asked) ?? null
    if (fix === null) continue
    const bytes = new TextEncoder().encode(fix.text)
    const verdict = parseSkill(bytes, folder)
    if (isBetter(code, draft.verdict, verdict)) return { bytes, verdict, titles: [...draft.titles, fix.title] }
  }
  return null
}

/** The flaw is gone. Of a file that was refused nobody knows what else it has; one that could be used has nothing new. */
function isBetter(code: Diagnostic['code'], before: SkillVerdict, after: SkillVerdict): boolean {
  const left = after.diagnostics.map((each) => each.code)
  if (left.includes(code)) return false
  if (before.outcome === 'reject') return true
  const known = before.diagnostics.map((each) => each.code)
  return after.outcome !== 'reject' && left.every((each) => known.includes(each)) && isSame(before, after)
}

type Usable = Exclude<SkillVerdict, { readonly outcome: 'reject' }>

/** Whatever was mended: nothing but the name may differ from what a reader saw. */
function isSame({ skill: before }: Usable, { skill: after }: Usable): boolean {
  const seen = ({ description, body, fields }: Usable['skill']) =>
    withoutHidden(JSON.stringify([description, body, fields]))
  return seen(before) === seen(after)
}

const fixes: Partial<Record<Diagnostic['code'], (asked: Asked) => Fix | null>> = {
  E_ENCODING: ({ bytes }) => fix('save it as UTF-8', utf16(bytes)),
  E_NUL: ({ bytes, text }) => fix('save it as UTF-8', utf16(bytes)) ?? fix('remove the NUL bytes', withoutNuls(text)),
  W_BOM: ({ text }) => fix('remove the byte order mark', text.replace(/^\ufeff/, '')),
  E_FM_MISSING: ({ text }) => fix('begin with the front matter', withFirstFence(text)),
  E_FM_ENGINE: ({ text }) =>
    fix('open the front matter with --- alone', text.replace(/^(\ufeff?)---[ \t]*ya?ml[ \t]*(?=[\r\n])/i, '$1---')),
  E_FM_UNCLOSED: ({ text }) => fix('close the front matter with ---', withClosingFence(text)),
  E_YAML_SYNTAX: ({ text }) => fix('indent with blanks in the place of tabs', inHeader(text, withoutTabs)),
  E_YAML_DUPKEY: ({ text }) => fix('remove the line that stands there twice', inHeader(text, withoutTwins)),
  W_YAML_COLON: ({ text }) => fix('put the description into quotes', inHeader(text, withQuotes)),
  E_NAME_MISSING: ({ text, folder }) =>
    fix(
      'write the key name in small letters',
      inHeader(text, (lines) => withNameKey(lines, 'name')),
    ) ??
    fix(
      'name it as its folder',
      inHeader(text, (lines) => withNameOf(lines, folder)),
    ),
  E_DESC_MISSING: ({ text }) =>
    fix(
      'write the key description in small letters',
      inHeader(text, (lines) => withNameKey(lines, 'description')),
    ),
  W_NAME_STYLE: ({ text, folder }) =>
    fix(
      'name it as its folder',
      inHeader(text, (lines) => withNameOf(lines, folder)),
    ) ?? fix('write the name in small letters with hyphens', inHeader(text, withPlainName)),
  W_NAME_MISMATCH: ({ text, folder }) =>
    fix(
      'name it as its folder',
      inHeader(text, (lines) => withNameOf(lines, folder)),
    ),
  W_HIDDEN_CHARS: ({ text }) => fix('remove the hidden characters', isNeeded(text) ? null : withoutHidden(text)),
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

function decoded(bytes: Uint8Array, encoding: string): string | null {
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

function withFirstFence(text: string): string | null {
  const start = /^(?:[ \t]*(?:\r\n|\r|\n))*[ \t]*(?=---[ \t]*[\r\n])/.exec(text.replace(/^\ufeff/, ''))
  return start === null ? null : text.replace(/^\ufeff/, '').slice(start[0].length)
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
  const isKey = (at: number) =>
    /^[A-Za-z_][\w-]*:[ \t]+[^\s|>&*!]/.test(lines[at]?.text ?? '') && !/^[ \t]/.test(lines[at + 1]?.text ?? '')
  const left = lines.filter(
    ({ text }, at) => !isKey(at) || lines.findIndex((line, first) => isKey(first) && line.text === text) === at,
  )
  return left.length === lines.length ? null : left
}

/** Hidden, but part of what is written: direction marks of scripts that run from right to left, and flags. */
function isNeeded(text: string): boolean {
  return /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]|\u{1f3f4}[\u{e0000}-\u{e007f}]/u.test(
    text,
  )
}

function withoutHidden(text: string): string {
  return text.replace(/[^\x20-\x7e\n\t\r]/gu, (character) => (sanitizeText(character) === character ? character : ''))
}

/** `Save it as UTF-8 and put the description into quotes`. */
function sentence(titles: readonly string[]): string {
  const all = [...new Set(titles)]
  const text = [all.slice(0, -1).join(', '), ...all.slice(-1)].filter((part) => part !== '').join(' and ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
