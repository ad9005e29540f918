import { limits } from '../../domain/limits.ts'
import { type Diagnostic, Rejection } from './diagnostic.ts'

/** A SKILL.md taken apart. Lines count from 1. */
export interface SkillParts {
  /** Between the fences, LF only. */
  readonly header: string
  /** The line of the file that the header begins on. */
  readonly headerLine: number
  /** After the closing fence, LF only. */
  readonly body: string
  readonly bodyLine: number
  readonly warnings: readonly Diagnostic[]
}

/** @throws Rejection for what is no SKILL.md at all, in the order of RULES 15: size, encoding, NUL, fence, header size. */
export function sourceOf(bytes: Uint8Array): SkillParts {
  if (bytes.byteLength > limits.skillFileBytes) {
    throw new Rejection('E_TOO_LARGE', null, `The file is larger than ${limits.skillFileBytes / 1_048_576} MiB.`)
  }
  const { text, hasMark } = decoded(bytes)
  const nul = text.indexOf('\0')
  if (nul >= 0) throw new Rejection('E_NUL', lineAt(text, nul), 'There is a NUL byte in the file; no text holds one.')
  const warnings: Diagnostic[] = hasMark
    ? [{ code: 'W_BOM', line: 1, message: 'The file begins with a byte order mark; it was left out.' }]
    : []
  return { ...parted(text.replace(/\r\n?/g, '\n')), warnings }
}

function decoded(bytes: Uint8Array): { readonly text: string; readonly hasMark: boolean } {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), hasMark }
  } catch {
    throw new Rejection('E_ENCODING', null, 'The file is not UTF-8. Save it as UTF-8 without a byte order mark.')
  }
}

/** A file may be a million lines: only those of the header are looked at one by one. */
function parted(text: string): Omit<SkillParts, 'warnings'> {
  const firstEnd = text.indexOf('\n')
  const first = firstEnd < 0 ? text : text.slice(0, firstEnd)
  if (/^---[ \t]*[^\s-]/.test(first)) {
    throw new Rejection('E_FM_ENGINE', 1, 'Only YAML is read: nothing may stand after the opening ---.')
  }
  if (!/^---[ \t]*$/.test(first)) {
    throw new Rejection('E_FM_MISSING', 1, 'The first line must be ---, with name and description below it.')
  }
  const close = firstEnd < 0 ? null : closingFence(text, firstEnd)
  if (close === null)
    throw new Rejection('E_FM_UNCLOSED', 1, 'The front matter has no closing --- on a line of its own.')
  const header = text.slice(firstEnd + 1, Math.max(close.from, firstEnd + 1))
  if (Buffer.byteLength(header) > limits.skillHeaderBytes) {
    throw new Rejection('E_LIMIT', 1, `The front matter is larger than ${limits.skillHeaderBytes / 1_024} KiB.`)
  }
  const headerLines = close.from === firstEnd ? 0 : header.split('\n').length
  return { header, headerLine: 2, body: text.slice(close.to), bodyLine: headerLines + 3 }
}

/** From the line break before it to behind its own, the first after `firstEnd`. */
function closingFence(text: string, firstEnd: number): { readonly from: number; readonly to: number } | null {
  const fence = /\n---[ \t]*(?:\n|$)/g
  fence.lastIndex = firstEnd
  const found = fence.exec(text)
  return found === null ? null : { from: found.index, to: fence.lastIndex }
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split(/\r\n?|\n/).length
}
