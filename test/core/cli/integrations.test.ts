import { PassThrough, Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { parseLine } from '../../../core/cli/commands.ts'
import {
  connectIntegration,
  disconnectIntegration,
  listIntegrations,
  setAddress,
  testIntegration,
} from '../../../core/cli/integrations.ts'
import { createTerminal } from '../../../core/cli/terminal.ts'
import { startEngine } from '../../support/engine.ts'
import { json, listen } from '../../support/loopback.ts'
import { testSecrets } from '../../support/secrets.ts'
import { accessTo, printed } from './support.ts'

const host = 'api.github.com'
const github = { skill: 'github', credential: undefined }
const right = 'the-right-value'

/** What a pipe sends in; everything that comes out. */
function piped(line: string) {
  const [out, err] = [new PassThrough(), new PassThrough()]
  const said: string[] = []
  for (const stream of [out, err]) stream.on('data', (part) => said.push(String(part)))
  const terminal = createTerminal({ in: Readable.from([`${line}\n`]), out, err }, false)
  return { terminal, said: () => said.join('') }
}

test('connects a skill, tries it out, and disconnects it, without ever printing the value', async () => {
  const service = await listen(({ headers }, response) =>
    headers.authorization === `Bearer ${right}` ? json(response, 200, { login: 'ada' }) : json(response, 401, {}),
  )
  const secrets = testSecrets()
  const access = accessTo(await startEngine({ secrets }))
  const quiet = printed(false)
  expect(await setAddress(access, quiet.terminal, { skill: 'github', host, url: service.base })).toBe(0)
  expect(quiet.text()).toContain(`${host} is asked at ${service.base}`)

  const wrong = piped('a-wrong-value')
  expect(await connectIntegration(access, wrong.terminal, github)).toBe(1)
  expect(wrong.said()).toContain('refused by the service')
  expect(wrong.said()).not.toContain('a-wrong-value')

  const person = piped(right)
  expect(await connectIntegration(access, person.terminal, github)).toBe(0)
  expect(person.said()).toMatch(/connected/)
  expect(person.said()).not.toContain(right)
  expect([...secrets.values.values()]).toEqual([right])

  const machine = printed(true)
  expect(await testIntegration(access, machine.terminal, github)).toBe(0)
  expect(machine.lines()[0]).toMatchObject({
    skill: 'github',
    credentials: [{ state: 'connected', lastCheck: { ok: true, status: 200 } }],
  })
  expect(await disconnectIntegration(access, printed(false).terminal, github)).toBe(0)
  expect(secrets.values.size).toBe(0)
})

test('lists what each skill needs', async () => {
  const { terminal, lines } = printed(true)
  expect(await listIntegrations(accessTo(await startEngine()), terminal)).toBe(0)
  const names = lines().map(({ skill }) => skill)
  expect(names).toEqual(['github', 'jira', 'linear', 'notion', 'slack', 'weather', 'web-research'])
})

test.each([
  [{ skill: 'nobody', credential: undefined }, 'integration.not_found'],
  [{ skill: 'github', credential: 'other' }, 'integration.not_found'],
  [{ skill: 'weather', credential: undefined }, 'usage'],
  [{ skill: 'github', credential: undefined }, 'usage'],
])('says what cannot be tested: %j', async (asked, code) => {
  const access = accessTo(await startEngine({ secrets: testSecrets() }))
  await expect(testIntegration(access, printed(false).terminal, asked)).rejects.toMatchObject({ code })
})

test.each([
  [['list'], { name: 'integration list' }],
  [['connect', 'github'], { name: 'integration connect', skill: 'github' }],
  [['test', 'github', 'github_token'], { name: 'integration test', skill: 'github', credential: 'github_token' }],
  [['address', 'github', host], { name: 'integration address', skill: 'github', host, url: null }],
  [
    ['address', 'github', host, '--url', 'https://git.corp/api/v3'],
    { name: 'integration address', skill: 'github', host, url: 'https://git.corp/api/v3' },
  ],
])('integration %j', (argv, command) => {
  expect(parseLine(['integration', ...argv], '/').command).toEqual(command)
})

test.each([
  [['connect']],
  [['connect', 'a', 'b', 'c']],
  [['list', 'x']],
  [['address', 'github']],
  [['address', 'github', host, '--url', 'ftp://x']],
  [['address', 'github', host, '--url', 'https://user:pass@x.example']],
  [['nothing']],
])('integration %j is refused', (argv) => {
  expect(() => parseLine(['integration', ...argv], '/')).toThrow(expect.objectContaining({ code: 'usage' }))
})
