import { isIP } from 'node:net'
import { parse } from 'tldts'

/** True for the whole name of one host: no wildcard, no address, no port, and nothing that many owners share. */
export function isCredentialHost(host: string): boolean {
  if (!/^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]*[a-z0-9])$/.test(host)) return false
  if (isIP(host) > 0) return false
  // Without a domain it is a public suffix itself: `co.uk`, `github.io`.
  const { domain, isIcann, isPrivate } = parse(host, { allowPrivateDomains: true })
  return domain !== null && (isIcann === true || isPrivate === true)
}

/** True for an address that a credential of these hosts may go to: its whole host, the default port, no user in it. */
export function isOnHosts(address: string, hosts: readonly string[]): boolean {
  const url = URL.parse(address)
  return url?.protocol === 'https:' && url.username === '' && url.port === '' && hosts.includes(url.hostname)
}
