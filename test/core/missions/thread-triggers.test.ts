import { expect, onTestFinished, test } from 'vitest'
import { limits } from '../../../core/domain/limits.ts'
import type { EventFilter, MissionDefinition } from '../../../core/domain/mission.ts'
import type { MissionEvent } from '../../../core/domain/mission-event.ts'
import { temporaryFolder } from '../../support/engine.ts'
import { addProject, answer, definition, type MissionWorld, openMissionWorld } from './mission-world.ts'

function open(dataDir = temporaryFolder()): MissionWorld {
  const world = openMissionWorld(dataDir)
  onTestFinished(() => world.close())
  return world
}
interface Listening extends Partial<MissionDefinition> {
  readonly on?: MissionEvent
  readonly only?: EventFilter
}
function add(world: MissionWorld, { on = 'thread-done', only, ...of }: Listening = {}) {
  const cadence = { kind: 'event', on, ...(only && { only }) } as const
  const whole = definition({ overlap: 'queue', ...of, cadence })
  return world.missions.save({ projectId: 'p', definition: whole, source: 'person' })
}
const tick = (world: MissionWorld) => world.missions.tick(world.now)
/** Until nothing is left to do. */
async function settle(world: MissionWorld): Promise<void> {
  for (let round = 0; round < 50; round += 1) {
    const { againInMs } = await tick(world)
    const running = world.store.missions.running(10)
    for (const { threadId } of running) if (threadId !== null) await world.end(threadId)
    if (running.length === 0 && againInMs === null) return
    world.pass(1_000)
  }
}
const states = ({ missions }: MissionWorld, id: string) =>
  missions
    .firings({ id })
    .toReversed()
    .map(({ state }) => state)

test('a thread that answers sets it off, once, with what it was about', async () => {
  const world = open()
  const mission = add(world)
  const threadId = world.thread({ goal: 'When is high tide?' })
  await tick(world)
  await tick(world)
  expect(states(world, mission.id)).toEqual(['running'])
  const [firing] = world.missions.firings({ id: mission.id })
  expect(firing).toMatchObject({ trigger: 'event', causeDepth: 0, dedupeKey: expect.stringMatching(/^event:\d+$/) })
  const payload = world.store.missions.payloadOf(firing?.id ?? '')
  expect(JSON.parse(payload ?? '')).toMatchObject({ event: 'thread-done', threadId, goal: 'When is high tide?' })
})

test('what happened before it was made, or while it was paused, does not; what happened before an edit does', async () => {
  const world = open()
  world.thread()
  const mission = add(world)
  await tick(world)
  world.missions.pause(mission.id)
  world.thread()
  world.missions.resume(mission.id)
  await tick(world)
  expect(states(world, mission.id)).toEqual([])
  world.thread()
  add(world, { goal: 'Read other news.' })
  await tick(world)
  expect(states(world, mission.id)).toEqual(['running'])
})

test.each([
  ['thread-done', ['answered']],
  ['thread-failed', ['failed', 'budget', 'maxSteps']],
  ['thread-ended', ['answered', 'failed', 'budget', 'maxSteps', 'stopped', 'denied', 'interrupted']],
] as const)('on %s', async (on, expected) => {
  const world = open()
  const mission = add(world, { on })
  const all = ['answered', 'failed', 'budget', 'maxSteps', 'stopped', 'denied', 'interrupted'] as const
  const heard: string[] = []
  for (const outcome of all) {
    const before = world.missions.firings({ id: mission.id }).length
    world.thread({ outcome })
    await settle(world)
    if (world.missions.firings({ id: mission.id }).length > before) heard.push(outcome)
  }
  expect(heard.toSorted()).toEqual([...expected].toSorted())
})

