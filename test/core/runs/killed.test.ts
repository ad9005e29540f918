import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { FaultPoint } from '../../../core/domain/fault-point.ts'
import { bundle } from '../../support/bundle.ts'
import { contentDir, eventsOf, folderWith, startEngine, temporaryFolder } from '../../support/engine.ts'
import { library } from './killed-script.ts'

let life = ''
beforeAll(async () => {
  fs.mkdirSync(path.join(contentDir, 'test-results'), { recursive: true })
  const folder = fs.mkdtempSync(path.join(contentDir, 'test-results/runs-'))
  life = path.join(folder, 'killed-process.js')
  const input = {
    'killed-process': 'test/core/runs/killed-process.ts',
    'sandbox-child': 'core/sandbox/child.ts',
    'store-worker': 'core/store/worker.ts',
  }
  await bundle({ folder, input })
}, 120_000)
afterAll(() => fs.rmSync(path.dirname(life), { recursive: true }))

/** Boundaries of a run, with the time at which each is met within the first or the second of the two. */
const kills: readonly (readonly [FaultPoint, number])[] = [
  ['child.planned', 1],
  ['child.inserted', 1],
  ['child.spawned', 2],
  ['effect.before', 3],
  ['model.recorded', 3],
  ['batch.between', 1],
  ['thread.ending', 1],
  ['thread.completed', 1],
  ['child.rested', 1],
  ['child.finished', 2],
  ['journal.commitRest.after', 2],
]

it.each(kills)(
  'killed at %s (%i), two runs of a skill come to one answer each, and no effect happens twice',
  { timeout: 120_000 },
  async (point, nth) => {
    const [dataDir, folder, base] = [temporaryFolder(), folderWith({}), temporaryFolder()]
    const effects = path.join(base, 'effects')
    const orders = { dataDir, contentDir, folder, effects, point, nth }
    const run = (more: object) =>
      promisify(execFile)(process.execPath, [life, JSON.stringify({ ...orders, ...more })], { timeout: 60_000 })
    await expect(run({})).rejects.toMatchObject({ signal: 'SIGKILL' })
    await run({ point: 'none' })

    const engine = await startEngine({ dataDir, skills: library })
    const { rows } = await engine.api.call('thread.list', { conversations: false })
    const parent = rows.find(({ parentId }) => parentId === null) ?? expect.fail('no thread')
    expect(parent).toMatchObject({ state: 'Done', outcome: 'answered' })
    const runs = await engine.api.call('thread.children', { id: parent.id })
    expect(runs.map(({ goal, outcome }) => [goal, outcome]).sort()).toEqual([
      ['touch a', 'answered'],
      ['touch b', 'answered'],
    ])
    const runOf = (objective: string) => runs.find(({ goal }) => goal === objective)?.id
    // What may have happened is never done again: then its run was told so, and went on.
    const touched = fs.existsSync(effects) ? fs.readFileSync(effects, 'utf8').trim().split('\n') : []
    expect(new Set(touched).size).toBe(touched.length)
    const results = eventsOf(engine, parent.id).flatMap((event) =>
      event.kind === 'action.finished' ? [[event.data.path, event.data.ok, event.body.result]] : [],
    )
    expect(results.sort()).toMatchObject([
      ['1', true, { text: 'a is touched', canvasIds: [{ threadId: runOf('touch a'), id: 'a' }] }],
      ['2', true, { text: 'b is touched', canvasIds: [{ threadId: runOf('touch b'), id: 'b' }] }],
    ])
    for (const { id } of runs) {
      const ran = eventsOf(engine, id).filter(({ kind }) => kind === 'skill.ran')
      expect(ran).toHaveLength(1)
    }
    const { rows: docs } = await engine.api.call('doc.list', { projectId: parent.projectId, type: 'Summary' })
    expect(docs.map(({ title, version }) => [title, version]).sort()).toEqual([
      ['tide: touch a', 1],
      ['tide: touch b', 1],
    ])
  },
)
