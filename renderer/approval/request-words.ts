import type { Change } from '../../core/domain/approval.ts'
import { credentialTitle } from '../format/service-names.ts'

type RequestChange = Extract<Change, { kind: 'request' }>

/** Which credential goes along, in words; its value is nowhere in the record. */
export function credentialText(credential: RequestChange['credential']): string {
  return credential === null ? 'none goes along' : `with your ${credentialTitle(credential)}`
}

/** A URL around its host. One that does not hold it is shown as it is. */
export function urlParts({ url, host }: Pick<RequestChange, 'url' | 'host'>) {
  const at = url.toLowerCase().indexOf(`//${host.toLowerCase()}`)
  if (host === '' || at < 0) return { before: '', host: '', after: url }
  const start = at + 2
  return {
    before: url.slice(0, start),
    host: url.slice(start, start + host.length),
    after: url.slice(start + host.length),
  }
}

/** Where it really goes counts. */
export function isPlainHttp({ url, address }: Pick<RequestChange, 'url' | 'address'>): boolean {
  return (address ?? url).toLowerCase().startsWith('http:')
}

type RequestBody = NonNullable<RequestChange['body']>

export function isWhole({ text, bytes }: RequestBody): boolean {
  return new TextEncoder().encode(text).length >= bytes
}

/** JSON with its lines and indents, where it is JSON and whole; any other text as it stands. */
export function bodyTextOf(body: RequestBody): string {
  const { type, text } = body
  if (!/[/+]json\b/i.test(type) || !isWhole(body)) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
