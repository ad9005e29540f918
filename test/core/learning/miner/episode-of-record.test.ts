import { expect, test } from 'vitest'
import type { StoredEvent } from '../../../../core/domain/event.ts'
import { episodeOfRecord } from '../../../../core/learning/learning.ts'
import { eventsOf, folderWith, runGoal, startEngine, useScriptedModel } from '../../../support/engine.ts'
import { type ModelScript, scriptedCall, scriptedModel } from '../../../support/scripted-model.ts'
import { minerForTests, sandboxForTests } from './sandbox.ts'

const trips = [
  ['oslo', 'NOK', 2318.73],
  ['graz', 'EUR', 45.5],
  ['turku', 'SEK', 1204.25],
] as const

async function engineWith(script: ModelScript) {
  const engine = await startEngine({ embedded: { scripted: scriptedModel(script) } })
  await useScriptedModel(engine)
  return engine
}

test('three threads of the engine, from their logs to a function', async () => {
  const answers = trips.flatMap(([trip, , amount]) => [
    { toolCalls: [scriptedCall('read_file', { path: 'NOTES.txt' })] },
    { toolCalls: [scriptedCall('read_file', { path: `trips/${trip}.json` }), scriptedCall('time', {})] },
    { toolCalls: [scriptedCall('calculate', { expression: `${amount} * 2` })] },
    { text: `The ${trip} trip cost ${amount * 2}.` },
  ])
  const engine = await engineWith(answers)
  const files = Object.fromEntries(
    trips.map(([trip, currency, amount]) => [`trips/${trip}.json`, JSON.stringify({ currency, amount })]),
  )
  const folder = folderWith({ ...files, 'NOTES.txt': 'Every trip counts twice in the books of this house.' })
  const goals = trips.map(
    ([trip], at) => `${['What did', 'Say what', 'Tell me what'][at]} the ${trip} trip cost, counted twice?`,
  )
  const episodes = []
  for (const goal of goals) {
    const thread = await runGoal(engine, folder, goal)
    episodes.push(episodeOfRecord(eventsOf(engine, thread.id)))
  }
  const [first, second, third] = episodes
  expect(first).toMatchObject({
    goal: goals[0],
    outcome: 'success',
    answer: 'The oslo trip cost 4637.46.',
    steps: [
      {
        calls: [{ action: 'read_file', args: { path: 'NOTES.txt' }, ok: true, effects: ['ReadLocal'], viaSkill: null }],
      },
      { calls: [{ action: 'read_file', result: { text: '{"currency":"NOK","amount":2318.73}' } }, { action: 'time' }] },
      { calls: [{ action: 'calculate', result: { value: 4637.46 } }] },
    ],
  })
  expect(new Set(first?.steps.flatMap(({ calls }) => calls.map(({ callId }) => callId))).size).toBe(4)
  if (first == null || second == null || third == null) throw new Error('three threads ended')
  const sandbox = sandboxForTests()
  const miner = minerForTests(sandbox)
  const found = await miner.mine({ thread: third, kept: [first, second], known: [] })
  await sandbox.close()
  expect(found).toMatchObject({
    kind: 'mined',
    isComplete: true,
    parameters: [{ name: 'trip', examples: ['turku', 'graz', 'oslo'] }],
  })
})

test('calls of code are calls, with the arguments that stand in no answer', async () => {
  const engine = await engineWith([
    { text: '```python\na = read_file(path="a.txt")\nb = read_file(path="b.txt")\n```' },
    { text: 'Both are read.' },
  ])
  const thread = await runGoal(engine, folderWith({ 'a.txt': 'A', 'b.txt': 'B' }), 'Read both')
  const episode = episodeOfRecord(eventsOf(engine, thread.id))
  expect(episode?.steps.map(({ calls }) => calls.map(({ args, ok }) => [args.path, ok]))).toEqual([
    [
      ['a.txt', true],
      ['b.txt', true],
    ],
  ])
})

test('a call that failed says so', async () => {
  const engine = await engineWith([
    { toolCalls: [scriptedCall('read_file', { path: 'none.txt' })] },
    { text: 'It is not there.' },
  ])
  const thread = await runGoal(engine, folderWith({}), 'Read it')
  expect(episodeOfRecord(eventsOf(engine, thread.id))?.steps[0]?.calls[0]).toMatchObject({
    action: 'read_file',
    ok: false,
  })
})

const stored = (events: readonly Omit<StoredEvent, 'seq' | 'threadId' | 'at'>[]): readonly StoredEvent[] =>
  JSON.parse(JSON.stringify(events.map((event, at) => ({ ...event, seq: at + 1, threadId: 'thr_1', at: 100 + at }))))

const created = { kind: 'thread.created', data: { number: 1 }, body: { goal: 'go' } }
const moved = (outcome?: string) => ({
  kind: 'thread.state',
  data: { from: 'Running', to: 'Done', ...(outcome && { outcome }) },
})
const model = {
  kind: 'model.failed',
  data: { step: 1, code: 'model.provider' },
  body: { message: '', partialText: '' },
}

test.each([
  ['answered', [moved('answered')], 'success'],
  ['stopped by a person', [moved('stopped')], 'stopped'],
  ['out of budget', [moved('budget')], 'environment'],
  ['failed', [moved('failed')], 'failure'],
  ['failed with its provider', [model, moved('failed')], 'environment'],
  ['not over', [moved()], undefined],
])('a thread that is %s', (_, events, outcome) => {
  const episode = episodeOfRecord(stored(JSON.parse(JSON.stringify([created, ...events]))))
  expect(episode?.outcome).toBe(outcome)
})

test('what code called by a function of a skill is that skill’s', () => {
  const policy = { verdict: 'allow', check: null, reason: null, effects: ['ReadLocal'] }
  const call = (path: string) => [
    {
      kind: 'action.started',
      data: { step: 1, path, callId: path, name: 'read_file', policy },
      body: { arguments: { path: 'a' } },
    },
    {
      kind: 'action.finished',
      data: { step: 1, path, callId: path, name: 'read_file', ok: true },
      body: { result: 'A' },
    },
  ]
  const snippets = [{ skill: 'stock', version: 2, name: 'stock', raised: false }]
  const code = { kind: 'code.finished', data: { step: 1, path: '1', ok: true, snippets }, body: { output: '' } }
  const events = [created, ...call('1.10'), ...call('1.2'), code, moved('answered')]
  const episode = episodeOfRecord(stored(JSON.parse(JSON.stringify(events))))
  expect(episode?.steps[0]?.calls.map(({ callId, viaSkill }) => [callId, viaSkill])).toEqual([
    ['1/1.2', 'stock'],
    ['1/1.10', 'stock'],
  ])
})
