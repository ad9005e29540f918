import fs from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, test } from 'vitest'
import type { ActionContext } from '../../../../core/capabilities/action.ts'
import { createHttpAction } from '../../../../core/capabilities/actions/http.ts'
import type { HttpAccess, SkillAccess } from '../../../../core/capabilities/http/access.ts'
import { createNetwork } from '../../../../core/capabilities/network/network.ts'
import { AppError } from '../../../../core/domain/error.ts'
import { createRedactor } from '../../../../core/domain/leaks/redactor.ts'
import { limits } from '../../../../core/domain/limits.ts'
import { folderWith, temporaryFolder } from '../../../support/engine.ts'
import { json, listen } from '../../../support/loopback.ts'

const secret = 'value-of-the-tracker-token'

interface World {
  readonly skills?: readonly SkillAccess[]
  readonly origins?: readonly string[]
  readonly folder?: string
  readonly values?: Readonly<Record<string, string>>
}

const tracker = (more: Partial<SkillAccess> = {}): SkillAccess => ({
  skill: 'tracker',
  isTrusted: true,
  credentials: [
    {
      ...{ name: 'tracker_token', provider: 'tracker', skill: 'tracker', location: { type: 'bearer' } },
      ...{ hosts: ['api.tracker.example.com'], pathPrefixes: [] },
    },
  ],
  openHosts: ['open.tracker.example.com'],
  addresses: {},
  ...more,
})

/** The action as the door runs it: review, preflight, run with what the preflight found. */
function world({ skills = [], origins = [], folder = temporaryFolder(), values = { tracker_token: secret } }: World) {
  const answered: [string, number][] = []
  const access: HttpAccess = {
    ofThread: () => skills,
    origins: () => origins,
    async value({ name }) {
      const found = values[name]
      if (found !== undefined) return found
      throw new AppError('http.credential', { message: `${name} is not connected`, userMessage: 'Connect it.' })
    },
    answered: ({ name }, status) => void answered.push([name, status]),
  }
  const bases = skills.flatMap((skill) => Object.values(skill.addresses)).map((base) => new URL(base).origin)
  const network = createNetwork({
    resolve: async () => ['127.0.0.1'],
    isOwn: ({ origin }) => origins.includes(origin) || bases.includes(origin),
  })
  const known = Object.entries(values).map(([name, value]) => ({ name, value }))
  const redactor = createRedactor({ known: () => known })
  const action = createHttpAction({ access, network, redactor })
  const context: ActionContext = {
    ...{ projectId: 'p', folder, dataDir: '/nowhere/data', threadId: 't', callKey: 't/1/1', now: 0, timeZone: 'UTC' },
    signal: new AbortController().signal,
    resultCharacters: limits.actionResultCharacters,
    memory: { write: never, read: () => undefined, search: never },
    trash: { place: () => path.join(temporaryFolder(), 'kept'), record: () => undefined },
    sources: [],
    note: () => undefined,
    notify: () => undefined,
  }
  const review = (asked: object) => action.review?.(action.parameters.parse(asked), context)
  const preflight = async (asked: object) => action.preflight?.(action.parameters.parse(asked), context)
  const call = async (asked: object) => {
    const parameters = action.parameters.parse(asked)
    await action.review?.(parameters, context)
    const found = await action.preflight?.(parameters, context)
    return action.run(parameters, { ...context, ...(found && { guard: found.guard }) })
  }
  return { action, review, preflight, call, answered, folder, context }
}

function never(): never {
  throw new Error('nobody asks for this here')
}

