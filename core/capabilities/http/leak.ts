import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Redactor } from '../../domain/leaks/redactor.ts'
import { detectContent, headBytes } from '../actions/files/encoding.ts'
import { refusal } from '../actions/refusal.ts'
import type { Outgoing } from './outgoing.ts'
import type { Upload } from './upload.ts'

interface Found {
  readonly what: string
  readonly start: number
  readonly end: number
}

/**
 * No key that is kept here, in whatever encoding, and nothing that looks like a secret leaves in what the model wrote; the
 * credential is added after this. @throws AppError http.leak
 */
export async function refuseLeaks(request: Outgoing, uploads: readonly Upload[], redactor: Redactor): Promise<void> {
  const parts: readonly (readonly [string, string])[] = [
    ['the URL', request.url.href],
    ...Object.entries(request.headers).map(([name, value]) => [`the header "${name}"`, `${name}: ${value}`] as const),
    ['the body', request.body?.text ?? ''],
    ...request.form.map(([name, value]) => [`the field "${name}"`, `${name}=${value}`] as const),
    ...uploads.map(({ file }) => [`the name of "${file.path}"`, [file.field, file.name, file.type].join(' ')] as const),
  ]
  for (const [where, text] of parts) {
    const [hit] = redactor.redact(text).hits
    if (hit !== undefined) throw leak(where, hit)
  }
  for (const { file, bytes } of uploads) {
    const hit = await leakInFile(bytes, redactor)
    if (hit !== undefined) throw leak(`the file "${file.path}"`, hit)
  }
}

/** Longer than any secret; a text is looked at piece by piece, so that a large one holds up nobody. */
const overlap = 32_768
const piece = 98_304

async function leakInFile(bytes: Buffer, redactor: Redactor): Promise<Found | undefined> {
  const kept = redactor.known.find(({ value }) => value.length >= shortest && bytes.includes(value))
  if (kept !== undefined) {
    const start = bytes.indexOf(kept.value)
    return { what: 'stored-key', start, end: start + kept.value.length }
  }
  // In other bytes a shape means nothing, and stands there by chance.
  if (detectContent(bytes.subarray(0, headBytes), bytes.length <= headBytes).kind === 'binary') return undefined
  const text = bytes.toString('utf8')
  for (let at = 0; at < text.length; at += piece - overlap) {
    const [hit] = redactor.redact(text.slice(at, at + piece)).hits
    if (hit !== undefined) return { what: hit.what, start: at + hit.start, end: at + hit.end }
    await nextTurn()
  }
  return undefined
}
const shortest = 8

function leak(where: string, { what, start, end }: Found) {
  return refusal(
    'http.leak',
    `${where.charAt(0).toUpperCase()}${where.slice(1)} holds what looks like a secret (${what}, characters ${start} to ${end}), so nothing was sent. Credentials are added to requests by themselves; leave it out.`,
    { where, what, start, end },
  )
}
