import { expect, onTestFinished, test, vi } from 'vitest'
import { definition } from '../core/missions/mission-world.ts'
import { folderWith, runGoal, startEngine, temporaryFolder } from '../support/engine.ts'

const event = (name: string, on: 'thread-done' | 'app-start') => definition({ name, cadence: { kind: 'event', on } })

test('a thread that a person began sets off a mission of its project, whose own thread does not', async () => {
  const engine = await startEngine({ ticks: true })
  const folder = folderWith({ 'a.txt': 'x' })
  const project = await engine.api.call('project.open', { folder })
  const mission = await engine.api.call('mission.save', {
    projectId: project.id,
    definition: event('look', 'thread-done'),
  })
  const thread = await runGoal(engine, folder, 'what is in this folder?')
  const firings = () => engine.api.call('mission.firings', { id: mission.id })
  await vi.waitFor(async () => expect((await firings()).map(({ endedAt }) => endedAt)).toEqual([expect.any(Number)]))
  await engine.api.call('mission.tick', {})
  const [firing, ...others] = await firings()
  expect(others).toEqual([])
  expect(firing).toMatchObject({ trigger: 'event', causeDepth: 0 })
  const brief = await engine.api.call('thread.get', { id: firing?.threadId ?? '' })
  expect(brief.goal).toContain(thread.id)
})

test('each start of an engine that stays open sets off those that wait for it', async () => {
  const dataDir = temporaryFolder()
  const folder = folderWith({ 'a.txt': 'x' })
  const first = await startEngine({ dataDir })
  const project = await first.api.call('project.open', { folder })
  const { id } = await first.api.call('mission.save', {
    projectId: project.id,
    definition: event('greet', 'app-start'),
  })
  await first.stop('the next one starts')
  const counts: number[] = []
  for (const ticks of [true, true, false]) {
    const engine = await startEngine({ dataDir, ticks })
    onTestFinished(() => engine.stop('the test has ended'))
    if (ticks)
      await vi.waitFor(async () => {
        const rows = await engine.api.call('mission.firings', { id })
        expect(rows.length).toBeGreaterThan(counts.at(-1) ?? 0)
        expect(rows.every(({ endedAt }) => endedAt !== null)).toBe(true)
      })
    counts.push((await engine.api.call('mission.firings', { id })).length)
    await engine.stop('the next one starts')
  }
  expect(counts).toEqual([1, 2, 2])
})
