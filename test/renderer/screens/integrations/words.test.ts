import { describe, expect, test } from 'vitest'
import type { CredentialState } from '../../../../core/domain/integration.ts'
import { limits } from '../../../../core/domain/limits.ts'
import { groupsOf, partsOf } from '../../../../renderer/screens/integrations/parts-of.ts'
import {
  addressOf,
  checkLook,
  credentialLook,
  goesAlongText,
  integrationLook,
  originOf,
  placeText,
} from '../../../../renderer/screens/integrations/words.ts'
import { credential, integration } from './support.ts'

const failed = { at: 1, ok: false, status: 500, message: 'The service answered with HTTP 500.' }

describe('how a skill stands', () => {
  const standOf = (...states: readonly CredentialState[]) =>
    integrationLook({ credentials: states.map((state) => credential({ state })) }).word

  test('of several credentials the worst one counts', () => {
    expect(standOf('connected', 'missing')).toBe('Not connected')
    expect(standOf('missing', 'unreadable')).toBe('Cannot be read')
    expect(standOf('unreadable', 'changed')).toBe('Enter again')
    expect(standOf('changed', 'refused')).toBe('Refused')
    expect(standOf('connected', 'connected')).toBe('Connected')
    expect(standOf()).toBe('No key needed')
  })

  test('one that failed when it was last looked at is not called connected', () => {
    expect(credentialLook(credential({ lastCheck: failed }))).toEqual({ status: 'failed', word: 'Check failed' })
    const both = [credential(), credential({ lastCheck: failed })]
    expect(integrationLook({ credentials: both }).word).toBe('Check failed')
  })

  test('a check tells a refusal from a service that is down', () => {
    expect(checkLook({ ...failed, status: 401 }).word).toBe('Refused')
    expect(checkLook(failed).word).toBe('It did not work')
    expect(checkLook({ ...failed, status: null }).word).toBe('It did not work')
    expect(checkLook({ ...failed, ok: true, status: 200 })).toEqual({ status: 'done', word: 'It works' })
  })
})

test.each([
  ['bearer', null, 'bearer token'],
  ['header', 'X-Key', 'header X-Key'],
  ['basic', null, 'Basic'],
  ['query', 'key', 'parameter key of the address'],
] as const)('a credential in %s says so in words', (place, placeName, text) => {
  expect(placeText({ place, placeName })).toContain(text)
})

test('the list: what needs a key, then what needs none, each by title; problems and allowed hosts last', () => {
  const all = {
    integrations: [
      integration({ skill: 'weather', credentials: [], openHosts: ['w.example'] }),
      integration({ skill: 'slack' }),
      integration(),
    ],
    problems: [],
  }
  expect(groupsOf(all).keyed.map(({ skill }) => skill)).toEqual(['github', 'slack'])
  expect(partsOf(all)).toEqual(['github', 'slack', 'weather', '~hosts'])
  const error = { code: 'skill.parse', message: '', userMessage: '', retryable: false } as const
  expect(partsOf({ ...all, problems: [{ file: 'a/SKILL.md', error }] })).toEqual([
    ...['github', 'slack', 'weather', '~problems', '~hosts'],
  ])
})

describe('a server address', () => {
  test.each([
    ['https://github.example.com/api/v3/', 'https://github.example.com/api/v3'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['github.example.com', 'https://github.example.com'],
  ])('%s is taken as %s', (text, value) => {
    expect(addressOf(text)).toEqual({ ok: true, value })
  })

  test.each([
    '',
    'not an address',
    'ftp://a.example',
    'https://ada:x@a.example',
    'https://a.example/?q=1',
    'https://a.example/#a',
  ])('“%s” is none', (text) => {
    expect(addressOf(text).ok).toBe(false)
  })

  test('says what goes there, and what is deleted', () => {
    expect(goesAlongText(integration({ credentials: [] }), 'api.github.com')).toBe('No key goes along.')
    const missing = integration({ credentials: [credential({ state: 'missing' })] })
    expect(goesAlongText(missing, 'api.github.com')).toBe(
      'The GitHub token goes there, and no longer to api.github.com.',
    )
    expect(goesAlongText(integration(), 'api.github.com')).toContain('it is deleted, and must be entered again')
  })
})

describe('a host to allow', () => {
  test.each([
    ['https://docs.example.com', 'https://docs.example.com'],
    ['docs.example.com/', 'https://docs.example.com'],
    ['HTTPS://Docs.Example.com:443', 'https://docs.example.com'],
    ['192.168.1.20:8080', 'http://192.168.1.20:8080'],
  ])('%s is the origin %s', (text, value) => {
    expect(originOf(text, [])).toEqual({ ok: true, value })
  })

  test('is a whole host, and stands there once', () => {
    expect(originOf('https://a.example/page', [])).toEqual({
      ok: false,
      problem: 'A whole host is allowed, never a page of it: https://a.example',
    })
    expect(originOf('https://a.example', ['https://a.example']).ok).toBe(false)
  })

  test(`is refused here where ${limits.httpOrigins} are listed`, () => {
    const most = Array.from({ length: limits.httpOrigins }, (_, at) => `https://h${at}.example`)
    expect(originOf('https://a.example', most.slice(1)).ok).toBe(true)
    expect(originOf('https://a.example', most).ok).toBe(false)
  })
})
