import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { addressProblem, type NetworkCode } from './address.ts'

export interface Refusal {
  readonly ok: false
  readonly code: NetworkCode
  /** A sentence for the person and the model; nothing of a secret can be in it. */
  readonly reason: string
}
/** One request may connect to these addresses and to no other. `host` is without brackets and trailing dot. */
export interface Target {
  readonly ok: true
  readonly url: URL
  readonly host: string
  readonly addresses: readonly string[]
}

/** All addresses of a name. @throws when it has none. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>

/** As this computer finds addresses: hosts file and name servers. */
export const systemResolve: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address)

export interface Checking {
  readonly resolve: Resolve
  readonly signal: AbortSignal
  /** True for an origin of the person's own network that they named themselves. Without it there is none. */
  readonly isOwn?: (url: URL) => boolean
}

/**
 * What a URL leads to, with every address checked: the network layer, apart from any policy. A name with one address that is
 * not public is refused whole. Whoever connects must use `addresses`, or a second look-up could answer otherwise.
 * @throws what `signal` carries.
 */
export async function checkTarget(
  typed: string,
  { resolve, signal, isOwn = () => false }: Checking,
): Promise<Target | Refusal> {
  const parsed = parseUrl(typed)
  if (!parsed.ok) return parsed
  const { url, host } = parsed
  const isTheirs = isOwn(url)
  if (!isTheirs && isOwnName(host)) {
    return refusal('SSRF_HOSTNAME', `${host} is a name of this computer or its network`)
  }
  const found = isIP(host) > 0 ? [host] : await resolved(host, resolve, signal)
  if (found.length === 0) return refusal('SSRF_DNS', `The name ${host} has no address`)
  for (const address of found) {
    const code = addressProblem(address)
    if (code !== null && !isTheirs)
      return refusal(code, `${host} leads to ${address}, which is not on the public internet`)
  }
  return { ok: true, url, host, addresses: found }
}

/** The system’s own look-up takes no signal, and may take minutes. */
function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

async function resolved(host: string, resolve: Resolve, signal: AbortSignal): Promise<readonly string[]> {
  try {
    return await Promise.race([resolve(host, signal), whenAborted(signal)])
  } catch {
    signal.throwIfAborted()
    return []
  }
}

/** Everything that can be said of a URL before a name is looked up. */
function parseUrl(typed: string): Omit<Target, 'addresses'> | Refusal {
  const authority = /^\s*[a-z][a-z0-9+.-]*:[/\\]*([^/?#]*)/i.exec(typed)?.[1] ?? ''
  // Parsers disagree on where the host ends; ours must not be the lenient one.
  if (authority.includes('\\')) return refusal('SSRF_URL_CONFUSION', 'The URL has a backslash before its path')
  if (!URL.canParse(typed)) return refusal('SSRF_URL_INVALID', 'That is not a whole URL')
  const url = new URL(typed)
  const { protocol, username, password, port } = url
  if (protocol !== 'http:' && protocol !== 'https:') {
    return refusal('SSRF_SCHEME', `Only http and https are spoken here, not ${protocol.slice(0, -1)}`)
  }
  if (username !== '' || password !== '') {
    return refusal('SSRF_USERINFO', 'The URL holds a user name or password; a credential never stands in a URL')
  }
  if (badPorts.has(Number(port))) return refusal('SSRF_PORT', `Port ${port} belongs to another protocol than HTTP`)
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (host === '') return refusal('SSRF_URL_INVALID', 'The URL names no host')
  return { ok: true, url, host }
}

function refusal(code: NetworkCode, reason: string): Refusal {
  return { ok: false, code, reason: `${reason}. Nothing was sent.` }
}

/** Names that never belong to the public internet (RFC 6761, 6762, 8375, 9476 and ICANN's .internal). */
function isOwnName(host: string): boolean {
  const last = host.slice(host.lastIndexOf('.') + 1)
  return ownEndings.has(last) || host === 'home.arpa' || host.endsWith('.home.arpa')
}
const ownEndings: ReadonlySet<string> = new Set(['localhost', 'local', 'internal', 'onion', 'alt', 'test', 'invalid'])

/** Ports that no browser fetches from. Source: fetch.spec.whatwg.org, "bad port". */
const badPorts: ReadonlySet<number> = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
])
