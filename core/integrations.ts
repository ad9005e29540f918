import { hash } from 'node:crypto'
import {
  type CredentialLocation,
  type HttpAccess,
  type HttpCredential,
  type Network,
  type SkillAccess,
  withCredential,
} from './capabilities/capabilities.ts'
import { AppError, errorBody } from './domain/error.ts'
import type { CredentialCheck, CredentialState, Integration, Integrations } from './domain/integration.ts'
import { limits } from './domain/limits.ts'
import type { Settings } from './domain/settings.ts'
import type { Secrets } from './secrets.ts'
import type { SettingsStore } from './settings.ts'
import type { LoadedSkill, SkillCredential, SkillLibrary } from './skills/skills.ts'

type Kept = Settings['integrations'][string]
type KeptCredential = Kept['credentials'][string]

export interface Named {
  readonly skill: string
  readonly credential: string
}

/** Services that skills talk to. Values of credentials go into the secrets and from there onto the wire, and nowhere else. */
export interface IntegrationsDesk {
  list(): Integrations
  /** Replaces the one there was. @throws AppError integration.not_found | secret.unavailable */
  connect(named: Named & { readonly value: string }): Promise<Integration>
  /** @throws AppError integration.not_found */
  disconnect(named: Named): Promise<Integration>
  /** Makes the skill's harmless request, and keeps what came of it. @throws AppError integration.not_found */
  test(named: Named, signal: AbortSignal): Promise<Integration>
  /**
   * A server of the person's own in the place of a host; null: the host itself. The credentials of that host must be entered
   * anew, because they would go somewhere else. @throws AppError integration.not_found
   */
  setAddress(asked: { skill: string; host: string; baseUrl: string | null }): Promise<Integration>
  /** Why an action is of no use to a skill's run: its services want a key, and none is connected. Null where it is. */
  gate(skill: Pick<LoadedSkill, 'name' | 'credentials'>, action: string): string | null
  /** For `http`. */
  access(activeSkills: (threadId: string) => readonly LoadedSkill[]): HttpAccess
}

