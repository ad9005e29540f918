import { fork } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { type CallTable, foldCall } from '../../core/domain/calls.ts'
import { eventsOf, folderWith, startEngine, temporaryFolder } from '../support/engine.ts'

const steps = 200
const kills = Number(process.env.THREADSMITH_KILLS ?? 20)

/** When the process is killed: so many ms after it began to work, or after it was started at all. */
type KillAt = { readonly working: number } | { readonly started: number }

function runProcess(dataDir: string, folder: string, killAt?: KillAt): Promise<'done' | 'killed'> {
  return new Promise((resolve, reject) => {
    const child = fork(path.join(import.meta.dirname, 'engine-process.ts'), [dataDir, folder, String(steps)])
    const kill = () => child.kill('SIGKILL')
    let isDone = false
    if (killAt !== undefined && 'started' in killAt) setTimeout(kill, killAt.started)
    child.on('message', (message) => {
      if (message === 'done') isDone = true
      if (message === 'running' && killAt !== undefined && 'working' in killAt) setTimeout(kill, killAt.working)
    })
    child.on('exit', (code, signal) => {
      if (isDone) resolve('done')
      else if (signal === 'SIGKILL') resolve('killed')
      else reject(new Error(`the process ended with ${code}`))
    })
  })
}

/** Every fourth kill hits the start: opening, recovering, taking up again. */
function killPoint(kill: number): KillAt {
  return kill % 4 === 3 ? { started: 120 + ((kill * 37) % 300) } : { working: 3 + ((kill * 17) % 60) }
}

test(`killed -9 ${kills} times in the middle of a thread: it goes on, nothing is lost and nothing happens twice`, {
  timeout: 300_000,
}, async () => {
  const dataDir = temporaryFolder()
  const folder = folderWith({ 'a.txt': 'x' })
  for (let kill = 0; kill < kills; kill += 1) {
    expect(await runProcess(dataDir, folder, killPoint(kill))).toBe('killed')
  }
  expect(await runProcess(dataDir, folder)).toBe('done')

  const engine = await startEngine({ dataDir })
  const [thread] = (await engine.api.call('thread.list', {})).rows
  const events = eventsOf(engine, thread?.id ?? '')
  expect(thread).toMatchObject({ state: 'Done', outcome: 'answered' })

  const answers = events.flatMap((event) => (event.kind === 'model.completed' ? [event.data.step] : []))
  expect(answers).toEqual(answers.map((_, at) => at))
  expect(thread?.steps).toBe(answers.length)

  const finished = events.flatMap((event) => (event.kind === 'action.finished' ? [event.data] : []))
  const acting = steps - Math.floor(steps / 10)
  expect(new Set(finished.map((data) => data.callId)).size).toBe(finished.length)
  expect(finished).toHaveLength(3 * acting)

  const interrupted = finished.filter((data) => data.code === 'action.interrupted')
  expect(interrupted.every((data) => data.name === 'append_line')).toBe(true)
  const lines = fs.readFileSync(path.join(folder, 'effects.txt'), 'utf8').trimEnd().split('\n')
  expect(new Set(lines).size).toBe(lines.length)
  expect(lines.length).toBeGreaterThanOrEqual(acting - interrupted.length)

  const log = engine.store.docs.byTitle(thread?.projectId ?? '', 'Note', 'log')
  expect(log).toMatchObject({ version: acting, content: `note ${steps - 2}` })
  expect(events.filter((event) => event.kind === 'thread.recovered').length).toBeGreaterThanOrEqual((kills * 3) / 4 - 1)
  const table: CallTable = new Map()
  for (const event of events) foldCall(table, event)
  const { rows } = await engine.api.call('thread.calls', { id: thread?.id ?? '', limit: 5_000 })
  expect(rows).toEqual([...table.values()])
  expect(await engine.store.check()).toBe('ok')
})
