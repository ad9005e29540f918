import { describe, expect, it } from 'vitest'
import {
  competingPart,
  credentialFor,
  type HttpCredential,
  withCredential,
} from '../../../../core/capabilities/http/credential.ts'

const competing = (headers: Readonly<Record<string, string>>, credential: HttpCredential) =>
  competingPart({ url: 'https://slack.com/api/x?token=t', headers }, credential)

const slack: HttpCredential = {
  name: 'slack_bot_token',
  provider: 'slack',
  skill: 'slack',
  location: { type: 'bearer' },
  hosts: ['slack.com'],
  pathPrefixes: [],
}

describe('a credential', () => {
  it.each([
    ['https://slack.com/api/chat.postMessage', true],
    ['https://SLACK.COM./api', true],
    ['https://slack.com:443/api', true],
    ['https://slack.com.evil.example/api', false],
    ['https://evilslack.com/api', false],
    ['https://api.slack.com/api', false],
    ['https://slack.com@evil.example/', false],
    ['https://evil.example/?to=slack.com', false],
    ['http://slack.com/api', false],
    ['https://slack.com:8443/api', false],
  ])('goes to its exact host over https: %s %s', (url, goes) => {
    expect(credentialFor(new URL(url), [slack]) !== undefined).toBe(goes)
  })

  it.each([
    ['https://slack.com/api', true],
    ['https://slack.com/api/x', true],
    ['https://slack.com/apiary', false],
    ['https://slack.com/', false],
    ['https://slack.com/api/../admin', false],
    ['https://slack.com/api/%2e%2e/admin', false],
    ['https://slack.com/api/%2e%2e%2fadmin', false],
  ])('stays below its path: %s %s', (url, goes) => {
    expect(credentialFor(new URL(url), [{ ...slack, pathPrefixes: ['/api'] }]) !== undefined).toBe(goes)
  })

  const request = { url: 'https://slack.com/api?a=1', headers: { accept: 'x' } }
  it.each([
    [{ type: 'bearer' }, { authorization: 'Bearer v' }],
    [{ type: 'header', name: 'X-Key', prefix: '' }, { 'X-Key': 'v' }],
    [{ type: 'header', name: 'Authorization', prefix: 'Token ' }, { Authorization: 'Token v' }],
    [{ type: 'basic', username: 'me' }, { authorization: `Basic ${Buffer.from('me:v').toString('base64')}` }],
    [{ type: 'basic', username: '' }, { authorization: `Basic ${Buffer.from('v').toString('base64')}` }],
  ] as const)('stands where %o says', (location, headers) => {
    expect(withCredential(request, { ...slack, location }, 'v')).toEqual({
      ...request,
      headers: { accept: 'x', ...headers },
    })
  })

  it('stands in the query where that is its place, encoded', () => {
    const { url } = withCredential(request, { ...slack, location: { type: 'query', name: 'key' } }, 'a&b')
    expect(url).toBe('https://slack.com/api?a=1&key=a%26b')
  })

  it('has no second one beside it', () => {
    expect(competing({ Authorization: 'mine' }, slack)).toBe('Authorization')
    expect(competing({ 'x-api-key': 'mine' }, slack)).toBe('x-api-key')
    const header: HttpCredential = { ...slack, location: { type: 'header', name: 'X-Figma-Token', prefix: '' } }
    expect(competing({ 'x-figma-token': 'mine' }, header)).toBe('x-figma-token')
    expect(competing({ accept: 'x' }, slack)).toBeUndefined()
    expect(competing({}, { ...slack, location: { type: 'query', name: 'token' } })).toBe('token')
  })
})
