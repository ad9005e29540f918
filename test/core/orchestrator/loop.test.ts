import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineAction } from '../../../core/capabilities/action.ts'
import { AppError } from '../../../core/domain/error.ts'
import { unfenced } from '../../../core/domain/fence.ts'
import { limits } from '../../../core/domain/limits.ts'
import { eventsOf, folderWith, kindsOf, runGoal, startEngine, useScriptedModel } from '../../support/engine.ts'
import { type ModelScript, scriptedCall, scriptedModel } from '../../support/scripted-model.ts'

async function run(script: ModelScript, options: Parameters<typeof startEngine>[0] = {}) {
  const model = scriptedModel(script)
  const engine = await startEngine({ embedded: { scripted: model }, ...options })
  await useScriptedModel(engine)
  const thread = await runGoal(engine, folderWith({ 'a.txt': 'hello\n' }), 'do it')
  const events = eventsOf(engine, thread.id)
  const { rows } = await engine.api.call('chat.messages', { conversationId: thread.conversationId })
  return { engine, model, thread, events, answer: rows.at(-1)?.role === 'assistant' ? rows.at(-1)?.content : undefined }
}

const echo = (text: string, id = text) => scriptedCall('echo', { text }, id)

describe('text', () => {
  test('a plain answer ends the thread as answered, in one step and in this order', async () => {
    const { thread, events, answer } = await run([{ text: 'forty-two' }])
    expect(thread).toMatchObject({ state: 'Done', outcome: 'answered', steps: 1 })
    expect(answer).toBe('forty-two')
    expect(kindsOf(events)).toEqual([
      'thread.created',
      'message.added',
      'message.added',
      ...Array.from({ length: 8 }, () => 'lease.granted'),
      'thread.state',
      'skill.selected',
      'message.added',
      'step.started',
      'model.completed',
      'message.added',
      'thread.state',
      'thread.state',
    ])
  })

  test.each([
    ['FINAL("the answer")', 'the answer'],
    ['Some prose first.\nFINAL("it \\"quotes\\" well")', 'it "quotes" well'],
    ["FINAL('''three\nlines''')", 'three\nlines'],
    ['FINAL(sum of (1 and 2))', 'sum of (1 and 2)'],
  ])('%s answers with its argument', async (text, expected) => {
    const { thread, answer } = await run([{ text }])
    expect(thread.reason).toBe(null)
    expect(answer).toBe(expected)
  })

  test.each([
    ['FINAL( quoted in prose', 'You end with FINAL("x") when you are done.'],
    ['FINAL in a fence', 'Like this:\n```\nFINAL("x")\n```'],
    ['an unclosed FINAL', 'FINAL("never closed'],
  ])('%s is no call: the text itself is the answer', async (_name, text) => {
    expect((await run([{ text }])).answer).toBe(text)
  })

  test('a text that only announces an action is nudged, at most twice', async () => {
    const intent = { text: 'Let me search the folder for that.' }
    const { model, thread, events } = await run([intent, intent, intent])
    expect(model.requests).toHaveLength(1 + limits.maxNudges)
    expect(thread.outcome).toBe('answered')
    const notes = events.filter((event) => event.kind === 'message.added' && event.data.origin === 'nudge')
    expect(notes).toHaveLength(limits.maxNudges)
  })

  test.each(['Let me explain what I found.', 'He said "let me check the file".', '```\nlet me run the tests\n```'])(
    'no nudge for: %s',
    async (text) => {
      expect((await run([{ text }])).model.requests).toHaveLength(1)
    },
  )
})