export function createIntegrations(parts: {
  readonly library: () => SkillLibrary
  readonly settings: SettingsStore
  readonly secrets: Secrets
  readonly network: Network
  readonly now: () => number
  /** What could not be recorded. */
  readonly onFault: (error: unknown) => void
}): IntegrationsDesk {
  const { library, settings, secrets, network, now, onFault } = parts
  const unreadable = new Set<string>()

  const keptOf = (skill: string): Kept => settings.current.integrations[skill] ?? { credentials: {}, addresses: {} }
  const keep = (skill: string, change: Partial<Kept>) =>
    settings.set({ integrations: { ...settings.current.integrations, [skill]: { ...keptOf(skill), ...change } } })
  const keepCredential = (skill: string, name: string, kept: KeptCredential) =>
    keep(skill, { credentials: { ...keptOf(skill).credentials, [name]: kept } })

  function skillNamed(name: string): LoadedSkill {
    const skill = library().get(name)
    if (skill === undefined) throw notFound(name)
    return skill
  }

  function find({ skill: skillName, credential: name }: Named) {
    const skill = skillNamed(skillName)
    const declared = skill.credentials.find((each) => each.name === name)
    if (declared === undefined) throw notFound(`${skillName}, ${name}`)
    const keyName = keyNameOf(skillName, declared, keptOf(skillName).addresses)
    return { skill, declared, keyName, kept: keptOf(skillName).credentials[name] }
  }

  function stateOf(skill: string, declared: SkillCredential): CredentialState {
    const kept = keptOf(skill).credentials[declared.name]
    if (kept === undefined) return 'missing'
    if (kept.keyName !== keyNameOf(skill, declared, keptOf(skill).addresses)) return 'changed'
    if (unreadable.has(kept.keyName)) return 'unreadable'
    const isRefused = kept.lastCheck?.status === 401 || kept.lastCheck?.status === 403
    return kept.lastCheck?.ok === false && isRefused ? 'refused' : 'connected'
  }

  function shown(skill: LoadedSkill): Integration {
    const { credentials: kept, addresses } = keptOf(skill.name)
    return {
      skill: skill.name,
      description: skill.description,
      credentials: skill.credentials.map((declared) => ({
        ...{ name: declared.name, provider: declared.provider, hosts: declared.hosts, paths: declared.path_patterns },
        ...placeOf(declared.location),
        instructions: declared.setup_instructions,
        state: stateOf(skill.name, declared),
        connectedAt: kept[declared.name]?.connectedAt ?? null,
        lastCheck: kept[declared.name]?.lastCheck ?? null,
        isTestable: declared.test_url !== undefined,
      })),
      openHosts: skill.hosts,
      addresses,
    }
  }

  /** @throws AppError http.credential | secret.unavailable */
  async function readValue(named: Named): Promise<string> {
    const { keyName, kept, declared } = find(named)
    if (kept === undefined) throw notConnected(named)
    if (kept.keyName !== keyName) throw hostsChanged(named, declared.hosts)
    try {
      const value = await secrets.get(keyName)
      unreadable.delete(keyName)
      if (value !== undefined) return value
    } catch (error) {
      unreadable.add(keyName)
      throw error
    }
    throw notConnected(named)
  }

  async function check(named: Named, signal: AbortSignal): Promise<CredentialCheck> {
    const { skill, declared } = find(named)
    const at = now()
    try {
      const url = targetOf(declared.test_url ?? '', keptOf(skill.name).addresses)
      const value = await readValue(named)
      // Meanwhile the person may have named another server.
      if (url !== targetOf(declared.test_url ?? '', keptOf(skill.name).addresses))
        throw hostsChanged(named, declared.hosts)
      const plain = { url, headers: { ...testHeaders, ...declared.test_headers } }
      const request = withCredential(plain, httpCredential(skill.name, declared), value)
      const bounds = { maxBytes: 65_536, timeoutMs: limits.httpMs, signal }
      const answer = await network.send({ method: 'GET', ...request, ...bounds, mayFollow: () => false })
      if (!answer.ok) return { at, ok: false, status: null, message: answer.reason }
      return { at, status: answer.status, ...judged(answer.status, answer.body) }
    } catch (error) {
      signal.throwIfAborted()
      return { at, ok: false, status: null, message: errorBody(error, 'http.connect').userMessage }
    }
  }

  return {
    gate({ name, credentials }, action) {
      if (action !== 'http') return null
      const isConnected = credentials.some((declared) => stateOf(name, declared) === 'connected')
      return credentials.length === 0 || isConnected ? null : `${name} is not connected`
    },
    list() {
      const { skills, rejected } = library()
      const integrations = skills.filter((skill) => skill.credentials.length > 0 || skill.hosts.length > 0).map(shown)
      return { integrations, problems: rejected.map(problemOf) }
    },

    async connect({ value, ...named }) {
      const { skill, declared, keyName, kept } = find(named)
      await secrets.set(keyName, value)
      unreadable.delete(keyName)
      keepCredential(skill.name, declared.name, { keyName, connectedAt: now(), lastCheck: null })
      if (kept !== undefined && kept.keyName !== keyName) await secrets.remove(kept.keyName)
      return shown(skill)
    },

    async disconnect(named) {
      const { skill, kept } = find(named)
      if (kept === undefined) return shown(skill)
      await secrets.remove(kept.keyName)
      const { [named.credential]: _gone, ...others } = keptOf(skill.name).credentials
      keep(skill.name, { credentials: others })
      return shown(skill)
    },

    async test(named, signal) {
      const { skill, declared, kept, keyName } = find(named)
      if (declared.test_url === undefined || kept === undefined) return shown(skill)
      const lastCheck = await check(named, signal)
      const still = keptOf(skill.name).credentials[declared.name]
      // Entered anew or taken away meanwhile: what the old one showed says nothing of it.
      if (still?.keyName === keyName && still.connectedAt === kept.connectedAt) {
        keepCredential(skill.name, declared.name, { ...still, lastCheck })
      }
      return shown(skill)
    },

    async setAddress({ skill: name, host, baseUrl }) {
      const skill = skillNamed(name)
      const hosts = [...skill.hosts, ...skill.credentials.flatMap((each) => each.hosts)]
      if (!hosts.includes(host)) throw notFound(`${name}, ${host}`)
      const { [host]: _old, ...others } = keptOf(name).addresses
      keep(name, { addresses: baseUrl === null ? others : { ...others, [host]: baseUrl.replace(/\/$/, '') } })
      for (const declared of skill.credentials) {
        const kept = keptOf(name).credentials[declared.name]
        if (kept === undefined || stateOf(name, declared) !== 'changed') continue
        await secrets.remove(kept.keyName)
        // With the address before it would be looked for again under the same name.
        keepCredential(name, declared.name, { ...kept, keyName: removedKey })
      }
      return shown(skill)
    },

    access: (activeSkills) => ({
      ofThread: (threadId) => activeSkills(threadId).map((skill) => accessOf(skill, keptOf(skill.name).addresses)),
      origins: () => settings.current.http.origins,
      value: ({ skill, name }) => readValue({ skill, credential: name }),
      answered({ skill, name }, status) {
        const kept = keptOf(skill).credentials[name]
        const isRefused = status === 401
        // Anything but a yes or a no says nothing of it: a right that is missing, a fault of the service.
        if (kept === undefined || !(isRefused || (status >= 200 && status < 300))) return
        if ((kept.lastCheck?.ok ?? true) === !isRefused) return
        const message = isRefused ? refusedText : ''
        try {
          keepCredential(skill, name, { ...kept, lastCheck: { at: now(), ok: !isRefused, status, message } })
        } catch (error) {
          // The request has happened: that this could not be kept must not make it look failed.
          onFault(error)
        }
      },
    }),
  }
}
const removedKey = 'removed'
const testHeaders = { accept: 'application/json', 'user-agent': 'Threadsmith' }
const refusedText =
  'The service refused it: it may be wrong, expired or revoked. Enter a new one; nothing else was changed.'

