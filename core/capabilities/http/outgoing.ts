import { z } from 'zod'
import type { Json } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { flag, listOf, pathText, wholeNumber } from '../actions/parameters.ts'
import { refusal } from '../actions/refusal.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type HttpMethod = (typeof methods)[number]

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()])
const pairs = z.record(z.string().min(1).max(200), z.union([scalar, z.array(scalar)]))
const file = z.strictObject({
  field: z.string().min(1).max(200).default('file'),
  path: pathText.min(1),
  name: z.string().min(1).max(255).optional(),
  type: z.string().min(1).max(200).optional(),
})

export const httpParameters = z.strictObject({
  method: z
    .preprocess((value) => (typeof value === 'string' ? value.toUpperCase() : value), z.enum(methods))
    .default('GET'),
  url: z.string().min(1).max(limits.httpUrlCharacters),
  query: pairs.optional().describe('Added to the URL, encoded.'),
  headers: z.record(z.string().min(1).max(200), scalar).optional(),
  body: z.json().optional().describe('Text, or data that is sent as JSON.'),
  json: z.json().optional().describe('The same as body, always as JSON.'),
  form: pairs.optional().describe('Form fields; multipart with files.'),
  files: listOf(file, limits.httpUploadFiles).optional().describe('Files of the project to upload.'),
  save_to: pathText.min(1).optional().describe('Saves the answer as a file of the project instead of returning it.'),
  overwrite: flag().default(false).describe('save_to may replace a file. Default false.'),
  timeout_seconds: wholeNumber(1, limits.httpMostMs / 1_000).default(limits.httpMs / 1_000),
})
export type HttpParameters = z.output<typeof httpParameters>
export type UploadFile = z.output<typeof file>

/** What is sent besides files. `type` is the content type; null where the form says it with its own boundary. */
export interface OutgoingBody {
  readonly text: string
  readonly type: string
}

/** A request as its author wrote it, without any credential. */
export interface Outgoing {
  readonly method: HttpMethod
  /** With the query. */
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: OutgoingBody | null
  readonly form: readonly (readonly [string, string])[]
  readonly files: readonly UploadFile[]
}

/** Only reads, by the meaning of its method (RFC 9110, safe methods). */
export function isSafe(method: HttpMethod): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Pure. @throws AppError action.args | http.header */
export function outgoingOf(asked: HttpParameters): Outgoing {
  const { method, files = [], form } = asked
  const headers = headersOf(asked.headers ?? {})
  const url = urlOf(asked)
  const body = bodyOf(asked, headers)
  if (body !== null && (form !== undefined || files.length > 0)) {
    throw refusal('action.args', 'Give a body, or a form with files, not both.')
  }
  if (isSafe(method) && (body !== null || form !== undefined || files.length > 0)) {
    throw refusal('action.args', `${method} has no body. Put the values into the query, or use POST.`)
  }
  return { method, url, headers, body, files, form: pairsOf(form ?? {}) }
}

function urlOf({ url: typed, query }: HttpParameters): URL {
  if (!URL.canParse(typed)) {
    throw refusal('action.args', `"${typed}" is no whole URL. Write it with https:// and the host.`)
  }
  const url = new URL(typed)
  for (const [name, value] of pairsOf(query ?? {})) url.searchParams.append(name, value)
  url.hash = ''
  if (url.href.length <= limits.httpUrlCharacters) return url
  throw refusal(
    'action.args',
    `The URL with its query has ${url.href.length} characters; ${limits.httpUrlCharacters} fit.`,
  )
}

/** A list becomes the same name several times; null is left out. */
function pairsOf(given: z.output<typeof pairs>): readonly (readonly [string, string])[] {
  return Object.entries(given).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((each) => (each === null ? [] : [[name, String(each)] as const])),
  )
}

/** Headers that say how the bytes travel: the connection's own business. */
const ownHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

function headersOf(given: Readonly<Record<string, z.output<typeof scalar>>>): Outgoing['headers'] {
  const headers: Record<string, string> = { 'user-agent': 'Threadsmith' }
  for (const [typed, value] of Object.entries(given)) {
    const name = typed.toLowerCase()
    if (value === null) continue
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name)) throw wrongHeader(typed, 'is no name of a header')
    if (ownHeaders.has(name)) throw wrongHeader(typed, 'is set by the connection itself; leave it out')
    const text = String(value)
    // A line break would begin another header.
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(text))
      throw wrongHeader(typed, 'holds a line break or a character that no header may hold')
    headers[name] = text
  }
  return headers
}

function wrongHeader(name: string, why: string) {
  return refusal('http.header', `The header "${name}" ${why}.`)
}

const jsonType = 'application/json'

function bodyOf({ body, json }: HttpParameters, headers: Outgoing['headers']): OutgoingBody | null {
  if (json !== undefined && body !== undefined) throw refusal('action.args', 'Give body or json, not both.')
  const value: Json | undefined = json ?? body
  if (value === undefined) return null
  const type = headers['content-type']
  if (json === undefined && typeof value === 'string') {
    return { text: value, type: type ?? (isJsonText(value) ? jsonType : 'text/plain;charset=utf-8') }
  }
  return { text: JSON.stringify(value), type: type ?? jsonType }
}

/** Models often send data as text that they have made JSON of themselves. */
function isJsonText(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
