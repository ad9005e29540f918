import fs from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { ModelDelta, ModelMessage } from '../../../../core/domain/model.ts'
import { createPlanner, plannerRefusalMark } from '../../../../core/models/planner/planner.ts'
import { temporaryFolder } from '../../../support/engine.ts'
import { ask, createNotes, layShop, run } from './support.ts'

const signal = new AbortController().signal
const complete = (messages: readonly ModelMessage[], onDelta: (delta: ModelDelta) => void = () => {}) =>
  createPlanner({ timeZone: 'UTC' }).complete({ model: 'planner', messages, tools: [] }, { signal, onDelta })

function shop(): string {
  const folder = temporaryFolder('threadsmith-planner-')
  layShop(folder)
  return folder
}

describe('the planner as a provider', () => {
  it('offers one model', () => {
    expect(createPlanner({ timeZone: 'UTC' }).models()).toEqual([
      { providerId: 'planner', model: 'planner', contextTokens: null, title: 'Built-in planner' },
    ])
  })

  it('costs nothing and streams its answer in pieces that add up to the text', async () => {
    const pieces: string[] = []
    const completion = await complete([{ role: 'user', content: 'What can you do?' }], (delta) => {
      if (delta.kind === 'text') pieces.push(delta.text)
    })
    expect(pieces.length).toBeGreaterThan(3)
    expect(pieces.join('')).toBe(completion.text)
    expect(completion).toMatchObject({
      finishReason: 'stop',
      toolCalls: [],
      usage: { inputTokens: 0, outputTokens: 0 },
    })
  })

  it('asks for actions first, several at once', async () => {
    const completion = await complete([{ role: 'user', content: 'What is in this folder?' }])
    expect(completion.finishReason).toBe('tool_calls')
    expect(completion.toolCalls.map((call) => call.name)).toEqual(['list_files', 'list_files'])
  })

  it('rejects as cancelled when its signal is aborted', async () => {
    const aborted = AbortSignal.abort()
    const planner = createPlanner({ timeZone: 'UTC' })
    const request = { model: 'planner', messages: [{ role: 'user', content: 'help' } as const], tools: [] }
    await expect(planner.complete(request, { signal: aborted, onDelta: () => {} })).rejects.toMatchObject({
      code: 'cancelled',
    })
  })

  it('gives the same completion for the same conversation, at every step of it', async () => {
    const { messages } = await ask(shop(), 'total amount per customer in orders.csv and what is the average amount?')
    const turns = messages.flatMap((message, at) => (message.role === 'assistant' ? [{ message, at }] : []))
    expect(turns.length).toBeGreaterThan(2)
    for (const { message, at } of turns) {
      const again = await complete(messages.slice(0, at))
      expect(again.text).toBe(message.content)
      expect(again.toolCalls).toEqual(message.toolCalls ?? [])
    }
  })

  it('numbers its calls through a whole thread', async () => {
    const folder = shop()
    const memory = createNotes()
    const messages: ModelMessage[] = [{ role: 'user', content: 'how many files are there?' }]
    await run(messages, { folder, memory })
    messages.push({ role: 'user', content: 'biggest file' })
    await run(messages, { folder, memory })
    const ids = messages.flatMap((m) => (m.role === 'assistant' ? (m.toolCalls ?? []).map((call) => call.id) : []))
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('answers the last request and not an earlier one', async () => {
    const { text } = await ask(shop(), 'how many files are there?', 'how many lines does app.log have?')
    expect(text).toBe('`app.log` has **4 lines**.')
  })

  it('does not take a note of the step loop for a request', async () => {
    const { messages } = await ask(shop(), 'how many lines does app.log have?')
    const note = 'You said what you would do, but called no action. Call it now, or answer.'
    const completion = await complete([...messages, { role: 'user', content: note }])
    expect(completion.text).toBe('`app.log` has **4 lines**.')
  })
})

describe('what goes wrong on the way', () => {
  it('reads requests of 2,000 characters, and of more only notes', async () => {
    const padded = (characters: number) => 'how many files are there?'.padEnd(characters, ' ')
    const first = await complete([{ role: 'user', content: padded(2_000) }])
    expect(first.toolCalls[0]?.name).toBe('list_files')
    const longer = await complete([{ role: 'user', content: padded(2_001) }])
    expect(longer.text).toContain('up to 2000 characters')
    expect(longer.text.endsWith(plannerRefusalMark)).toBe(true)
    const note = await complete([{ role: 'user', content: `Remember that ${'a long story '.repeat(300)}` }])
    expect(note.toolCalls[0]?.name).toBe('memory_write')
  })

  it('says what failed and why when the folder is gone', async () => {
    const folder = shop()
    fs.rmSync(folder, { recursive: true })
    const { text } = await ask(folder, 'how many files are there?')
    expect(text).toMatch(/^This could not be done\. The action failed: list_files: /)
    expect(text).not.toContain(plannerRefusalMark)
  })

  it.each([
    ['an error object', '{"error":{"code":"policy.denied","message":"not on the lease"}}', 'not on the lease'],
    ['the failure mark', '[ACTION FAILED] list_files: policy.denied: not on the lease', 'not on the lease'],
    ['a text that is no JSON', 'Segmentation fault', 'Segmentation fault'],
    ['a result of another shape', '{"surprise":true}', 'not what list_files returns'],
  ])('reads %s as a failure', async (_, content, expected) => {
    const asked = { role: 'user', content: 'how many files are there?' } as const
    const first = await complete([asked])
    const results = first.toolCalls.map(
      (call) => ({ role: 'tool', callId: call.id, name: call.name, content }) as const,
    )
    const answer = await complete([asked, { role: 'assistant', content: '', toolCalls: first.toolCalls }, ...results])
    expect(answer.text).toContain(expected)
    expect(answer.toolCalls).toEqual([])
  })

  it('names a file that it could not read and goes on with the others', async () => {
    const folder = shop()
    fs.writeFileSync(`${folder}/notes/latin.txt`, Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]))
    const { text } = await ask(folder, 'what is in this folder, and what is each file about?')
    expect(text).toMatch(/`notes\/latin\.txt`: could not be read: .*UTF-8/)
    expect(text).toContain('`README.md`: "Shop"')
  })

  it('says that it describes only the first files of many', async () => {
    const folder = temporaryFolder('threadsmith-planner-')
    for (let at = 1; at <= 61; at += 1)
      fs.writeFileSync(`${folder}/note-${at}.txt`, `Note number ${at} is about birds.\n`)
    const { text, steps } = await ask(folder, 'what is each file about?')
    expect(text).toContain('Described are the first 60 files of 61.')
    expect(text).toContain('`note-60.txt`: "Note number 60 is about birds."')
    expect(steps).toBeLessThanOrEqual(8)
  })
})