describe('a request', () => {
  it('sends what its author wrote, and answers data as data', async () => {
    const server = await listen((_request, response) => json(response, 200, { items: [1, 2] }))
    const { call } = world({ origins: [server.base] })
    const answer = await call({
      url: `${server.base}/list?a=1`,
      query: { b: 'x y', c: [1, 2], d: null },
      headers: { Accept: 'text/x' },
    })
    expect(answer).toMatchObject({
      status: 200,
      body: { items: [1, 2] },
      headers: { 'content-type': 'application/json' },
    })
    expect(server.received).toMatchObject([
      { method: 'GET', url: '/list?a=1&b=x+y&c=1&c=2', headers: { accept: 'text/x' } },
    ])
  })

  it.each([
    ['data', { body: { a: [1] } }, '{"a":[1]}', 'application/json'],
    ['data as json', { json: 'word' }, '"word"', 'application/json'],
    ['text that is JSON', { body: '{"a":1}' }, '{"a":1}', 'application/json'],
    ['text', { body: 'hello' }, 'hello', 'text/plain;charset=utf-8'],
    ['text of a type', { body: '<a/>', headers: { 'Content-Type': 'text/xml' } }, '<a/>', 'text/xml'],
    ['a form', { form: { a: 'x y', b: ['1', '2'] } }, 'a=x+y&b=1&b=2', 'application/x-www-form-urlencoded'],
  ])('sends %s', async (_what, given, body, type) => {
    const server = await listen((_request, response) => json(response, 201, null))
    const { call } = world({ origins: [server.base] })
    expect(await call({ method: 'post', url: server.base, ...given })).toMatchObject({ status: 201, body: null })
    expect(server.received).toMatchObject([{ method: 'POST', body, headers: { 'content-type': type } }])
  })

  it('that is refused by the service is an answer, not a failure', async () => {
    const server = await listen((_request, response) => json(response, 422, { message: 'no title' }))
    const { call } = world({ origins: [server.base] })
    expect(await call({ url: server.base })).toMatchObject({ status: 422, body: { message: 'no title' } })
  })

  it.each([
    [{ url: 'api.example.com/x' }, 'action.args'],
    [{ url: 'https://a.example.com', body: 'x' }, 'action.args'],
    [{ method: 'POST', url: 'https://a.example.com', body: 'x', json: {} }, 'action.args'],
    [{ method: 'POST', url: 'https://a.example.com', body: 'x', form: { a: 1 } }, 'action.args'],
    [{ url: 'https://a.example.com', headers: { Host: 'other' } }, 'http.header'],
    [{ url: 'https://a.example.com', headers: { 'x-a': 'b\r\nx-c: d' } }, 'http.header'],
    [{ url: 'https://a.example.com', headers: { 'bad name': 'b' } }, 'http.header'],
    [{ url: 'http://a.example.com' }, 'http.scheme'],
    [{ url: 'ftp://a.example.com' }, 'http.refused'],
  ])('that cannot be right is refused before anything is sent: %j', async (asked, code) => {
    await expect(world({}).call(asked)).rejects.toMatchObject({ code })
  })

  it(`may have a URL of ${limits.httpUrlCharacters} characters`, async () => {
    const { review } = world({})
    const url = (length: number) => `https://a.example.com/${'x'.repeat(length - 22)}`
    expect(url(limits.httpUrlCharacters)).toHaveLength(limits.httpUrlCharacters)
    expect(review({ url: url(limits.httpUrlCharacters) })).toMatchObject({ verdict: 'ask' })
    expect(() => review({ url: url(limits.httpUrlCharacters), query: { a: 1 } })).toThrow(/characters/)
  })

  it(`may take ${limits.httpMostMs} ms, and not longer`, async () => {
    const { action } = world({})
    const seconds = limits.httpMostMs / 1_000
    const parse = (timeout_seconds: number) =>
      action.parameters.safeParse({ url: 'https://a.example.com', timeout_seconds })
    expect(parse(seconds).success).toBe(true)
    expect(parse(seconds + 1).success).toBe(false)
    const slow = await listen(() => undefined)
    const { call } = world({ origins: [slow.base] })
    await expect(call({ url: slow.base, timeout_seconds: 1 })).rejects.toMatchObject({
      code: 'http.timeout',
      retryable: true,
    })
  })
})

