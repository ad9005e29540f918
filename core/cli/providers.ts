import type { ApiOutput } from '../api.ts'
import type { ProviderStatus } from '../domain/contract.ts'
import { AppError } from '../domain/error.ts'
import { isHosted } from '../domain/model.ts'
import type { Access } from './access.ts'
import { wrongUsage } from './line.ts'
import type { AddedKind } from './provider-commands.ts'
import type { Terminal } from './terminal.ts'

/** `provider list`: the servers that were added, each with how many models it offers now. */
export async function listProviders(access: Access, terminal: Terminal): Promise<number> {
  const { providers } = await access.call('settings.get', {})
  for (const provider of await access.call('model.list', {})) {
    if (providers.some(({ id }) => id === provider.id)) print(terminal, provider)
  }
  return 0
}

export interface AddOptions {
  readonly kind: AddedKind
  readonly url: string | undefined
  readonly title: string | undefined
}

/** `provider add <kind>`: without a key, which is a command of its own and never an argument. */
export async function addProvider(access: Access, terminal: Terminal, options: AddOptions): Promise<number> {
  const { kind, url, title } = options
  const usual = usualOf[kind]
  const added = await access.call('provider.save', {
    provider: { kind, title: title ?? usual.title, baseUrl: url ?? usual.baseUrl },
  })
  print(terminal, added)
  if (isHosted(kind))
    terminal.note(`now its key: \`threadsmith provider key ${added.id}\` reads it from the terminal or a pipe`)
  return 0
}

const usualOf: Readonly<Record<AddedKind, { readonly title: string; readonly baseUrl: string | null }>> = {
  'openai-compatible': { title: 'OpenAI-compatible server', baseUrl: null },
  ollama: { title: 'Ollama', baseUrl: 'http://127.0.0.1:11434' },
  openai: { title: 'OpenAI', baseUrl: null },
  anthropic: { title: 'Anthropic', baseUrl: null },
  google: { title: 'Google', baseUrl: null },
  openrouter: { title: 'OpenRouter', baseUrl: null },
}

/** `provider key <id>`: reads one line, keeps it, and shows what the provider says to it. */
export async function setKey(access: Access, terminal: Terminal, id: string): Promise<number> {
  const { kind, title, baseUrl } = await knownProvider(access, id)
  const key = (await terminal.askSecret(`Key for ${title}: `))?.trim() ?? ''
  if (key === '') throw wrongUsage('no key came: type it, or send it as one line on standard input')
  print(terminal, await access.call('provider.save', { provider: { id, kind, title, baseUrl }, key }))
  return 0
}

/** `provider remove <id>`: with its key; tiers that used it go back to the planner. */
export async function removeProvider(access: Access, terminal: Terminal, id: string): Promise<number> {
  const { title, keyName } = await knownProvider(access, id)
  await access.call('provider.remove', { id })
  terminal.json({ id, removed: true })
  const isKept = keyName !== null
  const key = !isKept ? '' : access.isOwn ? ', and its key' : ', and the key that the app kept for it'
  terminal.line(`removed ${title}${key}`)
  // The app and the command line keep keys apart (docs/adr/014), and each removes its own.
  if (isKept && !access.isOwn)
    terminal.note(
      'a key that was entered while the app was closed stays in secrets-cli.json, encrypted; nothing uses it',
    )
  return 0
}

type KnownProvider = ApiOutput<'settings.get'>['providers'][number]

async function knownProvider(access: Access, id: string): Promise<KnownProvider> {
  const found = (await access.call('settings.get', {})).providers.find((each) => each.id === id)
  if (found !== undefined) return found
  throw new AppError('model.none', {
    message: `no provider ${id}`,
    userMessage: `There is no provider ${id}. Nothing was changed. \`threadsmith provider list\` shows each with its id.`,
  })
}

function print(terminal: Terminal, { id, kind, title, baseUrl, hasKey, models, error }: ProviderStatus): void {
  terminal.json({ id, kind, title, baseUrl, hasKey, models: models.length, ...(error && { error }) })
  const state = error === undefined ? `${models.length} models` : `${error.code}  ${error.userMessage}`
  const place = baseUrl === null ? kind : `${kind} at ${baseUrl}`
  terminal.line(`${id}  ${title}  `, terminal.dim(place), '  ', terminal.status(state, error === undefined))
}
