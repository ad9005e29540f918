import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { AppError } from '../../../../core/domain/error.ts'
import { limits } from '../../../../core/domain/limits.ts'
import type { ToolDefinition } from '../../../../core/domain/model.ts'
import type { LocalModelSettings } from '../../../../core/domain/settings.ts'
import { temporaryFolder } from '../../../support/engine.ts'
import { writeTinyLlama } from '../../../support/tiny-gguf.ts'
import { askLocal, failureOf, hasLibrary, localWorld } from './support.ts'

const says = (text: string) => {
  const characters = [...text]
  const follows: Record<string, string> = { '\n': characters[0] ?? '' }
  for (const [at, character] of characters.entries()) follows[character] = characters[at + 1] ?? '</s>'
  return { follows }
}
const lookUp: ToolDefinition = {
  name: 'look_up',
  description: 'Looks something up.',
  parameters: {
    type: 'object',
    properties: { what: { type: 'string', maxLength: 100 }, year: { type: 'integer' } },
    required: ['what'],
    additionalProperties: false,
  },
}
/** Calls at once, and leaves every text empty. */
const callsLookUp = {
  follows: { '\n': '||call: ', '(': '{', '{': '"', '"': '"', ':': '"', ' ': 'n', n: 'u', '}': ')', ')': '</s>' },
}