describe('who is asked', () => {
  const listed = { skills: [tracker()], origins: ['https://mine.example.com'] }

  it.each([
    ['reading an open host of an active skill', { url: 'https://open.tracker.example.com/x' }],
    ['reading a host that the person allowed', { url: 'https://mine.example.com/x' }],
  ])('nobody for %s', (_what, asked) => {
    expect(world(listed).review(asked)).toEqual({
      ...{ verdict: 'allow', effects: ['ReadExternal'], isIdempotent: true },
      known: [new URL(asked.url).host, 'https'],
      askedFor: expect.arrayContaining(['read']),
    })
  })

  it.each([
    ['a host that nobody named', { url: 'https://other.example.com/x' }, ['ReadExternal'], 'GET other.example.com'],
    [
      'a credential',
      { url: 'https://api.tracker.example.com/x' },
      ['ReadExternal', 'CredentialedNetwork'],
      'GET api.tracker.example.com/x',
    ],
    [
      'a change',
      { method: 'POST', url: 'https://mine.example.com/a/b?c=1' },
      ['WriteExternal'],
      'POST mine.example.com/a/b',
    ],
    [
      'a file that is written',
      { url: 'https://mine.example.com/x', save_to: 'x.txt' },
      ['ReadExternal', 'ReadLocal', 'WriteLocal'],
      'GET mine.example.com > file',
    ],
  ])('a person for %s', (_what, asked, effects, scopeKey) => {
    expect(world(listed).review(asked)).toMatchObject({ verdict: 'ask', effects, scopeKey })
  })

  it.each([
    ['files that leave', { method: 'POST', url: 'https://mine.example.com', files: [{ path: 'a' }] }],
    ['a file that other programs obey', { url: 'https://mine.example.com', save_to: '.git/hooks/post-commit' }],
  ])('a person each time for %s', (_what, asked) => {
    expect(world(listed).review(asked)).toMatchObject({ verdict: 'ask', scopeKey: null })
  })

  it('knows a host of another spelling, and no host that only looks alike', () => {
    const { review } = world(listed)
    const scopeOf = (url: string) => review({ url })
    expect(scopeOf('https://OPEN.tracker.example.com./x')).toMatchObject({ verdict: 'allow' })
    for (const url of [
      'https://open.tracker.example.com.evil.org/x',
      'https://xopen.tracker.example.com/x',
      'https://open.tracker.example.com:8443/x',
      'https://mine.example.com:8443/x',
    ]) {
      expect(scopeOf(url)).toMatchObject({ verdict: 'ask' })
    }
  })
})

test('what a person must have said goes by the method: to list is not to close', () => {
  const { review } = world({ skills: [tracker()] })
  const verbs = (method: string) => [
    ...(Object(review({ method, url: 'https://api.tracker.example.com/x' })).askedFor ?? []),
  ]
  expect(verbs('GET')).toContain('list')
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    for (const reading of ['list', 'read', 'get', 'look', 'find', 'tell', 'show'])
      expect(verbs(method)).not.toContain(reading)
  }
  expect(verbs('PATCH')).toContain('close')
  expect(verbs('DELETE')).toContain('delete')
})

test('a skill from elsewhere does not say which hosts may be read unasked', () => {
  const { review } = world({ skills: [tracker({ isTrusted: false })] })
  expect(review({ url: 'https://open.tracker.example.com/x' })).toMatchObject({ verdict: 'ask', known: [] })
})