describe('action calls', () => {
  test('run in parallel and come back in the order asked, one result for each', async () => {
    const order: string[] = []
    const slow = defineAction({
      name: 'slow',
      description: 'Waits.',
      parameters: z.strictObject({ name: z.string(), ms: z.number() }),
      effects: ['Compute'],
      isIdempotent: true,
      summarize: ({ name }) => name,
      run: async ({ name, ms }) => {
        await new Promise((resolve) => setTimeout(resolve, ms))
        order.push(name)
        return name
      },
    })
    const calls = [
      scriptedCall('slow', { name: 'first', ms: 60 }, '1'),
      scriptedCall('slow', { name: 'second', ms: 5 }, '2'),
    ]
    const { model } = await run([{ toolCalls: calls }, { text: 'done' }], { actions: [slow] })
    expect(order).toEqual(['second', 'first'])
    const sent = model.requests[1]?.messages.filter((message) => message.role === 'tool')
    expect(sent?.map((message) => message.content)).toEqual(['first', 'second'])
  })

  test('a call that failed is a result that the model can read, and the thread goes on', async () => {
    const { model, thread } = await run([
      { toolCalls: [scriptedCall('read_file', { path: 'gone.txt' })] },
      { text: 'not there' },
    ])
    const result = model.requests[1]?.messages.at(-1)
    expect(result).toMatchObject({ role: 'tool', callId: 'read_file' })
    expect(JSON.parse(unfenced(result?.content ?? ''))).toMatchObject({ error: { code: 'action.not_found' } })
    expect(thread.outcome).toBe('answered')
  })

  test('FINAL as a call ends the thread after the calls beside it ran', async () => {
    const { thread, events, answer } = await run([
      { toolCalls: [scriptedCall('FINAL', { answer: 'both done' }), echo('ran')] },
    ])
    expect(answer).toBe('both done')
    expect(thread.steps).toBe(1)
    expect(kindsOf(events)).toContain('action.finished')
  })

  test('arguments that were cut off are never run; the model is told', async () => {
    const cut = { id: 'x', name: 'echo', argumentsRaw: '{"text":"ab', invalid: 'E_TOOL_ARGS_TRUNCATED' } as const
    const { model, events } = await run([{ toolCalls: [cut] }, { text: 'ok' }])
    expect(model.requests[1]?.messages.at(-1)?.content).toContain('cut off')
    expect(events.find((event) => event.kind === 'action.finished')).toMatchObject({
      data: { ok: false, code: 'action.args' },
    })
  })

  test('five batches of failures bring a note, seven end the thread', async () => {
    const { model, thread, events } = await run((_request, n) => ({
      toolCalls: [scriptedCall('nope', { n }, `c${n}`)],
    }))
    expect(model.requests).toHaveLength(limits.maxConsecutiveActionErrors)
    expect(thread).toMatchObject({ state: 'Failed', outcome: 'failed' })
    const notes = events.filter((event) => event.kind === 'message.added' && event.data.origin === 'nudge')
    expect(notes).toHaveLength(limits.maxConsecutiveActionErrors - limits.maxConsecutiveActionErrorsNudge)
  })

  test('one success in a batch sets the count of failures back', async () => {
    const { thread } = await run((_request, n) =>
      n < 9
        ? { toolCalls: n === 5 ? [echo('fine'), scriptedCall('nope', {})] : [scriptedCall('nope', { n }, `c${n}`)] }
        : { text: 'done' },
    )
    expect(thread.outcome).toBe('answered')
  })
})

describe('what a model writes', () => {
  test('a name of any length is cut before it is stored or sent back', async () => {
    const name = 'n'.repeat(limits.actionNameCharacters + 1)
    const { model, events } = await run([{ toolCalls: [scriptedCall(name, {}, 'c')] }, { text: 'ok' }])
    const cut = `${'n'.repeat(limits.actionNameCharacters - 1)}…`
    expect(events.find((event) => event.kind === 'action.started')).toMatchObject({ data: { name: cut } })
    expect(JSON.stringify(model.requests[1]?.messages)).not.toContain(name)
  })

  test('of more calls than an answer may have the first are taken, and the model is told', async () => {
    const calls = Array.from({ length: limits.callsPerAnswer + 1 }, (_, at) => echo(`t${at}`))
    const { model, events } = await run([{ toolCalls: calls }, { text: 'ok' }])
    expect(events.filter((event) => event.kind === 'action.finished')).toHaveLength(limits.callsPerAnswer)
    expect(JSON.stringify(model.requests[1]?.messages)).toContain(
      `Only the first ${limits.callsPerAnswer} of ${limits.callsPerAnswer + 1}`,
    )
  })

  test('hidden characters in arguments are visible in what is stored, and that is what runs', async () => {
    const { events } = await run([{ toolCalls: [echo('pay\u202Eroll', 'c')] }, { text: 'ok' }])
    expect(events.find((event) => event.kind === 'action.finished')).toMatchObject({
      body: { result: 'pay⟦U+202E⟧roll' },
    })
    expect(JSON.stringify(events)).not.toContain('\u202E')
  })

  test('a very long FINAL is read in one pass', async () => {
    const long = 'word '.repeat(38_000)
    const { answer, thread } = await run([{ text: `FINAL("${long}")` }])
    expect(thread.outcome).toBe('answered')
    expect(answer).toBe(long)
  })
})

describe('limits', () => {
  test('the step limit ends the thread as maxSteps, which is no success', async () => {
    const { model, thread } = await run((_request, n) => ({ toolCalls: [echo(`t${n}`)] }))
    expect(model.requests).toHaveLength(limits.maxSteps)
    expect(thread).toMatchObject({ state: 'Done', outcome: 'maxSteps' })
  })

  test('a model that fails ends the thread as failed, with its text and its partial answer on record', async () => {
    const { thread, events } = await run(() => {
      throw new AppError('model.connect', {
        message: 'refused',
        userMessage: 'The server does not answer.',
        data: { partialText: 'half an' },
      })
    })
    expect(thread).toMatchObject({ state: 'Failed', outcome: 'failed', reason: 'The server does not answer.' })
    expect(events.find((event) => event.kind === 'model.failed')).toMatchObject({
      data: { code: 'model.connect' },
      body: { partialText: 'half an' },
    })
  })
})

test('the messages that are sent only ever grow: each request begins with the one before', async () => {
  const { model } = await run((_request, n) => (n < 6 ? { toolCalls: [echo(`t${n}`)] } : { text: 'done' }))
  const texts = model.requests.map((request) => JSON.stringify(request.messages).slice(0, -1))
  for (const [at, text] of texts.entries()) if (at > 0) expect(text.startsWith(texts[at - 1] ?? '?')).toBe(true)
  expect(new Set(model.requests.map((request) => JSON.stringify(request.tools))).size).toBe(1)
})