test('filters: project, outcomes, what the goal holds; a child is none of them', async () => {
  const world = open()
  addProject(world.store, 'q')
  const own = add(world, { name: 'own' })
  const all = add(world, { name: 'all', only: { projects: 'all' } })
  const tides = add(world, { name: 'tides', only: { goal: 'high\\s+tide' } })
  const bad = add(world, { name: 'bad', on: 'thread-ended', only: { outcomes: ['budget'] } })
  world.thread({ goal: 'When is HIGH  tide?' })
  world.thread({ goal: 'And in the other one?', projectId: 'q' })
  world.thread({ outcome: 'budget' })
  const parentId = world.thread({ outcome: 'stopped' })
  world.thread({ goal: 'high tide', parentId })
  await tick(world)
  const counts = [own, all, tides, bad].map(({ id }) => world.missions.firings({ id }).length)
  expect(counts).toEqual([1, 2, 1, 1])
})

test('something wrong with a thread sets it off: no note, no stop by a person and no outage does', async () => {
  const world = open()
  const mission = add(world, { on: 'thread-issues' })
  const analyse = (threadId: string, severity: 'Info' | 'Warning') =>
    world.events.commit((append) =>
      append(threadId, {
        kind: 'trace.analysed',
        data: { issues: [{ class: 'tool_error', severity, stepIds: ['1'], reason: 'It failed.' }] },
      }),
    )
  analyse(world.thread(), 'Info')
  analyse(world.thread({ outcome: 'stopped' }), 'Warning')
  analyse(world.thread({ outcome: 'failed', code: 'model.connect' }), 'Warning')
  await tick(world)
  expect(states(world, mission.id)).toEqual([])
  analyse(world.thread({ outcome: 'failed', code: 'orchestrator.failed' }), 'Warning')
  analyse(world.thread(), 'Warning')
  await tick(world)
  expect(states(world, mission.id)).toEqual(['running', 'queued'])
})

test('only each fifth counts, over a restart too', async () => {
  const dataDir = temporaryFolder()
  let world = openMissionWorld(dataDir)
  const { id } = add(world, { only: { each: 5 } })
  for (let n = 0; n < 4; n += 1) world.thread()
  await settle(world)
  expect(states(world, id)).toEqual([])
  await world.close()
  world = open(dataDir)
  world.thread()
  await settle(world)
  expect(states(world, id)).toEqual(['ran'])
  for (let n = 0; n < 10; n += 1) world.thread()
  await settle(world)
  expect(states(world, id)).toEqual(['ran', 'ran', 'ran'])
})

test('what missions began is heard only where that is asked for, and never by the one that began it', async () => {
  const world = open()
  const people = add(world, { name: 'people' })
  const missions = add(world, { name: 'missions', only: { threads: 'missions' } })
  world.thread()
  await settle(world)
  expect(states(world, people.id)).toEqual(['ran'])
  // Of the first one's thread, not of its own.
  expect(states(world, missions.id)).toEqual(['ran'])
  const [first] = world.missions.firings({ id: missions.id })
  expect(first).toMatchObject({ causeDepth: 1 })
  // What a mission's thread was told is not passed on as a person's words.
  expect(world.store.missions.payloadOf(first?.id ?? '')).not.toContain('goal')
})

test('two that set each other off come to an end: the fourth is refused, and says so', async () => {
  const world = open()
  const [one, two] = ['one', 'two'].map((name) => add(world, { name, only: { threads: 'all' }, dailyCap: 100 }))
  world.thread()
  await settle(world)
  const rows = [one, two].flatMap((mission) => world.missions.firings({ id: mission?.id ?? '' }))
  const depths = rows.filter(({ state }) => state === 'ran').map(({ causeDepth }) => causeDepth)
  expect(depths.toSorted()).toEqual([0, 0, 1, 1, 2, 2])
  expect(rows.filter(({ state }) => state === 'skipped')).toMatchObject([
    { reason: 'a chain of 3 missions led to it', causeDepth: 3 },
    { reason: 'a chain of 3 missions led to it', causeDepth: 3 },
  ])
})