describe('a credential', () => {
  it('is added to its host at the boundary, goes to the person’s own server where there is one, and is told by name', async () => {
    const server = await listen((_request, response) => json(response, 200, { ok: true }))
    const { call, answered } = world({
      skills: [tracker({ addresses: { 'api.tracker.example.com': `${server.base}/api/v3` } })],
    })
    const answer = await call({ url: 'https://api.tracker.example.com/issues?page=2' })
    expect(answer).toMatchObject({ status: 200, credential: 'tracker/tracker_token', sent_to: `${server.base}/api/v3` })
    expect(JSON.stringify(answer)).not.toContain(secret)
    expect(server.received).toMatchObject([
      { url: '/api/v3/issues?page=2', headers: { authorization: `Bearer ${secret}` } },
    ])
    expect(answered).toEqual([['tracker_token', 200]])
  })

  it('in a query does not stand in the answer', async () => {
    const [credential] = tracker().credentials
    const server = await listen((request, response) => json(response, 200, { path: request.url.split('?')[0] }))
    const inQuery = {
      ...(credential ?? expect.fail('no credential')),
      location: { type: 'query', name: 'key' },
    } as const
    const { call } = world({
      skills: [tracker({ credentials: [inQuery], addresses: { 'api.tracker.example.com': server.base } })],
    })
    const answer = await call({ url: 'https://api.tracker.example.com/x?a=1' })
    expect(server.received[0]?.url).toBe(`/x?a=1&key=${secret}`)
    expect(JSON.stringify(answer)).not.toContain(secret)
    expect(answer).toMatchObject({ url: `${server.base}/x?a=1` })
  })

  it('that is not connected is said before anybody is asked', async () => {
    const { preflight } = world({ skills: [tracker()], values: {} })
    await expect(preflight({ url: 'https://api.tracker.example.com/x' })).rejects.toMatchObject({
      code: 'http.credential',
    })
  })

  it('that the service refuses is told with what to do', async () => {
    const server = await listen((_request, response) => json(response, 401, {}))
    const { call, answered } = world({ skills: [tracker({ addresses: { 'api.tracker.example.com': server.base } })] })
    const answer = await call({ url: 'https://api.tracker.example.com/x' })
    expect(answer).toMatchObject({ status: 401, problem: expect.stringContaining('Integrations') })
    expect(answered).toEqual([['tracker_token', 401]])
  })

  it('of the caller’s own is not taken to a host that has one', () => {
    const { review } = world({ skills: [tracker()] })
    const url = 'https://api.tracker.example.com/x'
    for (const headers of [{ Authorization: 'Bearer mine' }, { 'X-Api-Key': 'mine' }, { cookie: 'a=b' }]) {
      expect(() => review({ url, headers })).toThrow(expect.objectContaining({ code: 'http.header' }))
    }
  })

  it('does not follow a redirect to another host', async () => {
    const other = await listen((_request, response) => json(response, 200, {}))
    const server = await listen((_request, response) =>
      response.writeHead(302, { location: `${other.base}/take` }).end(),
    )
    const { call } = world({
      skills: [tracker({ addresses: { 'api.tracker.example.com': server.base } })],
      origins: [other.base],
    })
    await call({ url: 'https://api.tracker.example.com/x' })
    expect(other.received).toMatchObject([{ url: '/take' }])
    expect(other.received[0]?.headers.authorization).toBeUndefined()
  })

  it('for some paths follows no redirect, which could lead to another', async () => {
    const server = await listen((request, response) =>
      request.url === '/v1/x' ? response.writeHead(302, { location: '/admin' }).end() : json(response, 200, {}),
    )
    const [credential] = tracker().credentials
    const narrow = { ...(credential ?? expect.fail('no credential')), pathPrefixes: ['/v1'] }
    const { call } = world({
      skills: [tracker({ credentials: [narrow], addresses: { 'api.tracker.example.com': server.base } })],
    })
    expect(await call({ url: 'https://api.tracker.example.com/v1/x' })).toMatchObject({
      status: 302,
      redirect_not_followed: '/admin',
    })
    expect(server.received).toHaveLength(1)
  })

  it('what is approved goes where it was said to go: another address in between asks again', async () => {
    const server = await listen((_request, response) => json(response, 200, {}))
    const addresses: Record<string, string> = { 'api.tracker.example.com': server.base }
    const { action, preflight, context } = world({ skills: [tracker({ addresses })] })
    const asked = { method: 'POST', url: 'https://api.tracker.example.com/x' }
    const found = (await preflight(asked)) ?? expect.fail('no preflight')
    addresses['api.tracker.example.com'] = 'https://elsewhere.example.com'
    await expect(action.run(action.parameters.parse(asked), { ...context, guard: found.guard })).rejects.toMatchObject({
      code: 'approval.stale',
    })
    expect(server.received).toHaveLength(0)
  })
})

