import { expect, test } from 'vitest'
import { parseSkill } from '../../../../core/skills/file/parse.ts'

function verdict(testUrl: string) {
  const credential = `{ name: tide_key, provider: tides, location: { type: bearer }, hosts: [api.example.com, eu.example.com], test_url: "${testUrl}" }`
  const file = `---\nname: tides\ndescription: When is high water?\ncredentials:\n  - ${credential}\n---\nDo it.\n`
  return parseSkill(Buffer.from(file), 'tides')
}

test.each(['https://api.example.com/me', 'https://eu.example.com/me?short=1', 'https://API.example.com:443/me'])(
  '%s is where the credential may be tried out',
  (testUrl) => {
    const found = verdict(testUrl)
    expect(found.diagnostics).toEqual([])
    expect(found.outcome === 'reject' ? undefined : found.skill.credentials[0]?.test_url).toBe(testUrl)
  },
)

test.each([
  ['another host', 'https://example.com/me', 'E_CRED_HOST'],
  ['a host below one of its own', 'https://a.api.example.com/me', 'E_CRED_HOST'],
  ['a host that only looks like one of its own', 'https://api.example.com@evil.example/me', 'E_CRED_HOST'],
  ['a user in the address', 'https://me@api.example.com/me', 'E_CRED_HOST'],
  ['another port', 'https://api.example.com:8443/me', 'E_CRED_HOST'],
  ['a connection that anybody can read', 'http://api.example.com/me', 'E_TYPE'],
  ['no address', 'api.example.com/me', 'E_TYPE'],
  ['an address of over 500 characters', `https://api.example.com/${'a'.repeat(500)}`, 'E_TYPE'],
])('a credential is not tried out at %s', (_what, testUrl, code) => {
  const { outcome, diagnostics } = verdict(testUrl)
  expect([outcome, diagnostics[0]?.code, diagnostics[0]?.line]).toEqual(['reject', code, 4])
})

test('a credential may do without a way to try it out', () => {
  const file =
    '---\nname: tides\ndescription: When?\ncredentials:\n  - { name: tide_key, provider: tides, location: { type: bearer }, hosts: [api.example.com] }\n---\nDo it.\n'
  expect(parseSkill(Buffer.from(file), 'tides').diagnostics).toEqual([])
})

test.each([
  ['version: 2026-03-11', 'ok'],
  ['"x y": a', 'reject'],
  ['version: [a]', 'reject'],
])('the request that tries it out may have headers: { %s } is %s', (headers, outcome) => {
  const credential = `{ name: tide_key, provider: tides, location: { type: bearer }, hosts: [api.example.com], test_url: "https://api.example.com/me", test_headers: { ${headers} } }`
  const file = `---\nname: tides\ndescription: When?\ncredentials:\n  - ${credential}\n---\nDo it.\n`
  const found = parseSkill(Buffer.from(file), 'tides')
  expect(found.outcome).toBe(outcome)
  const read = found.outcome === 'reject' ? undefined : found.skill.credentials[0]?.test_headers
  expect(read).toEqual(outcome === 'ok' ? { version: '2026-03-11' } : undefined)
})
