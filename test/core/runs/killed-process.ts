import fs from 'node:fs'
import { z } from 'zod'
import { defineAction } from '../../../core/capabilities/action.ts'
import { actions } from '../../../core/capabilities/capabilities.ts'
import type { FaultPoint } from '../../../core/domain/fault-point.ts'
import { createEngine } from '../../../core/engine.ts'
import { scriptedModel } from '../../support/scripted-model.ts'
import { answerTo, library } from './killed-script.ts'

const orders = z.object({
  dataDir: z.string(),
  contentDir: z.string(),
  folder: z.string(),
  effects: z.string(),
  point: z.string(),
  nth: z.number(),
})

/** One life of an engine, killed at the n-th time that a boundary is reached, counted from where the run is asked for. */
const { dataDir, contentDir, folder, effects, point, nth } = orders.parse(JSON.parse(process.argv[2] ?? ''))
let left = nth
let isArmed = false

const touch = defineAction({
  name: 'touch',
  description: 'Leaves a mark that cannot be taken back.',
  parameters: z.strictObject({ key: z.string() }),
  effects: ['WriteLocal'],
  isIdempotent: false,
  source: () => null,
  summarize: ({ key }) => key,
  run: ({ key }) => {
    fs.appendFileSync(effects, `${key}\n`)
    return 'touched'
  },
})

function reached(name: FaultPoint): void {
  if (!isArmed || name !== point) return
  left -= 1
  if (left === 0) process.kill(process.pid, 'SIGKILL')
}

const engine = await createEngine({
  ...{ dataDir, contentDir, version: '0.0.0-test', command: 'test', timeZone: 'UTC', recover: 'resume' },
  embedded: {
    scripted: scriptedModel((request) => {
      isArmed = true
      return answerTo(request)
    }),
  },
  actions: [...actions, touch],
  skills: library,
  onFaultPoint: reached,
})
const scripted = { providerId: 'scripted', model: 'scripted' }
await engine.api.call('settings.set', { patch: { tiers: { minuet: scripted, allegro: scripted, forte: scripted } } })
const { rows } = await engine.api.call('thread.list', {})
const known = rows.find(({ parentId }) => parentId === null)
const begin = async () => {
  const project = await engine.api.call('project.open', { folder })
  return engine.api.call('thread.send', { projectId: project.id, text: 'touch it', approvesAll: true })
}
const threadId = known?.id ?? (await begin()).threadId
isArmed = true
await engine.threads.join([threadId], AbortSignal.timeout(60_000))
await engine.stop('done')
process.exit(0)