describe('what may not leave', () => {
  // Assembled here, so that this file itself holds none.
  const token = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`

  it.each([
    ['the URL', { url: `https://mine.example.com/?t=${token}` }],
    ['a header', { url: 'https://mine.example.com', headers: { 'x-note': token } }],
    ['the body', { method: 'POST', url: 'https://mine.example.com', body: { note: `see ${token}` } }],
    ['a field', { method: 'POST', url: 'https://mine.example.com', form: { note: token } }],
    [
      'a field in percent-encoding',
      { method: 'POST', url: 'https://mine.example.com', body: `n=%67hp_${token.slice(4)}` },
    ],
  ])('a secret in %s stops the request', async (_where, asked) => {
    const { preflight } = world({ origins: ['https://mine.example.com'] })
    const refused = await preflight(asked).catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'http.leak' })
    expect(String(refused)).not.toContain(token)
  })

  it('nor a credential that is kept here, however it is written', async () => {
    const { preflight } = world({ origins: ['https://mine.example.com'] })
    const written = [
      secret,
      Buffer.from(secret).toString('base64'),
      Buffer.from(secret).toString('hex'),
      [...secret].join(' '),
    ]
    for (const note of written) {
      const refused = preflight({ method: 'POST', url: 'https://mine.example.com', body: { note } })
      await expect(refused).rejects.toMatchObject({ code: 'http.leak', data: { what: 'stored-key' } })
    }
  })

  it('nor a kept key in the middle of a large file, looked at piece by piece', async () => {
    const folder = folderWith({ 'a.txt': `${'word '.repeat(200_000)}${token}${' word'.repeat(1_000)}` })
    const { preflight } = world({ origins: ['https://mine.example.com'], folder })
    const asked = { method: 'POST', url: 'https://mine.example.com', files: [{ path: 'a.txt' }] }
    await expect(preflight(asked)).rejects.toMatchObject({ code: 'http.leak', data: { start: 1_000_000 } })
    fs.writeFileSync(path.join(folder, 'a.bin'), Buffer.concat([Buffer.alloc(2_000_000), Buffer.from(secret)]))
    await expect(preflight({ ...asked, files: [{ path: 'a.bin' }] })).rejects.toMatchObject({
      data: { what: 'stored-key', start: 2_000_000 },
    })
  })

  it('nor in a file that is uploaded', async () => {
    const { preflight } = world({
      origins: ['https://mine.example.com'],
      folder: folderWith({ 'a.env': `T=${token}` }),
    })
    const asked = { method: 'POST', url: 'https://mine.example.com', files: [{ path: 'a.env' }] }
    await expect(preflight(asked)).rejects.toMatchObject({ code: 'http.leak', data: { where: 'the file "a.env"' } })
  })
})

