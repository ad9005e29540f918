import { AppError } from '../domain/error.ts'
import type { CredentialState, Integration, IntegrationCredential } from '../domain/integration.ts'
import type { Access } from './access.ts'
import { wrongUsage } from './line.ts'
import type { Terminal } from './terminal.ts'

/** `integration list`: what each skill needs to talk to its services; never a value. */
export async function listIntegrations(access: Access, terminal: Terminal): Promise<number> {
  const { integrations, problems } = await access.call('integration.list', {})
  for (const integration of integrations) print(terminal, integration)
  for (const { error } of problems) terminal.note(error.userMessage)
  return 0
}

interface Asked {
  readonly skill: string
  readonly credential: string | undefined
}

/** `integration connect <skill>`: reads one line, keeps it, and tries it out where the skill says how. */
export async function connectIntegration(access: Access, terminal: Terminal, asked: Asked): Promise<number> {
  const { name, hosts, instructions, isTestable } = await credentialOf(access, asked)
  if (instructions !== '') terminal.note(instructions)
  const value = (await terminal.askSecret(`${name}, for ${hosts.join(', ')}: `))?.trim() ?? ''
  if (value === '') throw wrongUsage('no value came: type it, or send it as one line on standard input')
  const named = { skill: asked.skill, credential: name }
  const connected = await access.call('integration.connect', { ...named, value })
  const tested = isTestable ? await access.call('integration.test', named) : connected
  print(terminal, tested)
  return worksIn(tested, name) ? 0 : 1
}

/** `integration test <skill>`. Exit 1 where the service says no, or nobody answers. */
export async function testIntegration(access: Access, terminal: Terminal, asked: Asked): Promise<number> {
  const { name, isTestable, state } = await credentialOf(access, asked)
  if (!isTestable) throw wrongUsage(`${asked.skill} names no harmless request to test ${name} with`)
  if (state === 'missing')
    throw wrongUsage(`${name} is not connected: \`threadsmith integration connect ${asked.skill}\``)
  const tested = await access.call('integration.test', { skill: asked.skill, credential: name })
  print(terminal, tested)
  return worksIn(tested, name) ? 0 : 1
}

/** `integration disconnect <skill>`: takes the value out of what keeps it. */
export async function disconnectIntegration(access: Access, terminal: Terminal, asked: Asked): Promise<number> {
  const { name } = await credentialOf(access, asked)
  print(terminal, await access.call('integration.disconnect', { skill: asked.skill, credential: name }))
  return 0
}

/** `integration address <skill> <host> [--url U]`: without one the host itself again. */
export async function setAddress(
  access: Access,
  terminal: Terminal,
  { skill, host, url }: { readonly skill: string; readonly host: string; readonly url: string | null },
): Promise<number> {
  const changed = await access.call('integration.address', { skill, host, baseUrl: url })
  print(terminal, changed)
  if (changed.credentials.some(({ state }) => state === 'changed')) {
    terminal.note(
      `its credential goes somewhere else now: enter it again with \`threadsmith integration connect ${skill}\``,
    )
  }
  return 0
}

async function credentialOf(access: Access, { skill, credential }: Asked): Promise<IntegrationCredential> {
  const { integrations } = await access.call('integration.list', {})
  const found = integrations.find((each) => each.skill === skill)
  if (found === undefined) throw unknown(skill)
  const { credentials } = found
  const [only] = credentials
  if (only === undefined) throw wrongUsage(`${skill} needs no credential`)
  if (credential === undefined && credentials.length > 1) {
    throw wrongUsage(`${skill} has several credentials, name one: ${credentials.map(({ name }) => name).join(', ')}`)
  }
  const named = credential === undefined ? only : credentials.find(({ name }) => name === credential)
  if (named === undefined) throw unknown(`${skill}, ${credential}`)
  return named
}

function unknown(what: string): AppError {
  return new AppError('integration.not_found', {
    message: `no integration ${what}`,
    userMessage: `There is no integration ${what}. Nothing was changed. \`threadsmith integration list\` shows each.`,
  })
}

function worksIn({ credentials }: Integration, name: string): boolean {
  const found = credentials.find((each) => each.name === name)
  return found !== undefined && found.state === 'connected' && found.lastCheck?.ok !== false
}

const stateWords: Readonly<Record<CredentialState, string>> = {
  connected: 'connected',
  missing: 'not connected',
  changed: 'enter it again: where it goes has changed',
  refused: 'refused by the service',
  unreadable: 'kept, but cannot be read here',
}

function print(terminal: Terminal, integration: Integration): void {
  terminal.json(integration)
  const { skill, description, credentials, openHosts, addresses } = integration
  terminal.line(skill, '  ', terminal.dim(description))
  for (const { name, hosts, state, lastCheck } of credentials) {
    const isFine = state === 'connected' && lastCheck?.ok !== false
    const said = lastCheck === null || lastCheck.message === '' ? '' : `  ${lastCheck.message}`
    terminal.line(`  ${name}  ${hosts.join(', ')}  `, terminal.status(stateWords[state], isFine), said)
  }
  if (openHosts.length > 0) terminal.line(terminal.dim(`  read without a credential: ${openHosts.join(', ')}`))
  for (const [host, base] of Object.entries(addresses)) terminal.line(terminal.dim(`  ${host} is asked at ${base}`))
}
