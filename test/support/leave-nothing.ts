import { afterAll, beforeAll, expect, vi } from 'vitest'

/** What a test can change in its process, and the next file in the same process would find. */
function surroundings(): ReadonlyMap<string, unknown> {
  const env = Object.entries(process.env).map(([name, value]) => [`process.env.${name}`, value] as const)
  const signals = ['SIGINT', 'SIGTERM', 'uncaughtException', 'unhandledRejection', 'disconnect']
  const listeners = signals.map((name) => [`listeners for ${name}`, process.listenerCount(name)] as const)
  return new Map<string, unknown>([
    ...env,
    ...listeners,
    ['process.cwd()', process.cwd()],
    ['process.platform', process.platform],
    ['Date', Date],
    ['Date.now', Date.now],
    ['Math.random', Math.random],
    ['performance.now', performance.now],
    ['fetch', fetch],
    ['setTimeout', setTimeout],
    ['setInterval', setInterval],
    ['queueMicrotask', queueMicrotask],
    ['process.stdout.write', process.stdout.write],
    ['process.stderr.write', process.stderr.write],
    ['process.kill', process.kill],
  ])
}

let before = surroundings()
beforeAll(() => {
  before = surroundings()
})
// Registered before those of the file, so it runs after them. Names only: a variable's value may be a secret.
afterAll(() => {
  const after = surroundings()
  vi.useRealTimers()
  const names = [...new Set([...before.keys(), ...after.keys()])]
  const changed = names.filter((name) => before.get(name) !== after.get(name))
  expect(changed, 'this file leaves something behind for the files after it').toEqual([])
})