test('many at once: one works, one waits, each other one stays on record, and what is more than that in one row', async () => {
  const world = open()
  const mission = add(world)
  const count = limits.triggerRows + 3
  for (let n = 0; n < count; n += 1) world.thread()
  await tick(world)
  const rows = world.missions.firings({ id: mission.id }).toReversed()
  expect(rows).toHaveLength(limits.triggerRows + 1)
  expect(rows.map(({ state }) => state)).toEqual([
    ...['running', 'queued'],
    ...Array.from({ length: limits.triggerRows - 2 }, () => 'skipped'),
    'coalesced',
  ])
  expect(rows.at(-1)?.reason).toBe('3 more of the same came at once')
  await world.close()
})

test('exactly so many stand in a row each', async () => {
  const world = open()
  const mission = add(world)
  for (let n = 0; n < limits.triggerRows; n += 1) world.thread()
  await tick(world)
  expect(states(world, mission.id)).toHaveLength(limits.triggerRows)
  expect(states(world, mission.id)).not.toContain('coalesced')
})

test('the cooldown and the cap of the day hold for events, and the one that is refused says why', async () => {
  const world = open()
  const mission = add(world, { cooldownMs: limits.missionEventCooldownMs, dailyCap: 2 })
  for (const waitMs of [0, 1_000, limits.missionEventCooldownMs, limits.missionEventCooldownMs]) {
    world.pass(waitMs)
    world.thread()
    await settle(world)
  }
  const rows = world.missions.firings({ id: mission.id }).toReversed()
  expect(rows.map(({ state, reason }) => [state, reason])).toEqual([
    ['ran', null],
    ['skipped', 'it fired a moment ago, and rests'],
    ['ran', null],
    ['skipped', expect.stringContaining('2 times a day')],
  ])
})

test('a log that grew for long is looked at page by page, and nothing of it is passed over', async () => {
  const world = open()
  const mission = add(world, { dailyCap: 1_000 })
  const idle = () =>
    world.events.commit((append) => {
      for (let n = 0; n < 2_500; n += 1) append('thr_x', { kind: 'status', data: { text: 'still here' } })
    })
  idle()
  world.thread()
  idle()
  for (let n = 0; n < 5; n += 1) idle()
  const first = await tick(world)
  expect(first.claimed).toHaveLength(1)
  expect(first.againInMs).not.toBeNull()
  world.thread()
  await settle(world)
  expect(states(world, mission.id)).toEqual(['ran', 'ran'])
})

test.each([
  ['its zone', { zone: 'Mars/Olympus', cadence: { kind: 'event', on: 'thread-done' } }],
  ['its pattern', { cadence: { kind: 'event', on: 'thread-done', only: { goal: '(' } } }],
] as const)(
  'a mission of which %s is not understood is paused with its reason, and holds up no other',
  async (_what, of) => {
    const world = open()
    const broken = add(world, { name: 'a' })
    const fine = add(world, { name: 'b' })
    world.store.transaction(() => {
      const mission = world.store.missions.get(broken.id) ?? expect.fail('no mission')
      const next = { missionId: broken.id, version: 2, at: world.now, source: 'person' } as const
      world.store.missions.insertVersion({ ...next, definition: definition({ name: 'a', ...of }) })
      world.store.missions.update({ ...mission, version: 2 })
    })
    world.thread()
    await tick(world)
    expect(world.missions.get(broken.id)).toMatchObject({
      status: 'paused',
      statusReason: 'what sets it off cannot be worked out',
    })
    expect(states(world, fine.id)).toEqual(['running'])
    expect(world.faults).toHaveLength(1)
  },
)

test('one that reached its goal is ready for the next event', async () => {
  const world = open()
  const mission = add(world)
  for (let n = 0; n < 2; n += 1) {
    world.thread()
    await tick(world)
    const threadId = world.started.at(-1) ?? expect.fail('no thread')
    await world.end(threadId, { answer: answer({ goalReached: true, evidence: ['there'] }) })
  }
  expect(states(world, mission.id)).toEqual(['ran', 'ran'])
})
