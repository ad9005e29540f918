import { refusal } from '../actions/refusal.ts'
import type { HttpAccess } from './access.ts'
import { competingPart, credentialFor, type HttpCredential } from './credential.ts'
import { isSafe, type Outgoing } from './outgoing.ts'

/** Where a request really goes, and what goes along. */
export interface Place {
  /** As it is sent: with the person's own server in the place of the host where they set one. */
  readonly url: URL
  /** Of the person's own server; null where the host itself is asked. */
  readonly address: string | null
  readonly credential: HttpCredential | null
  /** An active skill or the person named the host. */
  readonly isListed: boolean
}

/** Pure but for `access`. @throws AppError http.header where the request brings a credential of its own; http.scheme */
export function placeOf(request: Outgoing, threadId: string, access: HttpAccess): Place {
  const skills = access.ofThread(threadId)
  const { url } = request
  const host = url.hostname.toLowerCase().replace(/\.$/, '')
  const credential = credentialFor(
    url,
    skills.flatMap((skill) => skill.credentials),
  )
  if (credential !== undefined) refuseCompeting(request, credential)
  const speaks = (skill: (typeof skills)[number]) =>
    skill.openHosts.includes(host) || skill.credentials.some(({ hosts }) => hosts.includes(host))
  const of = skills.find((skill) => skill.skill === credential?.skill) ?? skills.find(speaks)
  const isPlainAddress = url.protocol === 'https:' && url.port === ''
  const base = isPlainAddress ? of?.addresses[host] : undefined
  const isOwn = access.origins().includes(url.origin)
  if (base === undefined && url.protocol === 'http:' && !isOwn) throw unencrypted(url)
  const target = base === undefined ? url : new URL(`${base}${url.pathname}${url.search}`)
  // A skill from elsewhere says how its service is called, and not that it may be asked.
  const isListed = isOwn || (isPlainAddress && of?.isTrusted === true)
  return { url: target, address: base ?? null, credential: credential ?? null, isListed }
}

function refuseCompeting(request: Outgoing, credential: HttpCredential): void {
  const part = competingPart({ url: request.url.href, headers: request.headers }, credential)
  if (part === undefined) return
  throw refusal(
    'http.header',
    `Leave out "${part}": the credential ${credential.name} is added to requests to ${request.url.host} by itself.`,
    { part, credential: credential.name },
  )
}

function unencrypted({ protocol, origin }: URL) {
  return refusal(
    'http.scheme',
    `${origin} is ${protocol.slice(0, -1)} without encryption, and the user has not allowed it. Use https, or tell the user to add ${origin} to the hosts they allow, under Integrations.`,
    { origin },
  )
}

/**
 * What a standing approval of this request would cover: reading one host; with a key one part of it, because some services
 * change things by a GET; or one kind of change of one thing.
 */
export function scopeKeyFor({ method, url }: Outgoing, hasKey: boolean): string {
  if (!isSafe(method)) return `${method} ${url.host}${url.pathname}`
  const part = hasKey ? url.pathname.split('/').slice(0, 3).join('/').replace(/\/$/, '') : ''
  return `GET ${url.host}${part}`
}
