/** Where a credential stands in a request. Source: seed E, `credentials` of a SKILL.md. */
export type CredentialLocation =
  | { readonly type: 'bearer' }
  | { readonly type: 'header'; readonly name: string; readonly prefix: string }
  | { readonly type: 'basic'; readonly username: string }
  | { readonly type: 'query'; readonly name: string }

/** A credential as a skill declares it. Its value is in the keychain. */
export interface HttpCredential {
  readonly name: string
  readonly provider: string
  /** The skill that declares it. */
  readonly skill: string
  readonly location: CredentialLocation
  /** Whole names of hosts, lower case. */
  readonly hosts: readonly string[]
  /** It goes along only below one of these paths; empty: below all. */
  readonly pathPrefixes: readonly string[]
}

interface Addressed {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * The credential for a URL as the skill writes it: https, its default port, the exact host and path. Anything else gets none.
 * Where that host has an address of the person's own, the request goes there, credential and all.
 */
export function credentialFor(url: URL, credentials: readonly HttpCredential[]): HttpCredential | undefined {
  if (url.protocol !== 'https:' || url.port !== '') return undefined
  const host = hostOf(url)
  return credentials.find(
    ({ hosts, pathPrefixes }) =>
      hosts.includes(host) &&
      (pathPrefixes.length === 0 || pathPrefixes.some((prefix) => isBelow(url.pathname, prefix))),
  )
}

/** As names are compared: `SLACK.COM.` and `slack.com` are one host. */
function hostOf(url: URL): string {
  return url.hostname.toLowerCase().replace(/\.$/, '')
}

function isBelow(path: string, prefix: string): boolean {
  // An encoded dot or slash could lead out of the prefix once a server decodes it.
  if (/%(?:2e|2f|5c)/i.test(path)) return false
  const folder = prefix.endsWith('/') ? prefix : `${prefix}/`
  return path === prefix || path.startsWith(folder)
}

/** Headers by which a caller would bring a credential of its own to a host that has one. */
const ownCredentials: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'x-api-key',
  'api-key',
  'x-auth-token',
])

/** The header or query parameter of a request that would stand in for the credential; undefined where there is none. */
export function competingPart({ url, headers }: Addressed, { location }: HttpCredential): string | undefined {
  const own = location.type === 'header' ? location.name.toLowerCase() : 'authorization'
  const header = Object.keys(headers).find(
    (name) => ownCredentials.has(name.toLowerCase()) || name.toLowerCase() === own,
  )
  if (header !== undefined || location.type !== 'query') return header
  return new URL(url).searchParams.has(location.name) ? location.name : undefined
}

/** The request with the value in its place. What comes out must go nowhere but onto the wire. */
export function withCredential<Request extends Addressed>(
  request: Request,
  { location }: HttpCredential,
  value: string,
): Request {
  switch (location.type) {
    case 'bearer':
      return withHeader(request, 'authorization', `Bearer ${value}`)
    case 'header':
      return withHeader(request, location.name, `${location.prefix}${value}`)
    case 'basic': {
      const pair = location.username === '' ? value : `${location.username}:${value}`
      return withHeader(request, 'authorization', `Basic ${Buffer.from(pair).toString('base64')}`)
    }
    case 'query': {
      const url = new URL(request.url)
      url.searchParams.set(location.name, value)
      return { ...request, url: url.href }
    }
  }
}

function withHeader<Request extends Addressed>(request: Request, name: string, value: string): Request {
  return { ...request, headers: { ...request.headers, [name]: value } }
}
