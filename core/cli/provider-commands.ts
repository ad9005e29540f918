import { hostedKinds, isBareAddress } from '../domain/model.ts'
import { type Line, none, only, text, wrongUsage } from './line.ts'

/** What can be added by name; the others live inside the engine. */
export const addedKinds = ['openai-compatible', 'ollama', ...hostedKinds] as const
export type AddedKind = (typeof addedKinds)[number]

export type ProviderCommand =
  | { readonly name: 'provider list' }
  | { readonly name: 'provider add'; readonly kind: AddedKind; readonly url?: string; readonly title?: string }
  | { readonly name: 'provider key' | 'provider remove'; readonly id: string }

export function providerCommand(name: ProviderCommand['name'], line: Line): ProviderCommand {
  const { rest, values } = line
  switch (name) {
    case 'provider list':
      none(rest)
      return { name }
    case 'provider add': {
      const wanted = only(rest, `one of ${addedKinds.join(', ')}`)
      const kind = addedKinds.find((each) => each === wanted)
      if (kind === undefined) throw wrongUsage(`provider add takes one of ${addedKinds.join(', ')}`)
      const [url, title] = [text(values, 'url'), text(values, 'title')]
      if (url === undefined && kind === 'openai-compatible') throw wrongUsage(`provider add ${kind} takes --url`)
      if (url !== undefined && !isWebAddress(url))
        throw wrongUsage('--url takes an address that begins with http:// or https://')
      if (url !== undefined && !isBareAddress(url))
        throw wrongUsage(
          '--url takes an address without user name, password, “?” or “#”, because it is stored as it is: the key goes to `provider key <id>` afterwards',
        )
      return { name, kind, ...(url !== undefined && { url }), ...(title !== undefined && { title }) }
    }
    case 'provider key':
    case 'provider remove':
      return { name, id: only(rest, 'the id of a provider, as `provider list` shows it') }
  }
}

function isWebAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
}
