import { parseRoute, type Route, settingsSections } from '../routes.ts'

/** What a link in an answer may do. Nothing in an answer is ever fetched, and no address is opened unseen. */
export type LinkUse =
  /** Opens in the person's browser or mail program. `showsHost`: the text does not say where it leads. */
  | { readonly kind: 'external'; readonly url: string; readonly host: string; readonly showsHost: boolean }
  /** A place in this window. */
  | { readonly kind: 'place'; readonly route: Route; readonly label: string | null }
  /** Not a link that can be followed: its text is shown, with the address beside it where they differ. */
  | { readonly kind: 'text'; readonly address: string }

const ownPrefix = 'threadsmith://'

export function linkUse(address: string, text: string): LinkUse {
  if (address.startsWith(ownPrefix)) return ownPlace(address)
  const url = URL.canParse(address) ? new URL(address) : null
  if (url?.protocol === 'mailto:') return { kind: 'external', url: url.href, host: url.pathname, showsHost: false }
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.username !== '' || url.password !== '')
    return { kind: 'text', address }
  return { kind: 'external', url: url.href, host: url.host, showsHost: namesOtherHost(text, url.host) }
}

/** Only settings can be named from an answer: a link must not lead into other threads, let alone do anything. */
function ownPlace(address: string): LinkUse {
  const [screen, section] = address.slice(ownPrefix.length).split('/')
  if (screen !== 'settings' || !settingsSections.some((known) => known === section)) return { kind: 'text', address }
  const label = section === 'models' ? 'Connect a model' : null
  return { kind: 'place', route: parseRoute(`#/settings/${section}`), label }
}

/** A text that looks like an address of another host is how people are led astray. */
function namesOtherHost(text: string, host: string): boolean {
  const named = /(?:https?:\/\/)?((?:[\p{L}\p{N}-]+\.)+\p{L}{2,})/iu.exec(text)?.[1]
  return named !== undefined && named.toLowerCase() !== host.toLowerCase()
}
