// One life of an engine whose missions are due, killed where a boundary is reached for the n-th time. Each life does the same: it takes up what is
// there, fires what is due, and ends once nothing is left to do.
import fs from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { defineAction } from '../../../core/capabilities/capabilities.ts'
import { createEngine } from '../../../core/engine.ts'
import { scriptedCall, scriptedModel } from '../../support/scripted-model.ts'
import { answer, definition, utc } from './mission-world.ts'

const [home = '', contentDir = '', point = '', nthText = ''] = process.argv.slice(2)
const effects = path.join(home, 'effects.txt')
let left = Number(nthText)

/** Each call of it leaves a line, so that one that was done twice is seen. */
const leaveMark = defineAction({
  name: 'leave_mark',
  description: 'Leaves a mark.',
  parameters: z.strictObject({}),
  effects: ['Compute'],
  isIdempotent: false,
  summarize: () => '',
  run: (_given, { threadId }) => {
    fs.appendFileSync(effects, `${threadId}\n`)
    return { marked: true }
  },
})
const model = scriptedModel(({ messages }) =>
  messages.some(({ role }) => role === 'tool') ? { text: answer() } : { toolCalls: [scriptedCall('leave_mark', {})] },
)

// 09:30 where nothing is there yet: then the missions are made. Later lives begin at 13:10.
const isFirst = !fs.existsSync(path.join(home, 'made'))
let ahead = 0
let startAt = utc(isFirst ? '2026-02-03T09:30:00' : '2026-02-03T13:10:00')
const engine = await createEngine({
  ...{ dataDir: path.join(home, 'data'), contentDir, version: '0', command: 'test', timeZone: 'UTC' },
  ...{ skillFolders: [], actions: [leaveMark], embedded: { scripted: model }, recover: 'resume' },
  clock: { now: () => startAt + ahead + Math.trunc(performance.now()), monotonic: () => ahead + performance.now() },
  onFaultPoint: (name) => {
    if (name !== point) return
    left -= 1
    if (left === 0) process.kill(process.pid, 'SIGKILL')
  },
})
if (isFirst) {
  const tier = { providerId: 'scripted', model: 'scripted' }
  await engine.api.call('settings.set', { patch: { tiers: { minuet: tier, allegro: tier, forte: tier } } })
  fs.mkdirSync(path.join(home, 'project'), { recursive: true })
  const { id: projectId } = await engine.api.call('project.open', { folder: path.join(home, 'project') })
  // Those that ship with the app.
  for (const { id } of await engine.api.call('mission.list', {})) await engine.api.call('mission.remove', { id })
  for (const name of ['first', 'second']) {
    const of = definition({ name, missed: 'all', catchUp: 2, actions: ['leave_mark'] })
    await engine.api.call('mission.save', { projectId, definition: of })
  }
  fs.writeFileSync(path.join(home, 'made'), '')
  startAt = utc('2026-02-03T13:10:00')
}
for (;;) {
  await engine.api.call('mission.tick', {})
  const missions = await engine.api.call('mission.list', {})
  const firings = await Promise.all(missions.map(({ id }) => engine.api.call('mission.firings', { id })))
  if (firings.flat().every(({ state }) => state !== 'queued' && state !== 'running')) break
  await new Promise((resolve) => setTimeout(resolve, 50))
  // What is caught up begins with a pause between, which nobody waits for here.
  ahead += 1_000
}
await engine.stop('nothing is left to do')
process.send?.('done', () => process.exit(0))