/** Some services answer 200 and say no in the body. */
function judged(status: number, body: Uint8Array): Pick<CredentialCheck, 'ok' | 'message'> {
  if (status === 401 || status === 403) return { ok: false, message: refusedText }
  if (status < 200 || status > 299) return { ok: false, message: `The service answered with HTTP ${status}.` }
  const said = /^\s*\{\s*"ok"\s*:\s*false[^}]*?"error"\s*:\s*"([\w.-]{1,80})"/.exec(Buffer.from(body).toString('utf8'))
  return said === null ? { ok: true, message: '' } : { ok: false, message: `The service refused it: ${said[1]}.` }
}

/**
 * Holds what the value may be sent to: hosts, place, and the person's own servers. A skill file that names another host, or a
 * changed address, finds no value any more.
 */
function keyNameOf(skill: string, declared: SkillCredential, addresses: Kept['addresses']): string {
  const hosts = [...declared.hosts].sort().map((host) => `${host}=${addresses[host] ?? ''}`)
  const bound = JSON.stringify([hosts, locationOf(declared.location), [...declared.path_patterns].sort()])
  return `integration:${skill}:${declared.name}:${hash('sha256', bound).slice(0, 12)}`
}

/** The URL that is asked, where the person has a server of their own for its host. */
function targetOf(url: string, addresses: Kept['addresses']): string {
  const { host, pathname, search } = new URL(url)
  const base = addresses[host]
  return base === undefined ? url : `${base}${pathname}${search}`
}

function accessOf(skill: LoadedSkill, addresses: Kept['addresses']): SkillAccess {
  const credentials = skill.credentials.map((declared) => httpCredential(skill.name, declared))
  return { skill: skill.name, isTrusted: skill.trust === 'trusted', credentials, openHosts: skill.hosts, addresses }
}

function httpCredential(skill: string, declared: SkillCredential): HttpCredential {
  const { name, provider, hosts, path_patterns: pathPrefixes } = declared
  return { name, provider, skill, location: locationOf(declared.location), hosts, pathPrefixes }
}

function locationOf(location: SkillCredential['location']): CredentialLocation {
  switch (location.type) {
    case 'bearer':
      return { type: 'bearer' }
    case 'header':
      return { type: 'header', name: location.name, prefix: location.prefix }
    case 'basic':
    case 'basic_auth':
      return { type: 'basic', username: location.username }
    case 'query':
    case 'query_param':
      return { type: 'query', name: location.name }
  }
}

function placeOf(location: SkillCredential['location']) {
  const { type, ...rest } = locationOf(location)
  return { place: type, placeName: 'name' in rest ? rest.name : null }
}

function problemOf({ file, diagnostics }: ReturnType<LibraryOf>['rejected'][number]) {
  const [first] = diagnostics
  const why = first === undefined ? 'it cannot be read' : `line ${first.line}: ${first.message}`
  const error = new AppError('skill.parse', {
    message: `${file}: ${why}`,
    userMessage: `The skill in ${file} was not loaded, ${why} Nothing of it is used. Mend the file and start again.`,
  })
  return { file, error: errorBody(error) }
}
type LibraryOf = () => SkillLibrary

function notFound(what: string): AppError {
  return new AppError('integration.not_found', {
    message: `no integration ${what}`,
    userMessage: `There is no such integration (${what}). Nothing was changed. Look at the list of integrations.`,
  })
}

function notConnected({ skill, credential }: Named): AppError {
  return new AppError('http.credential', {
    message: `${credential} of the skill ${skill} is not connected; nothing was sent. Tell the user to connect it under Integrations, then go on.`,
    userMessage: `${skill} is not connected, so nothing was sent. Connect it under Integrations, then try again.`,
    data: { skill, credential },
  })
}

function hostsChanged({ skill, credential }: Named, hosts: readonly string[]): AppError {
  return new AppError('http.credential', {
    message: `${credential} of the skill ${skill} was entered for other hosts than ${hosts.join(', ')}; nothing was sent. The user can enter it again under Integrations.`,
    userMessage: `Where ${skill} sends its credential has changed since you entered it, so it was not used and nothing was sent. Look at the hosts under Integrations, and enter it again if they are right.`,
    data: { skill, credential },
  })
}

/** A server that the person named: it may be of their own network, and spoken to without encryption. */
export function isOwnOrigin({ http, integrations }: Settings, origin: string): boolean {
  const addresses = Object.values(integrations).flatMap((each) => Object.values(each.addresses))
  return http.origins.includes(origin) || addresses.some((base) => new URL(base).origin === origin)
}
