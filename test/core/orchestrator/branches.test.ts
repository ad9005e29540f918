import { describe, expect, test } from 'vitest'
import { actions as bundled } from '../../../core/capabilities/capabilities.ts'
import { AppError } from '../../../core/domain/error.ts'
import { limits } from '../../../core/domain/limits.ts'
import type { EngineOptions } from '../../../core/engine.ts'
import { createConversation } from '../../../core/orchestrator/orchestrator.ts'
import { effectsIn, put } from '../../support/asking.ts'
import { eventsOf, folderWith, runGoal, startEngine, useScriptedModel } from '../../support/engine.ts'
import { type ModelScript, scriptedCall, scriptedModel } from '../../support/scripted-model.ts'

async function run(script: ModelScript, on: { goal?: string; window?: number; options?: Partial<EngineOptions> } = {}) {
  const model = scriptedModel(script)
  const folder = folderWith({ 'a.txt': 'hello\n' })
  const engine = await startEngine({ embedded: { scripted: model }, ...on.options })
  await useScriptedModel(engine)
  if (on.window !== undefined) {
    const modelLimits = { 'scripted/scripted': { contextTokens: on.window } }
    await engine.api.call('settings.set', { patch: { modelLimits } })
  }
  const project = await engine.api.call('project.open', { folder })
  const input = { projectId: project.id, text: on.goal ?? 'go', approvesAll: true }
  const { threadId } = await engine.api.call('thread.send', input)
  await engine.threads.join([threadId], AbortSignal.timeout(60_000))
  const thread = await engine.api.call('thread.get', { id: threadId })
  return { engine, model, folder, thread, events: eventsOf(engine, threadId) }
}
const echo = (text: string, id: string) => scriptedCall('echo', { text }, id)

describe('the same call with the same result', () => {
  test('three times: the model is told; five times: the thread stops with the reason', async () => {
    const { thread, model, events } = await run((_request, n) => ({ toolCalls: [echo('same', `c${n}`)] }))
    expect(thread).toMatchObject({ state: 'Failed', outcome: 'failed' })
    expect(thread.reason).toBe(
      `echo was called ${limits.repeatsStop} times with the same arguments and the same result`,
    )
    expect(model.requests).toHaveLength(limits.repeatsStop)
    const noticed = events.flatMap((event) => (event.kind === 'repeat.noticed' ? [event.data] : []))
    expect(noticed).toMatchObject([
      { count: limits.repeatsNudge, verdict: 'told' },
      { count: limits.repeatsStop, verdict: 'stopped' },
    ])
    expect(model.requests[limits.repeatsNudge]?.messages.at(-1)?.content).toContain('got the same result each time')
  })

  test('twice is nothing, other arguments are another call, and a change of the world begins anew', async () => {
    const script: ModelScript = (_request, n) => {
      if (n >= 9) return { text: 'done' }
      if (n % 3 === 2) return { toolCalls: [scriptedCall('put', { file: 'a.txt', text: `${n}` }, `w${n}`)] }
      return { toolCalls: [echo('same', `c${n}`)] }
    }
    const { thread, folder } = await run(script, { options: { actions: [...bundled, put] } })
    expect(thread.outcome).toBe('answered')
    expect(effectsIn(folder)).toHaveLength(3)
  })
})

describe('told to act', () => {
  test('an answer without any action is sent back, at most twice', async () => {
    const { model, thread } = await run(() => ({ text: 'All done.' }), { goal: 'Please run the numbers' })
    expect(model.requests).toHaveLength(1 + limits.maxObligationNudges)
    expect(model.requests[1]?.messages.at(-1)?.content).toContain('asked to do something')
    expect(thread.outcome).toBe('answered')
  })

  test('one action is enough', async () => {
    const { model } = await run([{ toolCalls: [echo('x', 'c')] }, { text: 'Done.' }], {
      goal: 'Please run the numbers',
    })
    expect(model.requests).toHaveLength(2)
  })

  test.each(['What does "run the numbers" mean?', 'How many files are there?', 'yes, do it'])(
    '%s reads as no command',
    async (goal) => {
      expect((await run([{ text: 'An answer.' }], { goal })).model.requests).toHaveLength(1)
    },
  )
})

