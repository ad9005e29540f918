import { typeByMagic } from './file-type.ts'

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be'

/** What the first bytes of a file look like. `bomBytes` stand before the text. */
export type Content =
  | { readonly kind: 'text'; readonly encoding: Encoding; readonly bomBytes: number }
  | { readonly kind: 'otherEncoding'; readonly looksLike: string }
  | { readonly kind: 'binary'; readonly type: string }

/** Bytes that `detectContent` wants to see. */
export const headBytes = 8_192

/** Judges by byte order mark, then by magic bytes, NULs and well-formedness. `isWhole`: `head` is the whole file. */
export function detectContent(head: Buffer, isWhole: boolean): Content {
  if (startsWith(head, [0xff, 0xfe, 0, 0])) return { kind: 'otherEncoding', looksLike: 'UTF-32LE' }
  if (startsWith(head, [0xef, 0xbb, 0xbf])) return { kind: 'text', encoding: 'utf-8', bomBytes: 3 }
  if (startsWith(head, [0xff, 0xfe])) return { kind: 'text', encoding: 'utf-16le', bomBytes: 2 }
  if (startsWith(head, [0xfe, 0xff])) return { kind: 'text', encoding: 'utf-16be', bomBytes: 2 }
  const type = typeByMagic(head)
  if (type !== undefined) return { kind: 'binary', type }
  if (head.includes(0)) return withNuls(head)
  if (isUtf8(head, isWhole)) return { kind: 'text', encoding: 'utf-8', bomBytes: 0 }
  if (countControls(head) > head.length / 50) return { kind: 'binary', type: 'binary data of an unknown type' }
  return { kind: 'otherEncoding', looksLike: singleByteGuess }
}

/** Named where bytes are text but not UTF-8: the two differ in a few signs only and cannot be told apart. */
export const singleByteGuess = 'Windows-1252 or ISO-8859-1'

function startsWith(head: Buffer, bytes: readonly number[]): boolean {
  return bytes.every((byte, at) => head[at] === byte)
}

// Latin text in UTF-16 has a NUL in every second byte, and next to none in the others.
function withNuls(head: Buffer): Content {
  const nuls: [even: number, odd: number] = [0, 0]
  for (let at = 0; at < head.length; at += 1) if (head[at] === 0) nuls[at % 2 === 0 ? 0 : 1] += 1
  const half = head.length / 2
  const [even, odd] = nuls
  if (odd > half * 0.4 && even < half * 0.05) return { kind: 'otherEncoding', looksLike: 'UTF-16LE without its mark' }
  if (even > half * 0.4 && odd < half * 0.05) return { kind: 'otherEncoding', looksLike: 'UTF-16BE without its mark' }
  return { kind: 'binary', type: 'binary data of an unknown type' }
}

function isUtf8(head: Buffer, isWhole: boolean): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: !isWhole })
    return true
  } catch {
    return false
  }
}

function countControls(head: Buffer): number {
  return head.reduce((count, byte) => count + (byte < 32 && ![9, 10, 12, 13, 27].includes(byte) ? 1 : 0), 0)
}
