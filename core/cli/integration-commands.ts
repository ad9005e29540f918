import { isBareAddress } from '../domain/model.ts'
import { type Line, none, text, wrongUsage } from './line.ts'

export type IntegrationCommand =
  | { readonly name: 'integration list' }
  | {
      readonly name: 'integration connect' | 'integration test' | 'integration disconnect'
      readonly skill: string
      /** Where the skill has one only, it need not be named. */
      readonly credential?: string
    }
  | { readonly name: 'integration address'; readonly skill: string; readonly host: string; readonly url: string | null }

export function integrationCommand(name: IntegrationCommand['name'], { rest, values }: Line): IntegrationCommand {
  const [skill, second, third] = rest
  switch (name) {
    case 'integration list':
      none(rest)
      return { name }
    case 'integration connect':
    case 'integration test':
    case 'integration disconnect':
      if (skill === undefined || third !== undefined) throw wrongUsage(`${name} takes the name of a skill`)
      return { name, skill, ...(second !== undefined && { credential: second }) }
    case 'integration address': {
      if (skill === undefined || second === undefined || third !== undefined) {
        throw wrongUsage('integration address takes the name of a skill and one of its hosts')
      }
      const url = text(values, 'url') ?? null
      if (url !== null && !(URL.canParse(url) && /^https?:$/.test(new URL(url).protocol) && isBareAddress(url))) {
        throw wrongUsage('--url takes an http or https address without user name, password, “?” and “#”')
      }
      return { name, skill, host: second, url }
    }
  }
}
