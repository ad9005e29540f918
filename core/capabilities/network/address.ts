import ipaddr from 'ipaddr.js'

/** Why a connection is refused: a closed list of its own beside the dotted codes (RULES 31). Source: corpora, ssrf. */
export type NetworkCode =
  | 'SSRF_6TO4'
  | 'SSRF_CGNAT'
  | 'SSRF_DNS'
  | 'SSRF_HOSTNAME'
  | 'SSRF_LINKLOCAL'
  | 'SSRF_LOOPBACK'
  | 'SSRF_MULTICAST'
  | 'SSRF_NAT64'
  | 'SSRF_PORT'
  | 'SSRF_PRIVATE'
  | 'SSRF_REDIRECTS'
  | 'SSRF_RESERVED'
  | 'SSRF_SCHEME'
  | 'SSRF_UNSPECIFIED'
  | 'SSRF_URL_CONFUSION'
  | 'SSRF_URL_INVALID'
  | 'SSRF_USERINFO'
  | 'SSRF_V4MAPPED'

const codes: Readonly<Record<string, NetworkCode>> = {
  unspecified: 'SSRF_UNSPECIFIED',
  loopback: 'SSRF_LOOPBACK',
  private: 'SSRF_PRIVATE',
  uniqueLocal: 'SSRF_PRIVATE',
  linkLocal: 'SSRF_LINKLOCAL',
  multicast: 'SSRF_MULTICAST',
  carrierGradeNat: 'SSRF_CGNAT',
  ipv4Mapped: 'SSRF_V4MAPPED',
  '6to4': 'SSRF_6TO4',
}

/** Null for an address of the public internet. `text` is an IPv4 or IPv6 address, without brackets. */
export function addressProblem(text: string): NetworkCode | null {
  // A zone names an interface of this machine.
  if (text.includes('%')) return 'SSRF_LINKLOCAL'
  if (!ipaddr.isValid(text)) return 'SSRF_URL_INVALID'
  const address = ipaddr.parse(text)
  const range = address.range()
  if (address instanceof ipaddr.IPv4) return range === 'unicast' ? null : (codes[range] ?? 'SSRF_RESERVED')
  return embeddedProblem(address, range) ?? (range === 'unicast' || range === 'rfc6052' ? null : ipv6Code(range))
}

function ipv6Code(range: string): NetworkCode {
  return codes[range] ?? 'SSRF_RESERVED'
}

/** An IPv6 address that stands for an IPv4 one leads where that one leads. */
function embeddedProblem(address: ipaddr.IPv6, range: string): NetworkCode | null {
  const bytes = address.toByteArray()
  // The translator of an IPv6-only network: what it leads to may be public.
  if (range === 'rfc6052') return addressProblem(lastFour(bytes)) === null ? null : 'SSRF_NAT64'
  // RFC 8215: a prefix for translators inside a network.
  if (address.match(localTranslator, 48)) return 'SSRF_NAT64'
  // Deprecated and never routed, but systems still connect to what it holds; the library calls it unicast.
  const isCompatible = bytes.slice(0, 12).every((byte) => byte === 0)
  if (isCompatible && range === 'unicast') return addressProblem(lastFour(bytes)) ?? 'SSRF_RESERVED'
  // Site-local, deprecated: the library calls it unicast.
  return address.match(siteLocal, 10) ? 'SSRF_PRIVATE' : null
}

const localTranslator = ipaddr.IPv6.parse('64:ff9b:1::')
const siteLocal = ipaddr.IPv6.parse('fec0::')

function lastFour(bytes: readonly number[]): string {
  return bytes.slice(12).join('.')
}