describe('files', () => {
  it('are sent as multipart, beside the fields of a form', async () => {
    const server = await listen((_request, response) => json(response, 200, {}))
    const { call } = world({ origins: [server.base], folder: folderWith({ 'docs/a.txt': 'hello file' }) })
    await call({
      method: 'POST',
      url: server.base,
      form: { title: 'A' },
      files: [{ path: 'docs/a.txt', type: 'text/plain' }],
    })
    const [received] = server.received
    expect(received?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
    expect(received?.body).toContain('name="title"')
    expect(received?.body).toMatch(/name="file"; filename="a\.txt"\r\nContent-Type: text\/plain\r\n\r\nhello file/)
  })

  it('outside of the project are not', async () => {
    const { preflight } = world({ origins: ['https://mine.example.com'] })
    const asked = { method: 'POST', url: 'https://mine.example.com', files: [{ path: '../secret.txt' }] }
    await expect(preflight(asked)).rejects.toMatchObject({ code: 'action.outside' })
  })

  it('that changed since somebody agreed are not', async () => {
    const server = await listen((_request, response) => json(response, 200, {}))
    const folder = folderWith({ 'a.txt': 'as approved' })
    const { action, preflight, context } = world({ origins: [server.base], folder })
    const asked = { method: 'POST', url: server.base, files: [{ path: 'a.txt' }] }
    const found = (await preflight(asked)) ?? expect.fail('no preflight')
    fs.writeFileSync(path.join(folder, 'a.txt'), 'something else')
    await expect(action.run(action.parameters.parse(asked), { ...context, guard: found.guard })).rejects.toMatchObject({
      code: 'approval.stale',
    })
    expect(server.received).toHaveLength(0)
  })

  it(`may be ${limits.httpUploadFiles}, of ${limits.httpUploadBytes} bytes together`, async () => {
    const folder = folderWith({ 'a.bin': '' })
    fs.writeFileSync(path.join(folder, 'a.bin'), Buffer.alloc(limits.httpUploadBytes))
    fs.writeFileSync(path.join(folder, 'b.bin'), 'x')
    const { action, preflight } = world({ origins: ['https://mine.example.com'], folder })
    const asked = (files: object[]) => ({ method: 'POST', url: 'https://mine.example.com', files })
    await expect(preflight(asked([{ path: 'a.bin' }]))).resolves.toBeDefined()
    await expect(preflight(asked([{ path: 'a.bin' }, { path: 'b.bin' }]))).rejects.toMatchObject({
      code: 'http.too_large',
    })
    const many = Array.from({ length: limits.httpUploadFiles + 1 }, () => ({ path: 'b.bin' }))
    expect(action.parameters.safeParse(asked(many.slice(1))).success).toBe(true)
    expect(action.parameters.safeParse(asked(many)).success).toBe(false)
  })
})

describe('what comes back', () => {
  const answering = async (type: string | null, body: string | Buffer, more: Record<string, string> = {}) => {
    const server = await listen((_request, response) =>
      response.writeHead(200, { ...(type !== null && { 'content-type': type }), ...more }).end(body),
    )
    return world({ origins: [server.base] }).call({ url: server.base })
  }

  it.each([
    ['text/plain', 'hello', 'hello'],
    ['application/problem+json; charset=utf-8', '{"a":1}', { a: 1 }],
    ['text/plain; charset=iso-8859-1', Buffer.from([0x68, 0xe9]), 'hé'],
    [null, '[1]', [1]],
    ['application/json', '{"a":', '{"a":'],
    ['text/plain; charset=nonsense', 'hé', 'hé'],
  ])('%s %s', async (type, sent, body) => {
    expect(await answering(type, sent)).toMatchObject({ body })
  })

  it('a page comes as its text, with its links, without scripts', async () => {
    const page =
      '<html><head><title>T</title><script>evil()</script></head><body><h1>Head</h1><p>One <a href="https://a.example.com/x">link</a></p><style>p{}</style></body></html>'
    const answer = await answering('text/html; charset=utf-8', page)
    expect(JSON.stringify(answer)).toMatch(/Head.*One link \[https:\/\/a\.example\.com\/x\]/)
    expect(JSON.stringify(answer)).not.toMatch(/evil|p\{\}/)
  })

  it('bytes that are no text are not shown: they can be saved', async () => {
    const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0])
    expect(await answering('image/png', png)).toMatchObject({ body: null, note: expect.stringContaining('save_to') })
  })

  it('holds no cookie and nothing that asks for credentials', async () => {
    const headers = { 'set-cookie': 'session=abc', 'www-authenticate': 'Basic', link: '<x>; rel="next"' }
    const answer = await answering('text/plain', 'x', headers)
    expect(answer).toMatchObject({ headers: { link: '<x>; rel="next"' } })
    expect(JSON.stringify(answer)).not.toMatch(/session|Basic/)
  })

  it(`is read up to ${limits.httpResponseBytes} bytes, of what a small answer opens to as well, and says so`, async () => {
    const whole = await answering('text/plain', gzipSync(Buffer.alloc(limits.httpResponseBytes, 'a')), {
      'content-encoding': 'gzip',
    })
    expect(whole).toMatchObject({ note: expect.stringContaining(`${limits.httpResponseBytes} characters`) })
    const cut = await answering('text/plain', gzipSync(Buffer.alloc(limits.httpResponseBytes + 1, 'a')), {
      'content-encoding': 'gzip',
    })
    expect(cut).toMatchObject({ note: expect.stringContaining(`more than ${limits.httpResponseBytes} bytes`) })
  })
})

