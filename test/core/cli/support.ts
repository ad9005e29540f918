import { PassThrough } from 'node:stream'
import type { Access } from '../../../core/cli/access.ts'
import { createTerminal } from '../../../core/cli/terminal.ts'
import type { Engine } from '../../../core/engine.ts'

/** An engine of this process, as commands see it; closing it is the test's. */
export function accessTo(engine: Engine, options: Partial<Access> = {}): Access {
  return {
    isOwn: true,
    whenLeft: '',
    call: (name, input) => engine.api.call(name, input),
    subscribe: engine.subscribe,
    close: async () => undefined,
    ...options,
  }
}

/** A person at a terminal, who types when asked: `null` ends the input. */
export function personAt(typed: readonly (string | null)[]) {
  const [input, out, err] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const questions: string[] = []
  let shown = ''
  out.on('data', (chunk) => {
    const text = String(chunk)
    shown += text
    if (!text.endsWith('? ') && !text.endsWith(') ') && !text.endsWith(': ')) return
    questions.push(text)
    const answer = typed[questions.length - 1]
    if (answer === undefined || answer === null) input.end()
    else input.write(`${answer}\n`)
  })
  const streams = { in: Object.assign(input, { isTTY: true }), out: Object.assign(out, { isTTY: true }), err }
  return {
    terminal: createTerminal(streams, false),
    questions,
    shown: () => shown,
    err: () => String(err.read() ?? ''),
  }
}

/** What a command prints for programs, or for people whose output goes to a file. */
export function printed(isJson: boolean) {
  const [out, err] = [new PassThrough(), new PassThrough()]
  const text = () => String(out.read() ?? '')
  return {
    terminal: createTerminal({ out, err }, isJson),
    text,
    err: () => String(err.read() ?? ''),
    lines: () =>
      text()
        .trim()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
  }
}
