import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import type { Change } from '../../../core/domain/approval.ts'
import { ChangeView } from '../../../renderer/approval/change-view.tsx'
import { bodyTextOf, credentialText, isPlainHttp, isWhole, urlParts } from '../../../renderer/approval/request-words.ts'
import { changeTitle, doText } from '../../../renderer/approval/words.ts'

type RequestChange = Extract<Change, { kind: 'request' }>

const token = { name: 'github_token', provider: 'github', skill: 'github' }
function request(patch: Partial<RequestChange> = {}): RequestChange {
  return {
    ...{ kind: 'request', method: 'POST', url: 'https://api.github.com/repos/a/b/issues', host: 'api.github.com' },
    ...{ address: null, credential: token, headers: [], body: null, files: [], saveTo: null },
    ...patch,
  }
}

function shown(patch: Partial<RequestChange>): string {
  const html = renderToStaticMarkup(<ChangeView change={request(patch)} firstLines={10} />)
  return html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll(/\s+/g, ' ')
}

test('method, address and credential are told, the host set apart', () => {
  expect(renderToStaticMarkup(<ChangeView change={request()} firstLines={10} />)).toContain('<b>api.github.com</b>')
  expect(shown({})).toContain('with your GitHub token')
  expect(shown({ credential: null })).toContain('none goes along')
})

test('where it really goes stands there, with a warning where that is not encrypted', () => {
  expect(shown({})).not.toContain('Really goes to')
  expect(shown({ address: 'https://ghe.example/api' })).toContain(
    'Really goes to https://ghe.example/api the address that you set for api.github.com',
  )
  expect(shown({ address: 'https://ghe.example/api' })).not.toContain('plain http')
  expect(shown({ address: 'http://10.0.0.2' })).toContain('whoever is on the way reads the credential')
})

test('headers, files and the place of the answer are listed whole', () => {
  const text = shown({
    headers: [
      ['accept', 'application/json'],
      ['x-trace', '1'],
    ],
    files: [{ field: 'upload', path: 'docs/a.png', bytes: 20_480, sha256: 'f'.repeat(64) }],
    saveTo: 'docs/answer.json',
  })
  expect(text).toContain('accept: application/json')
  expect(text).toContain('x-trace: 1')
  expect(text).toContain('docs/a.png 20 kB, as upload')
  expect(text).toContain('Answer saved to docs/answer.json')
})

describe('the body', () => {
  const text = '{"title":"Tide","labels":["docs"]}'
  const body = { type: 'application/json', text, bytes: text.length }

  test('of JSON is set in lines; anything else stays as it is', () => {
    expect(bodyTextOf(body)).toBe(JSON.stringify(JSON.parse(text), null, 2))
    expect(bodyTextOf({ ...body, type: 'application/vnd.api+json; charset=utf-8' })).toContain('\n')
    expect(bodyTextOf({ ...body, type: 'text/plain' })).toBe(text)
    expect(bodyTextOf({ ...body, text: '{"a', bytes: 3 })).toBe('{"a')
  })

  test('that was cut says so; bytes are counted, not characters', () => {
    expect(isWhole({ type: 'text/plain', text: 'é', bytes: 2 })).toBe(true)
    expect(isWhole({ type: 'text/plain', text: 'é', bytes: 3 })).toBe(false)
    expect(shown({ body })).not.toContain('Cut here')
    expect(shown({ body: { ...body, bytes: 9_000 } })).toContain('Cut here: the beginning of 9.0 kB is shown')
  })
})

test.each([
  ['https://api.example/a', 'api.example', ['https://', 'api.example', '/a']],
  ['https://API.example:8443/a', 'api.example', ['https://', 'API.example', ':8443/a']],
  // A name that only stands in the path is not the host.
  ['https://evil.example/api.example', 'api.example', ['', '', 'https://evil.example/api.example']],
])('in %s the host is %s', (url, host, parts) => {
  expect(Object.values(urlParts({ url, host }))).toEqual(parts)
})

test('plain http is seen at the address that counts', () => {
  expect(isPlainHttp({ url: 'https://a.example', address: null })).toBe(false)
  expect(isPlainHttp({ url: 'http://a.example', address: null })).toBe(true)
  expect(isPlainHttp({ url: 'https://a.example', address: 'http://10.0.0.2' })).toBe(true)
})

test('a request is sent, in words of its own', () => {
  expect(changeTitle(request())).toBe('What it sends')
  const summary = `POST https://api.github.com/${'repos/'.repeat(20)}`
  expect(doText({ action: 'http', summary })).toBe('Send POST to api.github.com')
  expect(doText({ action: 'http', summary: 'GET http://10.0.0.2/' })).toBe('Send GET to http://10.0.0.2')
  expect(credentialText({ ...token, name: 'jira_api_token', provider: 'atlassian', skill: 'jira' })).toBe(
    'with your Atlassian API token',
  )
})
