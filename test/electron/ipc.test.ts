import { describe, expect, it } from 'vitest'
import { AppError } from '../../core/domain/error.ts'
import { limits } from '../../core/domain/limits.ts'
import { answerCall, type CallRoutes, isTrustedSender, type Sender } from '../../electron/ipc.ts'

const page = 'app://threadsmith/index.html#/chat'
const dev = 'http://127.0.0.1:5173'
const trusted: Sender = { isOurWindow: true, frame: { url: page, isMain: true } }

describe('who may ask', () => {
  it.each<[string, Sender, string | null, boolean]>([
    ['the top frame of our window', trusted, null, true],
    ['a frame inside the page', { isOurWindow: true, frame: { url: page, isMain: false } }, null, false],
    ['another window with our page', { isOurWindow: false, frame: { url: page, isMain: true } }, null, false],
    ['a frame that is gone', { isOurWindow: true, frame: null }, null, false],
    ['another host of the scheme', { isOurWindow: true, frame: { url: 'app://evil/', isMain: true } }, null, false],
    [
      'a host that begins alike',
      { isOurWindow: true, frame: { url: 'app://threadsmith.evil/', isMain: true } },
      null,
      false,
    ],
    ['a web page', { isOurWindow: true, frame: { url: 'https://example.com/', isMain: true } }, null, false],
    ['a blank page', { isOurWindow: true, frame: { url: 'about:blank', isMain: true } }, null, false],
    ['no address', { isOurWindow: true, frame: { url: '', isMain: true } }, null, false],
    ['the dev server from a checkout', { isOurWindow: true, frame: { url: `${dev}/#/chat`, isMain: true } }, dev, true],
    ['the dev server otherwise', { isOurWindow: true, frame: { url: `${dev}/`, isMain: true } }, null, false],
    ['another port', { isOurWindow: true, frame: { url: 'http://127.0.0.1:9999/', isMain: true } }, dev, false],
  ])('%s', (_name, sender, devOrigin, expected) => {
    expect(isTrustedSender(sender, devOrigin)).toBe(expected)
  })
})

describe('a call of the window', () => {
  function recorded(answer: () => unknown = () => 'done') {
    const asked: unknown[] = []
    const take = (route: string) => async (name: string, input: unknown) => {
      asked.push([route, name, input])
      return answer()
    }
    const routes: CallRoutes = { shell: take('shell'), engine: take('engine') }
    return { asked, routes }
  }
  const ask = (routes: CallRoutes, name: unknown, input: unknown, sender = trusted) =>
    answerCall({ sender, name, input }, routes, null)

  it('goes to the shell by its prefix, to the engine otherwise', async () => {
    const { asked, routes } = recorded()
    expect(await ask(routes, 'shell.state', {})).toEqual({ ok: true, value: 'done' })
    await ask(routes, 'thread.send', { text: 'hello' })
    await ask(routes, 'engine.info', undefined)
    expect(asked).toEqual([
      ['shell', 'shell.state', {}],
      ['engine', 'thread.send', { text: 'hello' }],
      ['engine', 'engine.info', {}],
    ])
  })

  it('from anyone else does nothing and says api.sender', async () => {
    const { asked, routes } = recorded()
    const reply = await ask(routes, 'shell.quit', {}, { isOurWindow: true, frame: null })
    expect(reply).toMatchObject({ ok: false, error: { code: 'api.sender' } })
    expect(asked).toEqual([])
  })

  it('may be as large as the limit and not larger', async () => {
    const { asked, routes } = recorded()
    const room = limits.windowCallCharacters - '{"text":""}'.length
    expect(await ask(routes, 'thread.send', { text: 'x'.repeat(room) })).toMatchObject({ ok: true })
    const reply = await ask(routes, 'thread.send', { text: 'x'.repeat(room + 1) })
    expect(reply).toMatchObject({ ok: false, error: { code: 'api.input' } })
    expect(asked).toHaveLength(1)
  })

  it('that is no plain JSON is refused', async () => {
    const { routes } = recorded()
    const cycle: { self?: unknown } = {}
    cycle.self = cycle
    for (const input of [cycle, { n: 1n }]) {
      expect(await ask(routes, 'thread.send', input)).toMatchObject({ ok: false, error: { code: 'api.input' } })
    }
    expect(await ask(routes, 'thread.send', new Map([['a', 1]]))).toMatchObject({ ok: true })
  })

  it.each([[42], [null], ['x'.repeat(65)]])('with the name %s is refused', async (name) => {
    const { routes } = recorded()
    expect(await ask(routes, name, {})).toMatchObject({ ok: false, error: { code: 'api.unknown' } })
  })

  it('that fails comes back as the code and texts of its error, and no stack', async () => {
    const thrown = new AppError('thread.not_found', { message: 'no thread 7', userMessage: 'Thread 7 is gone.' })
    const { routes } = recorded(() => {
      throw thrown
    })
    expect(await ask(routes, 'thread.get', { id: '7' })).toEqual({
      ok: false,
      error: { code: 'thread.not_found', message: 'no thread 7', userMessage: 'Thread 7 is gone.', retryable: false },
    })
  })
})
