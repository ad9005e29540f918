import net from 'node:net'
import readline from 'node:readline'
import { z } from 'zod'
import { type Action, defineAction } from '../../core/capabilities/action.ts'

/**
 * Actions upon the world of `world.ts`. `touch` and `ask_touch` must never be repeated; `put` may, its key makes it one effect.
 * What they answer is nobody's text, so that the same calls ask a person in every life.
 */
export function worldActions(port: number): readonly Action[] {
  const world = connect(port)
  const keyed = z.strictObject({ key: z.string() })
  return [
    defineAction({
      name: 'touch',
      description: 'Touches the world; cannot be taken back.',
      parameters: keyed,
      effects: ['WriteLocal'],
      isIdempotent: false,
      source: () => null,
      summarize: ({ key }) => key,
      run: ({ key }) => world(`touch ${key}`),
    }),
    defineAction({
      name: 'ask_touch',
      description: 'Touches the world once a person agreed.',
      parameters: keyed,
      effects: ['WriteLocal'],
      isIdempotent: false,
      source: () => null,
      summarize: ({ key }) => key,
      review: () => ({ verdict: 'ask', reason: 'touches the world', scopeKey: null }),
      run: ({ key }) => world(`touch ${key}`),
    }),
    defineAction({
      name: 'put',
      description: 'Puts a value under a key.',
      parameters: keyed,
      effects: ['WriteLocal'],
      isIdempotent: true,
      source: () => null,
      summarize: ({ key }) => key,
      run: ({ key }, { callKey }) => world(`put ${key} ${callKey}`),
    }),
    defineAction({
      name: 'get',
      description: 'Reads a value.',
      parameters: keyed,
      effects: ['ReadLocal'],
      isIdempotent: true,
      source: () => null,
      summarize: ({ key }) => key,
      run: async ({ key }) => ((await world(`get ${key}`)) === 'nothing' ? 'nothing' : 'something'),
    }),
  ]
}

function connect(port: number): (request: string) => Promise<string> {
  const waiting = new Map<string, (answer: string) => void>()
  const socket = net.connect(port, '127.0.0.1').setNoDelay()
  socket.unref()
  const lines = readline.createInterface({ input: socket })
  lines.on('line', (line) => {
    const at = line.indexOf(' ')
    waiting.get(line.slice(0, at))?.(line.slice(at + 1))
    waiting.delete(line.slice(0, at))
  })
  let requests = 0
  return (request) => {
    requests += 1
    const id = String(requests)
    return new Promise((resolve) => {
      waiting.set(id, resolve)
      socket.write(`${id} ${request}\n`)
    })
  }
}
