import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import path from 'node:path'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { createNetwork } from '../../core/capabilities/capabilities.ts'
import { limits } from '../../core/domain/limits.ts'
import { createIntegrations, isOwnOrigin } from '../../core/integrations.ts'
import { createSettings } from '../../core/settings.ts'
import { readSkillLibrary } from '../../core/skills/skills.ts'
import { folderWith, startEngine } from '../support/engine.ts'
import { testSecrets } from '../support/secrets.ts'

const live = new AbortController().signal
const onFault = (error: unknown) => {
  throw error
}
const named = { skill: 'tracker', credential: 'tracker_token' }
const value = 'tracker-value-of-this-test'

const skillFile = (hosts: string, more = '') => `---
name: tracker
description: Reads and writes tickets.
credentials:
  - name: tracker_token
    provider: tracker
    location: { type: bearer }
    hosts: [${hosts}]
    test_url: https://${hosts.replace(/,.*/, '')}/me
    test_headers: { x-version: "2026-01" }
    setup_instructions: Make one in your account.
${more}---
How to call it.
`

async function listen(handle: RequestListener) {
  const seen: IncomingMessage[] = []
  const server = createServer((request, response) => {
    seen.push(request)
    handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  const port = address !== null && typeof address !== 'string' ? address.port : 0
  return { base: `http://127.0.0.1:${port}`, seen }
}

async function desk(
  files: Readonly<Record<string, string>> = { 'tracker/SKILL.md': skillFile('tracker.example.com') },
) {
  const settings = createSettings((await startEngine()).store)
  const secrets = testSecrets()
  const folder = folderWith(files)
  let library = readSkillLibrary(folder)
  const network = createNetwork({
    resolve: async () => [],
    isOwn: (url) => isOwnOrigin(settings.current, url.origin),
  })
  const integrations = createIntegrations({
    library: () => library,
    settings,
    secrets,
    network,
    now: () => 1_000,
    onFault,
  })
  const active = () => library.skills
  const stateOf = () => integrations.list().integrations[0]?.credentials[0]?.state
  const rewrite = (text: string) => {
    library = readSkillLibrary(folderWith({ 'tracker/SKILL.md': text }))
  }
  return { integrations, settings, secrets, stateOf, rewrite, active }
}

describe('a credential', () => {
  it('is missing until it is connected, and gone when it is disconnected', async () => {
    const { integrations, secrets, stateOf, settings } = await desk()
    expect(integrations.list().integrations).toMatchObject([
      {
        skill: 'tracker',
        credentials: [{ name: 'tracker_token', place: 'bearer', isTestable: true, state: 'missing' }],
      },
    ])
    await integrations.connect({ ...named, value })
    expect(stateOf()).toBe('connected')
    expect([...secrets.values.values()]).toEqual([value])
    expect(JSON.stringify(settings.current)).not.toContain(value)
    await integrations.disconnect(named)
    expect(stateOf()).toBe('missing')
    expect(secrets.values.size).toBe(0)
  })

  it('is found no more when the skill names another host: what was entered for one is not sent to another', async () => {
    const { integrations, stateOf, rewrite, active } = await desk()
    await integrations.connect({ ...named, value })
    rewrite(skillFile('tracker.example.com, evil.example.org'))
    expect(stateOf()).toBe('changed')
    const access = integrations.access(active)
    const [credential] = access.ofThread('t')[0]?.credentials ?? []
    await expect(credential && access.value(credential)).rejects.toMatchObject({ code: 'http.credential' })
    await integrations.connect({ ...named, value: 'entered anew' })
    await expect(credential && access.value(credential)).resolves.toBe('entered anew')
  })

  it('must be entered anew when the person names another server for its host', async () => {
    const { integrations, stateOf, secrets } = await desk()
    await integrations.connect({ ...named, value })
    await integrations.setAddress({ skill: 'tracker', host: 'tracker.example.com', baseUrl: 'https://tracker.corp/' })
    expect(stateOf()).toBe('changed')
    expect(secrets.values.size).toBe(0)
    expect(integrations.list().integrations[0]?.addresses).toEqual({ 'tracker.example.com': 'https://tracker.corp' })
  })

  it('that was removed with one address is not taken for kept when the address before is back', async () => {
    const { integrations, stateOf } = await desk()
    await integrations.connect({ ...named, value })
    const at = { skill: 'tracker', host: 'tracker.example.com' }
    await integrations.setAddress({ ...at, baseUrl: 'https://tracker.corp' })
    await integrations.setAddress({ ...at, baseUrl: null })
    expect(stateOf()).toBe('changed')
    await integrations.connect({ ...named, value })
    expect(stateOf()).toBe('connected')
  })

  it('is found no more when the skill widens the paths that it goes to', async () => {
    const { integrations, stateOf, rewrite } = await desk({
      'tracker/SKILL.md': skillFile('tracker.example.com').replace('    setup', '    path_patterns: [/v1]\n    setup'),
    })
    await integrations.connect({ ...named, value })
    rewrite(skillFile('tracker.example.com'))
    expect(stateOf()).toBe('changed')
  })

  it('is refused by a 401 and good by a 2xx; nothing else says anything of it', async () => {
    const { integrations, stateOf, active } = await desk()
    await integrations.connect({ ...named, value })
    const access = integrations.access(active)
    const credential = access.ofThread('t')[0]?.credentials[0] ?? expect.fail('no credential')
    const states = [403, 401, 403, 500, 204].map((status) => {
      access.answered(credential, status)
      return stateOf()
    })
    expect(states).toEqual(['connected', 'refused', 'refused', 'refused', 'connected'])
  })

  it('what a service said of it is only noted: a full disk does not make a request look failed', async () => {
    const faults: unknown[] = []
    const settings = createSettings((await startEngine()).store)
    const library = readSkillLibrary(folderWith({ 'tracker/SKILL.md': skillFile('tracker.example.com') }))
    const full = new Error('no space left')
    let isFull = false
    const integrations = createIntegrations({
      ...{ library: () => library, secrets: testSecrets(), now: () => 0, onFault: (error) => void faults.push(error) },
      settings: {
        get current() {
          return settings.current
        },
        set(patch) {
          if (isFull) throw full
          return settings.set(patch)
        },
      },
      network: { send: () => Promise.reject(new Error('nobody is there')) },
    })
    await integrations.connect({ ...named, value })
    isFull = true
    const access = integrations.access(() => library.skills)
    const [credential] = access.ofThread('t')[0]?.credentials ?? []
    access.answered(credential ?? expect.fail('no credential'), 401)
    expect(faults).toEqual([full])
  })

  it('that cannot be decrypted is told apart from one that is missing', async () => {
    const { integrations, stateOf, secrets } = await desk()
    await integrations.connect({ ...named, value })
    secrets.locked = true
    const tested = await integrations.test(named, live)
    expect(tested.credentials[0]?.lastCheck).toMatchObject({ ok: false, status: null })
    expect(stateOf()).toBe('unreadable')
  })
})

describe('a test', () => {
  const answers = (status: number, body: string): RequestListener => {
    return (_request, response) => response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  }

  it.each([
    [200, '{"login":"ada"}', 'connected', { ok: true, status: 200 }],
    [401, '{}', 'refused', { ok: false, status: 401 }],
    [500, '{}', 'connected', { ok: false, status: 500 }],
    // Slack says no with a 200.
    [200, '{"ok":false,"error":"invalid_auth"}', 'connected', { ok: false, status: 200 }],
  ])('makes the request that the skill names: %i %s', async (status, body, state, lastCheck) => {
    const { integrations, stateOf } = await desk()
    const server = await listen(answers(status, body))
    await integrations.setAddress({ skill: 'tracker', host: 'tracker.example.com', baseUrl: `${server.base}/v3` })
    await integrations.connect({ ...named, value })
    const tested = await integrations.test(named, live)
    expect(tested.credentials[0]?.lastCheck).toMatchObject(lastCheck)
    expect(stateOf()).toBe(state)
    expect(server.seen).toHaveLength(1)
    expect(server.seen[0]?.url).toBe('/v3/me')
    expect(server.seen[0]?.headers).toMatchObject({ authorization: `Bearer ${value}`, 'x-version': '2026-01' })
  })

  it('does not follow the service elsewhere', async () => {
    const other = await listen((_request, response) => response.end('{}'))
    const { integrations } = await desk()
    const server = await listen((_request, response) => response.writeHead(302, { location: other.base }).end())
    await integrations.setAddress({ skill: 'tracker', host: 'tracker.example.com', baseUrl: server.base })
    await integrations.connect({ ...named, value })
    await integrations.test(named, live)
    expect(other.seen).toHaveLength(0)
  })

  it(`is over after ${limits.httpMs} ms`, async () => {
    const bounds: unknown[] = []
    const settings = createSettings((await startEngine()).store)
    const library = readSkillLibrary(folderWith({ 'tracker/SKILL.md': skillFile('tracker.example.com') }))
    const integrations = createIntegrations({
      ...{ library: () => library, settings, secrets: testSecrets(), now: () => 0, onFault },
      network: {
        async send({ timeoutMs }) {
          bounds.push(timeoutMs)
          throw new Error('nobody is there')
        },
      },
    })
    await integrations.connect({ ...named, value })
    await integrations.test(named, live)
    expect(bounds).toEqual([limits.httpMs])
  })
})

test('a credential of the same name of another skill is another credential', async () => {
  const { integrations } = await desk({
    'tracker/SKILL.md': skillFile('tracker.example.com'),
    'copycat/SKILL.md': skillFile('copycat.example.org')
      .replace('name: tracker\n', 'name: copycat\n')
      .replace('https://tracker.example.com/me', 'https://copycat.example.org/me'),
  })
  await integrations.connect({ ...named, value })
  const states = integrations.list().integrations.map(({ skill, credentials }) => [skill, credentials[0]?.state])
  expect(states).toEqual([
    ['copycat', 'missing'],
    ['tracker', 'connected'],
  ])
})

test('a second skill of one name is told, and not loaded: the key of one is not the other’s', async () => {
  const { integrations } = await desk({
    'a/SKILL.md': skillFile('tracker.example.com'),
    'b/SKILL.md': skillFile('evil.example.org'),
  })
  const { integrations: all, problems } = integrations.list()
  expect(all.map(({ credentials }) => credentials[0]?.hosts)).toEqual([['tracker.example.com']])
  expect(problems.map(({ error }) => error.userMessage)).toEqual([expect.stringContaining('taken already')])
})

test('a file that is no skill is told, with its line', async () => {
  const { integrations } = await desk({ 'broken/SKILL.md': '---\nname: broken\n---\nText.' })
  const [problem] = integrations.list().problems
  expect(problem?.error).toMatchObject({ code: 'skill.parse' })
  expect(problem?.error.userMessage).toContain(path.join('broken', 'SKILL.md'))
})

test('what is not known is said, and nothing changes', async () => {
  const { integrations, secrets } = await desk()
  await expect(integrations.connect({ skill: 'tracker', credential: 'other', value })).rejects.toMatchObject({
    code: 'integration.not_found',
  })
  await expect(
    integrations.setAddress({ skill: 'tracker', host: 'other.example', baseUrl: 'https://a.example' }),
  ).rejects.toMatchObject({ code: 'integration.not_found' })
  expect(secrets.values.size).toBe(0)
})

test(`a person may allow ${limits.httpOrigins} origins, written as a browser writes them`, async () => {
  const engine = await startEngine()
  const set = (origins: string[]) => engine.api.call('settings.set', { patch: { http: { origins } } })
  const many = Array.from({ length: limits.httpOrigins }, (_, at) => `https://h${at}.example`)
  await expect(set(many)).resolves.toMatchObject({ http: { origins: many } })
  await expect(set([...many, 'https://one-more.example'])).rejects.toMatchObject({ code: 'api.input' })
  for (const wrong of [
    'https://a.example/',
    'https://a.example/path',
    'ftp://a.example',
    'HTTPS://A.example',
    'a.example',
  ]) {
    await expect(set([wrong])).rejects.toMatchObject({ code: 'api.input' })
  }
  await expect(set(['http://127.0.0.1:8080'])).resolves.toBeDefined()
})