describe('compaction', () => {
  const window = 10_000
  const long = (n: number) => `${n} `.repeat(2_000)
  const isSummary = (messages: readonly { content: string }[]) => messages[0]?.content.startsWith('Sum up') === true

  test('from 85 % of the window on the transcript is summed up; the record stays whole', async () => {
    let turn = 0
    const script: ModelScript = (request) => {
      if (isSummary(request.messages)) return { text: 'We counted to seven.' }
      turn += 1
      return turn < 8 ? { toolCalls: [echo(long(turn), `c${turn}`)] } : { text: 'done' }
    }
    const { thread, model, events, engine } = await run(script, { goal: 'Count, and never forget the gulls', window })
    expect(thread.outcome).toBe('answered')
    const compacted = events.flatMap((event) => (event.kind === 'context.compacted' ? [event] : []))
    expect(compacted.length).toBeGreaterThan(0)
    for (const { data, body } of compacted) {
      expect(data.tokensBefore).toBeGreaterThan(data.tokensAfter)
      expect(data).toMatchObject({ windowTokens: window, trigger: 'threshold' })
      expect(body.summary).toBe('We counted to seven.')
    }
    const asked = model.requests.filter((request) => !isSummary(request.messages))
    for (const request of asked) {
      expect(JSON.stringify(request.messages)).toContain('never forget the gulls')
    }
    expect(JSON.stringify(asked.at(-1)?.messages)).toContain('We counted to seven.')
    const results = events.filter((event) => event.kind === 'action.finished')
    expect(results).toHaveLength(7)
    const { rows } = await engine.api.call('thread.calls', { id: thread.id })
    expect(rows.filter((row) => row.kind === 'query').every((row) => row.path === '0.1' && row.state === 'done')).toBe(
      true,
    )
  })

  test('a server that says the prompt is too long gets a shorter one, once', async () => {
    let failures = 0
    const script: ModelScript = (request) => {
      if (isSummary(request.messages)) return { text: 'short' }
      if (request.messages.length > 6 && failures === 0) {
        failures += 1
        throw new AppError('model.overflow', { message: 'too long', userMessage: 'Too long.' })
      }
      const n = request.messages.length
      return failures === 0 ? { toolCalls: [echo(long(n), `c${n}`)] } : { text: 'done' }
    }
    const { thread, events } = await run(script)
    expect(thread.outcome).toBe('answered')
    const compacted = events.find((event) => event.kind === 'context.compacted')
    expect(compacted).toMatchObject({ data: { trigger: 'overflow' } })
  })

  test('one that says so again ends the thread with its own words', async () => {
    const script: ModelScript = (request) => {
      if (isSummary(request.messages)) return { text: 'short' }
      throw new AppError('model.overflow', {
        message: 'too long',
        userMessage: 'The prompt is too long for the model.',
      })
    }
    const { thread, model } = await run(script)
    expect(thread).toMatchObject({ outcome: 'failed', reason: 'The prompt is too long for the model.' })
    expect(model.requests).toHaveLength(3)
  })
})

test('of a long folder the first names are told, and how many more there are', async () => {
  const names = Array.from({ length: limits.surroundingsEntries + 1 }, (_, n) => `f${String(n).padStart(3, '0')}.txt`)
  const engine = await startEngine({ embedded: { scripted: scriptedModel([{ text: 'ok' }]) } })
  await useScriptedModel(engine)
  const folder = folderWith(Object.fromEntries(names.map((name) => [name, 'x'])))
  const thread = await runGoal(engine, folder, 'go')
  const told = eventsOf(engine, thread.id).find(
    (event) => event.kind === 'message.added' && event.data.origin === 'surroundings',
  )
  expect(JSON.stringify(told)).toContain(names.at(-2))
  expect(JSON.stringify(told)).not.toContain(names.at(-1))
  expect(JSON.stringify(told)).toContain('and 1 more')
})

describe('when a transcript is too long', () => {
  const note = (tokens: number) => 'x'.repeat(tokens * 4)

  test('the newest messages stay that fit into their share, without parting a call from its result', () => {
    const conversation = createConversation([
      { role: 'system', content: 's' },
      { role: 'user', content: 'asked' },
    ])
    conversation.addAssistant('', [scriptedCall('echo', { text: 'a' }, 'c')])
    conversation.addResult({ callId: 'c', name: 'echo', ok: true, value: note(100), durationMs: 0 })
    conversation.addNote(note(50))
    const share = Math.floor(400 * limits.compactionTailShare)
    expect(share).toBe(100)
    expect(conversation.tailWithin(share)).toBe(1)
    expect(conversation.tailWithin(149)).toBe(1)
    expect(conversation.tailWithin(200)).toBe(4)
    conversation.compact('sum', 1, [])
    expect(conversation.messages.map(({ role }) => role)).toEqual(['system', 'system', 'user', 'system'])
    expect(conversation.messages[2]?.content).toBe('asked')
  })

  test('a window that nobody knows counts as the usual one, and is never filled over its share', async () => {
    const text = (n: number) => `${n}${'x'.repeat(limits.actionResultCharacters / 3)}`
    const script: ModelScript = ({ messages, maxOutputTokens }, n) => {
      if (messages[0]?.content.startsWith('Sum up')) {
        expect(maxOutputTokens).toBe(limits.summaryTokens)
        return { text: 'sum' }
      }
      return n < 14 ? { toolCalls: [echo(text(n), `c${n}`)] } : { text: 'done' }
    }
    const { events } = await run(script)
    const compacted = events.find((event) => event.kind === 'context.compacted')
    expect(compacted).toMatchObject({ data: { windowTokens: limits.defaultWindowTokens } })
    const prompts = events.flatMap((event) => (event.kind === 'step.started' ? [event.data.promptTokens] : []))
    expect(Math.max(...prompts)).toBeLessThan(limits.defaultWindowTokens * limits.compactionShare)
    expect(Math.max(...prompts)).toBeGreaterThan(limits.defaultWindowTokens / 2)
  })
})

test('the project as it is found stands before the question, so that the question is read last', async () => {
  const { model } = await run([{ text: 'ok' }], { goal: 'what is here?' })
  const [, surroundings, question] = model.requests[0]?.messages ?? []
  expect(surroundings?.content).toContain('a.txt')
  expect(question).toEqual({ role: 'user', content: 'what is here?' })
})