describe.skipIf(!hasLibrary)('a model inside the app', () => {
  it('answers in pieces as they come, with the tokens counted by its own tokenizer', async () => {
    const { models, give } = localWorld()
    const ref = await give(says('Hi!'))
    const { completion, deltas, firstTokenMs } = await askLocal(models, ref)
    expect(completion).toMatchObject({ text: 'Hi!', toolCalls: [], finishReason: 'stop' })
    expect(deltas.map((delta) => 'text' in delta && delta.text)).toEqual(['H', 'i', '!'])
    // ` <s><|user|>\nhello\n<|assistant|>\n`: one token for each character, and one for `<s>`.
    expect(completion.usage).toEqual({ inputTokens: 32, outputTokens: 4, cachedInputTokens: 0 })
    expect(firstTokenMs).toEqual(expect.any(Number))
  })

  it('says the same again at temperature 0, and takes the beginning of a conversation from its cache', async () => {
    const { models, give } = localWorld()
    const ref = await give({ seed: 7 })
    const first = await askLocal(models, ref)
    const second = await askLocal(models, ref)
    expect(first.completion.text).not.toBe('')
    expect(second.completion.text).toBe(first.completion.text)
    expect(second.completion.usage.cachedInputTokens).toBe(32)
  })

  it('ends at the most tokens that were asked for, and says so', async () => {
    const { models, give } = localWorld()
    const { completion } = await askLocal(models, await give({ seed: 7 }), { maxOutputTokens: 5 })
    expect(completion).toMatchObject({ finishReason: 'length', usage: { outputTokens: 5 } })
  })

  it('thinking in tags is reasoning, not answer', async () => {
    const { models, give } = localWorld()
    const follows = { '\n': '<think>', '<think>': 'h', h: 'm', m: '</think>', '</think>': 'O', O: 'K', K: '</s>' }
    const { completion } = await askLocal(models, await give({ follows }))
    expect(completion).toMatchObject({ text: 'OK', reasoning: 'hm' })
  })

  it('calls an action that was offered, with arguments of the schema’s shape; what it left out is not there', async () => {
    const { models, give } = localWorld()
    const { completion, deltas } = await askLocal(models, await give(callsLookUp), {
      tools: [lookUp],
      maxOutputTokens: 200,
    })
    expect(completion.finishReason).toBe('tool_calls')
    expect(completion.toolCalls).toEqual([
      { id: expect.any(String), name: 'look_up', arguments: { what: expect.any(String) } },
    ])
    expect(deltas).toContainEqual({ kind: 'call', name: 'look_up' })
  })

  it('tells that it works while it writes the arguments of a call', async () => {
    const told: unknown[] = []
    const { models, give } = localWorld({ onMessage: (message) => told.push(message) })
    await askLocal(models, await give(callsLookUp), { tools: [lookUp], maxOutputTokens: 200 })
    const kinds = z.array(z.object({ kind: z.string() })).parse(told)
    expect(kinds.filter(({ kind }) => kind === 'call')).toHaveLength(1)
    expect(kinds.filter(({ kind }) => kind === 'progress').length).toBeGreaterThan(3)
  })

  it('a call that is cut off is never run', async () => {
    const { models, give } = localWorld()
    const { completion } = await askLocal(models, await give(callsLookUp), { tools: [lookUp], maxOutputTokens: 3 })
    expect(completion.finishReason).toBe('length')
    expect(completion.toolCalls.every((call) => 'invalid' in call)).toBe(true)
  })

  it('reads calls and their results as its own turn', async () => {
    const { models, give } = localWorld()
    const ref = await give(says('Hi!'))
    const { completion } = await models.complete(
      {
        ref,
        tools: [lookUp],
        temperature: 0,
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Who?' },
          { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'look_up', arguments: { what: 'x' } }] },
          { role: 'tool', callId: 'a', name: 'look_up', content: '{"found":true}' },
        ],
      },
      { signal: new AbortController().signal },
    )
    expect(completion.usage.inputTokens).toBeGreaterThan(100)
  })

  it('a stop in the middle ends the answer at once, and the next request is answered by the same process', async () => {
    const { models, give, children } = localWorld()
    const ref = await give({ seed: 7 })
    const stop = new AbortController()
    const failure = await failureOf(
      askLocal(models, ref, { maxOutputTokens: 4_000, signal: stop.signal, onDelta: () => stop.abort() }),
    )
    expect(failure).toMatchObject({ code: 'cancelled', data: { partialText: expect.any(String) } })
    expect((await askLocal(models, ref)).completion.text).not.toBe('')
    expect(children).toHaveLength(1)
  })

  it('a conversation over the window is refused with its figures, and nothing is cut off', async () => {
    const { models, give, local } = localWorld()
    const ref = await give()
    await local.change(ref.model, { contextTokens: 512, threads: 1 })
    const failure = await failureOf(askLocal(models, ref, { text: 'x'.repeat(600) }))
    expect(failure).toMatchObject({ code: 'model.overflow', data: { limit: 512, got: 627 } })
  })

  it('an answer that fills the window ends there, without the front being dropped', async () => {
    const { models, give, local } = localWorld()
    const endless = await give({ name: 'endless', follows: { '\n': 'a', a: 'a' } })
    await local.change(endless.model, { contextTokens: 256, threads: 1 })
    const { completion } = await askLocal(models, endless, { maxOutputTokens: 10_000 })
    expect(completion).toMatchObject({ finishReason: 'length', usage: { inputTokens: 32 } })
    expect(32 + completion.usage.outputTokens).toBeLessThanOrEqual(256)
  })

  it('two requests take turns, and one that is given up while it waits leaves at once', async () => {
    const { models, give, children } = localWorld()
    const ref = await give(says('Hi!'))
    const stop = new AbortController()
    const first = askLocal(models, ref)
    const second = failureOf(askLocal(models, ref, { signal: stop.signal }))
    const third = askLocal(models, ref)
    stop.abort()
    expect((await second).code).toBe('cancelled')
    expect([(await first).completion.text, (await third).completion.text]).toEqual(['Hi!', 'Hi!'])
    expect(children).toHaveLength(1)
  })

  it('another model takes its place in the memory', async () => {
    const { models, give, local } = localWorld()
    const [one, two] = [await give({ name: 'one', ...says('Hi!') }), await give({ name: 'two', ...says('Yo.') })]
    expect((await askLocal(models, one)).completion.text).toBe('Hi!')
    expect((await local.status()).loaded).toMatchObject([{ name: 'one', threads: 1, contextTokens: 4_096, gpu: null }])
    expect((await askLocal(models, two)).completion.text).toBe('Yo.')
    expect((await local.status()).loaded).toMatchObject([{ name: 'two' }])
  })

  it('killed in the middle of an answer, it says so in words, and the next request loads it anew', async () => {
    const { models, give, children } = localWorld()
    const ref = await give({ seed: 7 })
    const failure = await failureOf(
      askLocal(models, ref, { maxOutputTokens: 4_000, onDelta: () => process.kill(children[0]?.pid ?? 0, 'SIGKILL') }),
    )
    expect(failure).toMatchObject({ code: 'model.provider', retryable: true })
    expect(failure.userMessage).toMatch(/ended unexpectedly.*loaded anew/s)
    expect((await askLocal(models, ref)).completion.text).not.toBe('')
    expect(children).toHaveLength(2)
  })

  it('is unloaded when asked to', async () => {
    const { models, give, local } = localWorld()
    await askLocal(models, await give(says('Hi!')))
    await local.unload()
    expect((await local.status()).loaded).toEqual([])
  })

  it('a file that the library cannot read is told with the library’s reason', async () => {
    const { models, local } = localWorld()
    const strange = { 'general.architecture': { type: 8 as const, value: 'nobody' } }
    const own = { 'nobody.embedding_length': { type: 4 as const, value: 32 } }
    const file = writeTinyLlama(path.join(temporaryFolder(), 'strange.gguf'), { keys: { ...strange, ...own } })
    const { name } = await local.add(file)
    const failure = await failureOf(askLocal(models, { providerId: 'local', model: name }))
    expect(failure.code).toBe('local.load')
  })

  it('one that takes longer to load than the limit for a first token is said to be loading', async () => {
    const { models, give } = localWorld({
      limits: { 'local/tiny': { firstTokenMs: 1 } },
    })
    const ref = await give(says('Hi!'))
    const failure = await failureOf(askLocal(models, ref))
    expect(failure).toMatchObject({ code: 'model.timeout', data: { phase: 'loading' } })
    expect(failure.userMessage).toContain('still being loaded')
  })

  it('vectors of an embedder have its length and are of length 1', async () => {
    const { models, give } = localWorld()
    const ref = await give({ pooling: 1 })
    const texts = ['one', 'two', 'one', '', 'x'.repeat(9_000)]
    const vectors = await models.embed(ref, texts, { as: 'doc', signal: new AbortController().signal })
    expect(vectors.map((vector) => vector.length)).toEqual([32, 32, 32, 32, 32])
    const lengths = vectors.map((vector) => Math.hypot(...vector))
    for (const at of [0, 1, 2, 4]) expect(lengths[at]).toBeCloseTo(1, 4)
    expect(lengths[3]).toBe(0)
    expect(vectors[2]).toEqual(vectors[0])
    expect(vectors[1]).not.toEqual(vectors[0])
  })

  it('probe asks it for real, and its window is what it was given', async () => {
    const { models, give } = localWorld()
    const ref = await give(callsLookUp)
    expect(await models.probe(ref, new AbortController().signal)).toMatchObject({
      ...{ name: 'tiny', provider: 'local', tools: true, contextTokens: 4_096 },
      firstTokenMs: expect.any(Number),
    })
  })
})

