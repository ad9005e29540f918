import { expect, test } from 'vitest'
import type { Change } from '../../../../core/domain/approval.ts'
import { httpOutcomeOf } from '../../../../renderer/screens/thread/detail/http-outcome.ts'

const token = { name: 'github_token', provider: 'github', skill: 'github' }
const change: Extract<Change, { kind: 'request' }> = {
  ...{ kind: 'request', method: 'GET', url: 'https://api.github.com/user', host: 'api.github.com', address: null },
  ...{ credential: token, headers: [], body: null, files: [], saveTo: null },
}

test('an answer is told with its status, its host and the credential that went along', () => {
  expect(httpOutcomeOf({ status: 200, url: change.url, body: {} }, change)).toEqual({
    ...{ status: 200, host: 'api.github.com', credential: token, redirect: null, savedTo: null },
  })
  expect(httpOutcomeOf({ status: 200 }, { ...change, address: 'https://ghe.example' }).host).toBe('https://ghe.example')
})

test('a redirect is told, whether it was followed or is the answer', () => {
  const followed = httpOutcomeOf({ status: 200, url: 'https://cdn.example/a' }, change)
  expect(followed.redirect).toEqual({ to: 'https://cdn.example/a', isFollowed: true })
  const kept = httpOutcomeOf({ status: 302, url: change.url, headers: { location: 'https://b.example/' } }, change)
  expect(kept.redirect).toEqual({ to: 'https://b.example/', isFollowed: false })
  const onHost = httpOutcomeOf({ status: 200, url: 'https://api.github.com/users/ada' }, change)
  expect(onHost.redirect).toBeNull()
  // Asked at an address of the person's own, the answer's URL is that one: no redirect.
  const own = { ...change, address: 'http://127.0.0.1:1' }
  expect(httpOutcomeOf({ status: 200, url: 'http://127.0.0.1:1/user' }, own).redirect).toBeNull()
})

test('where the answer was saved is what came back, else what was asked for', () => {
  expect(httpOutcomeOf({ status: 200, saved_to: 'a.json' }, change).savedTo).toBe('a.json')
  expect(httpOutcomeOf({ status: 200, saved: { path: 'b.bin', bytes: 3 } }, change).savedTo).toBe('b.bin')
  expect(httpOutcomeOf({ status: 200 }, { ...change, saveTo: 'c.json' }).savedTo).toBe('c.json')
})

test('what is not on record is not made up', () => {
  expect(httpOutcomeOf('text', null)).toEqual({
    ...{ status: null, host: null, credential: null, redirect: null, savedTo: null },
  })
})