test('a body that takes more room in JSON than in itself is cut so that it fits', async () => {
  const text = '"\n'.repeat(limits.actionResultCharacters / 2)
  const server = await listen((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/plain' }).end(text),
  )
  const answer = await world({ origins: [server.base] }).call({ url: server.base })
  expect(JSON.stringify(answer).length).toBeLessThanOrEqual(limits.actionResultCharacters)
  expect(answer).toMatchObject({ note: expect.stringContaining(`of ${text.length} characters`) })
})

describe('an answer that is saved', () => {
  it('and cannot be kept does not hide that the request was sent', async () => {
    const server = await listen((_request, response) => {
      // Somebody else makes the file while the request is on its way.
      fs.writeFileSync(path.join(folder, 'a.json'), 'mine')
      json(response, 201, { id: 7 })
    })
    const { call, folder } = world({ origins: [server.base] })
    const answer = await call({ method: 'POST', url: server.base, save_to: 'a.json' })
    expect(answer).toMatchObject({ status: 201, not_saved: expect.stringContaining('The request was sent.') })
    expect(fs.readFileSync(path.join(folder, 'a.json'), 'utf8')).toBe('mine')
  })

  it('holds no key that is kept here', async () => {
    const server = await listen((request, response) => response.end(String(request.headers.authorization)))
    const { call, folder } = world({ skills: [tracker({ addresses: { 'api.tracker.example.com': server.base } })] })
    await expect(call({ url: 'https://api.tracker.example.com/x', save_to: 'a.txt' })).rejects.toMatchObject({
      code: 'http.leak',
    })
    expect(fs.existsSync(path.join(folder, 'a.txt'))).toBe(false)
  })

  it('becomes a file of the project, and replaces one only when told to', async () => {
    const server = await listen((_request, response) =>
      response.writeHead(200, { 'content-type': 'image/png' }).end('bytes'),
    )
    const { call, folder } = world({ origins: [server.base] })
    expect(await call({ url: server.base, save_to: 'down/a.png' })).toMatchObject({
      status: 200,
      saved: 'down/a.png',
      bytes: 5,
    })
    expect(fs.readFileSync(path.join(folder, 'down/a.png'), 'utf8')).toBe('bytes')
    fs.writeFileSync(path.join(folder, 'down/a.png'), 'mine')
    await expect(call({ url: server.base, save_to: 'down/a.png' })).rejects.toMatchObject({ code: 'action.conflict' })
    await call({ url: server.base, save_to: 'down/a.png', overwrite: true })
    expect(fs.readFileSync(path.join(folder, 'down/a.png'), 'utf8')).toBe('bytes')
  })

  it('is not saved when the service says no: the answer is shown', async () => {
    const server = await listen((_request, response) => json(response, 404, { message: 'none' }))
    const { call, folder } = world({ origins: [server.base] })
    expect(await call({ url: server.base, save_to: 'a.json' })).toMatchObject({
      status: 404,
      body: { message: 'none' },
    })
    expect(fs.existsSync(path.join(folder, 'a.json'))).toBe(false)
  })

  it(`may have ${limits.httpFileBytes} bytes; of a larger one nothing is written`, async () => {
    const opened = (bytes: number) => gzipSync(Buffer.alloc(bytes))
    const sizes = [limits.httpFileBytes, limits.httpFileBytes + 1]
    const server = await listen((request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(opened(Number(request.url.slice(1)))),
    )
    const { call, folder } = world({ origins: [server.base] })
    expect(await call({ url: `${server.base}/${sizes[0]}`, save_to: 'fits.bin' })).toMatchObject({
      bytes: limits.httpFileBytes,
    })
    await expect(call({ url: `${server.base}/${sizes[1]}`, save_to: 'not.bin' })).rejects.toMatchObject({
      code: 'http.too_large',
    })
    expect(fs.existsSync(path.join(folder, 'not.bin'))).toBe(false)
  })
})

test('an address of one’s own network is reached only where the person named it', async () => {
  const server = await listen((_request, response) => json(response, 200, {}))
  const { call } = world({ skills: [tracker({ openHosts: ['localhost.example.com'] })] })
  await expect(call({ url: 'https://localhost.example.com/' })).rejects.toMatchObject({
    code: 'http.refused',
    data: { code: 'SSRF_LOOPBACK' },
  })
  expect(server.connections).toBe(0)
})
