import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { createTerminal } from '../../../core/cli/terminal.ts'
import { AppError } from '../../../core/domain/error.ts'
import { fakeSecret } from '../domain/leaks/fake-secrets.ts'

function terminal({ isTTY = true, isJson = false } = {}) {
  const [out, err] = [new PassThrough(), new PassThrough()]
  const created = createTerminal({ out: Object.assign(out, { isTTY }), err }, isJson)
  return { ...created, out: () => String(out.read() ?? ''), err: () => String(err.read() ?? '') }
}

/** Clears the screen, names the window, hides, goes back over the line; in 7 and in 8 bits. */
const hostile = 'a\u001b[2Jb\u001b]0;title\u0007c\u009b31md\u0008\u007fe\rf'

describe('what comes from outside cannot steer the terminal', () => {
  test.each([
    ['line', (t: ReturnType<typeof terminal>) => t.line(hostile)],
    ['write', (t: ReturnType<typeof terminal>) => t.write(hostile)],
    ['dim', (t: ReturnType<typeof terminal>) => t.line(t.dim(hostile))],
    ['status', (t: ReturnType<typeof terminal>) => t.line(t.status(hostile, true))],
    ['note', (t: ReturnType<typeof terminal>) => t.note(hostile)],
    ['fail', (t: ReturnType<typeof terminal>) => t.fail(new AppError('usage', { message: hostile, userMessage: '' }))],
  ])('%s', (_, print) => {
    const shown = terminal()
    print(shown)
    const text = shown.out() + shown.err()
    expect(text).toContain('a[2Jb]0;titlec31mde\nf')
    const own = text.replaceAll('\u001b[2m', '').replaceAll('\u001b[32m', '').replaceAll('\u001b[0m', '')
    expect(own).not.toMatch(/[^\P{Cc}\n\t]/u)
  })

  test('one character at a time neither', () => {
    const shown = terminal()
    for (const character of hostile) shown.write(character)
    expect(shown.out()).toBe('a[2Jb]0;titlec31mde\nf')
  })

  test('line breaks, tabs and every script stay', () => {
    const shown = terminal()
    shown.line('\tžluťoučký 漢字 🙂\nnext')
    expect(shown.out()).toBe('\tžluťoučký 漢字 🙂\nnext\n')
  })

  test('a value for programs is whole, and harmless where a terminal shows it', () => {
    const shown = terminal({ isJson: true })
    shown.json({ text: hostile })
    const line = shown.out()
    expect(JSON.parse(line)).toEqual({ text: hostile })
    expect(line.trimEnd()).not.toMatch(/\p{Cc}/u)
  })
})

describe('colour', () => {
  test('is for a terminal only', () => {
    const [shown, piped] = [terminal(), terminal({ isTTY: false })]
    for (const each of [shown, piped]) each.line(each.status('ok', true), ' ', each.dim('small'))
    expect(shown.out()).toBe('\u001b[32mok\u001b[0m \u001b[2msmall\u001b[0m\n')
    expect(piped.out()).toBe('ok small\n')
  })
})

describe('an error', () => {
  const error = new AppError('store.busy', { message: 'owned', userMessage: 'In use.', data: { pid: 7 } })

  test('is code and words for people', () => {
    const shown = terminal()
    shown.fail(error)
    expect(shown.err()).toBe('store.busy: In use. (owned)\n')
  })

  test('is code, message and data for programs, on stderr', () => {
    const shown = terminal({ isJson: true })
    shown.fail(error)
    expect(JSON.parse(shown.err())).toEqual({ error: { code: 'store.busy', message: 'owned', data: { pid: 7 } } })
    expect(shown.out()).toBe('')
  })
})

describe('a secret', () => {
  function asking({ isTTY }: { readonly isTTY: boolean }) {
    const [input, out, err] = [new PassThrough(), new PassThrough(), new PassThrough()]
    const streams = { in: Object.assign(input, { isTTY }), out: Object.assign(out, { isTTY }), err }
    const shown = () => `${out.read() ?? ''}${err.read() ?? ''}`
    return { input, shown, secret: createTerminal(streams, false).askSecret('Key for Mine: ') }
  }

  test('that is typed is shown nowhere', async () => {
    const { input, shown, secret } = asking({ isTTY: true })
    for (const character of 'sk-1234\r') input.write(character)
    expect(await secret).toBe('sk-1234')
    expect(shown()).toBe('Key for Mine: \n')
  })

  test('that is piped in is its first line, without a question', async () => {
    const { input, shown, secret } = asking({ isTTY: false })
    input.end('sk-1234\nrest\n')
    expect(await secret).toBe('sk-1234')
    expect(shown()).toBe('')
  })

  test('that never comes is null', async () => {
    const { input, secret } = asking({ isTTY: false })
    input.end()
    expect(await secret).toBeNull()
  })
})

test('an error that quotes a token is printed without it, for people and for programs', () => {
  const token = fakeSecret('{cat:gh}p_{b62:36}', 'terminal')
  for (const isJson of [false, true]) {
    const shown = terminal({ isJson })
    shown.fail(new AppError('usage', { message: `bad value ${token}`, userMessage: 'No.', data: { token } }))
    const text = shown.err()
    expect(text).toContain('bad value [redacted: github-classic]')
    expect(text).not.toContain(token)
  }
})