describe('without a process', () => {
  it('is listed under “On this computer” as soon as there is one that can chat, and costs nothing', async () => {
    const { models, give } = localWorld()
    const never = new AbortController().signal
    expect(await models.list(never)).toEqual([])
    await give({ name: 'embedder', pooling: 1 })
    expect(await models.list(never)).toEqual([])
    const ref = await give({ name: 'tiny' })
    expect(await models.list(never)).toMatchObject([
      { id: 'local', kind: 'local', title: 'On this computer', models: [{ model: 'tiny', title: 'tiny-random' }] },
    ])
    expect(models.usdOf(ref, { inputTokens: 1_000, outputTokens: 1_000 })).toBe(0)
  })

  it('without the library everything else works, and status says what to do', async () => {
    const { models, local, give, children } = localWorld({ findLibrary: () => undefined })
    const ref = await give()
    expect((await local.status()).library).toMatchObject({
      ok: false,
      error: {
        code: 'local.library',
        userMessage: expect.stringMatching(/messages and all finished steps are kept.*npm install --include=optional/),
      },
    })
    expect((await failureOf(askLocal(models, ref))).code).toBe('local.library')
    expect(children).toHaveLength(0)
  })

  it('one that does not fit into the memory is refused before it is loaded, with the figures', async () => {
    const { models, give, children } = localWorld({ findLibrary: () => '0', freeMemory: () => 100_000_000 })
    const failure = await failureOf(askLocal(models, await give()))
    expect(failure).toMatchObject({ code: 'local.load', data: { freeBytes: 100_000_000 } })
    expect(failure.data?.neededBytes).toBeGreaterThan(134_000_000)
    expect(children).toHaveLength(0)
  })

  it('a file that is gone shows in the status, and a request says so', async () => {
    const { models, local, give, list } = localWorld({ findLibrary: () => '0' })
    const ref = await give()
    fs.rmSync(list()[0]?.file ?? '')
    expect((await local.status()).models).toMatchObject([{ name: 'tiny', problem: { code: 'local.file' } }])
    expect((await failureOf(askLocal(models, ref))).code).toBe('local.file')
  })

  it('a file that was replaced shows in the status, and is read anew under its name', async () => {
    const { local, give, list } = localWorld()
    await give()
    const file = list()[0]?.file ?? ''
    fs.appendFileSync(file, 'more')
    expect((await local.status()).models).toMatchObject([{ problem: { code: 'local.file' } }])
    expect(await local.add(file)).toMatchObject({ name: 'tiny', threads: 1, problem: null })
  })

  it('the settings hold so many models and no more, and say so in words', async () => {
    let list: readonly LocalModelSettings[] = []
    const save = (models: readonly LocalModelSettings[]) => {
      list = models
    }
    const { local, give } = localWorld({ list: { current: () => list, save } })
    const { model } = await give()
    list = list.flatMap((first) =>
      Array.from({ length: limits.localModels - 1 }, (_, at) =>
        at === 0 ? first : { ...first, name: `m${at}`, file: `/${at}` },
      ),
    )
    await give({ name: 'last' })
    const failure = await failureOf(give({ name: 'other' }))
    expect(failure).toMatchObject({ code: 'local.file', userMessage: expect.stringContaining('Remove one') })
    expect(list).toHaveLength(limits.localModels)
    const file = list.find(({ name }) => name === model)?.file ?? ''
    expect(await local.add(file)).toMatchObject({ name: model })
  })

  it('two files of one name get two names', async () => {
    const { give } = localWorld()
    expect([(await give()).model, (await give()).model]).toEqual(['tiny', 'tiny-2'])
  })

  it('removing a model deletes its file only where it lies in the app’s own folder', async () => {
    const dataDir = temporaryFolder()
    const { local, give, list } = localWorld({ dataDir })
    await give({ name: 'outside' })
    const outside = list()[0]?.file ?? ''
    const { folder } = await local.status()
    fs.mkdirSync(folder)
    const own = writeTinyLlama(path.join(folder, 'own.gguf'))
    await local.add(own)
    await local.remove('outside', true)
    await local.remove('own', true)
    expect([fs.existsSync(outside), fs.existsSync(own)]).toEqual([true, false])
    expect(list()).toEqual([])
  })

  it('a name that is not known is refused', async () => {
    const { local, models } = localWorld({ findLibrary: () => '0' })
    await expect(local.change('gone', { contextTokens: null, threads: null })).rejects.toThrow(AppError)
    expect((await failureOf(askLocal(models, { providerId: 'local', model: 'gone' }))).code).toBe('local.not_found')
  })
})
