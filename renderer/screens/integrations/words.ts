import type {
  CredentialCheck,
  CredentialState,
  Integration,
  IntegrationCredential,
} from '../../../core/domain/integration.ts'
import { limits } from '../../../core/domain/limits.ts'
import type { StatusLook } from '../../components/status.tsx'
import { credentialTitle } from '../../format/service-names.ts'
import { serverAddress } from '../../state/models.ts'

const stateLooks: Readonly<Record<CredentialState, StatusLook>> = {
  connected: { status: 'done', word: 'Connected' },
  missing: { status: 'queued', word: 'Not connected' },
  refused: { status: 'failed', word: 'Refused' },
  changed: { status: 'waiting', word: 'Enter again' },
  unreadable: { status: 'waiting', word: 'Cannot be read' },
}
const checkFailed: StatusLook = { status: 'failed', word: 'Check failed' }
const noneNeeded: StatusLook = { status: 'done', word: 'No key needed' }
/** What wants a person comes first. */
const worstFirst: readonly CredentialState[] = ['refused', 'changed', 'unreadable', 'missing', 'connected']

/** A service that was last seen to fail is not called connected, whyever it failed. */
export function credentialLook({ state, lastCheck }: Pick<IntegrationCredential, 'state' | 'lastCheck'>): StatusLook {
  return state === 'connected' && lastCheck?.ok === false ? checkFailed : stateLooks[state]
}

/** Of all that a skill needs, the one that is worst off. */
export function integrationLook({ credentials }: Pick<Integration, 'credentials'>): StatusLook {
  const states = worstFirst.flatMap((state) => credentials.filter((credential) => credential.state === state))
  const worst = states.find((credential) => credentialLook(credential) !== stateLooks.connected) ?? states[0]
  return worst === undefined ? noneNeeded : credentialLook(worst)
}

export function checkLook({ ok, status }: CredentialCheck): StatusLook {
  if (ok) return { status: 'done', word: 'It works' }
  return status === 401 || status === 403 ? stateLooks.refused : { status: 'failed', word: 'It did not work' }
}

/** Where in a request it stands. */
export function placeText({ place, placeName }: Pick<IntegrationCredential, 'place' | 'placeName'>): string {
  switch (place) {
    case 'bearer':
      return 'a bearer token, in the Authorization header'
    case 'header':
      return `the header ${placeName ?? ''}`.trim()
    case 'basic':
      return 'user name and password (Basic), in the Authorization header'
    case 'query':
      return `the parameter ${placeName ?? ''} of the address that is called`
  }
}

/** What goes to an address in the place of a host, and what becomes of what is kept. */
export function goesAlongText(
  { skill, credentials }: Pick<Integration, 'skill' | 'credentials'>,
  host: string,
): string {
  const along = credentials.filter(({ hosts }) => hosts.includes(host))
  const names = (some: typeof along) => some.map((each) => credentialTitle({ ...each, skill })).join(' and ')
  if (along.length === 0) return 'No key goes along.'
  const kept = along.filter(({ state }) => state !== 'missing' && state !== 'changed')
  const told =
    kept.length === 0
      ? ''
      : ` The ${names(kept)} kept now was entered for another place: it is deleted, and must be entered again.`
  return `The ${names(along)} goes there, and no longer to ${host}.${told}`
}

export function isUnencrypted(address: string): boolean {
  return address.startsWith('http:')
}

type Read<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly problem: string }

/** The base of a person's own server, as the engine takes it. */
export function addressOf(text: string): Read<string> {
  const address = serverAddress(text)
  if (address === null)
    return {
      ok: false,
      problem: 'An address begins with https:// or http://, as in https://github.example.com/api/v3.',
    }
  const { username, password, search, hash } = new URL(address)
  const isBare = username === '' && password === '' && search === '' && hash === ''
  return isBare
    ? { ok: true, value: address }
    : { ok: false, problem: 'Write it without user name, password, “?” and “#”.' }
}

/** A host to allow, as a browser writes its origin. `known`: those that are listed already. */
export function originOf(text: string, known: readonly string[]): Read<string> {
  const address = serverAddress(text)
  if (address === null)
    return { ok: false, problem: 'A host is written as in https://docs.example.com or http://192.168.1.20:8080.' }
  const { origin, pathname, search, hash } = new URL(address)
  if (pathname !== '/' || search !== '' || hash !== '')
    return { ok: false, problem: `A whole host is allowed, never a page of it: ${origin}` }
  if (known.includes(origin)) return { ok: false, problem: `${origin} is on the list already.` }
  if (known.length >= limits.httpOrigins)
    return { ok: false, problem: `${limits.httpOrigins} hosts are the most. Remove one that is not needed any more.` }
  return { ok: true, value: origin }
}
