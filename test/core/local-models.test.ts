import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { createEmbedderChoice } from '../../core/embedder-choice.ts'
import type { Engine } from '../../core/engine.ts'
import { folderWith, runGoal, startEngine, temporaryFolder } from '../support/engine.ts'
import { writeTinyLlama } from '../support/tiny-gguf.ts'
import { hasLibrary } from './models/local/support.ts'

const note = { type: 'Note' } as const

async function add(engine: Engine, name: string, options: Parameters<typeof writeTinyLlama>[1] = {}) {
  const file = writeTinyLlama(path.join(temporaryFolder(), `${name}.gguf`), options)
  await engine.api.call('local.add', { file })
  await engine.api.call('local.change', { name, contextTokens: null, threads: 1 })
  return { file, ref: { providerId: 'local', model: name } }
}

it('a model that is removed leaves the tiers and the embedder; the rest of the settings stays', async () => {
  const engine = await startEngine()
  const chat = await add(engine, 'chat')
  const finder = await add(engine, 'finder', { pooling: 1 })
  const planner = { providerId: 'planner', model: 'planner' }
  await engine.api.call('settings.set', {
    patch: {
      tiers: { minuet: chat.ref, allegro: chat.ref, forte: planner },
      embedder: finder.ref,
      local: { idleMs: 5_000 },
    },
  })
  await engine.api.call('local.remove', { name: 'chat', deletesFile: true })
  await engine.api.call('local.remove', { name: 'finder', deletesFile: true })
  expect(await engine.api.call('settings.get', {})).toMatchObject({
    tiers: { minuet: planner, allegro: planner, forte: planner },
    embedder: null,
    local: { models: [], idleMs: 5_000 },
  })
  expect(fs.existsSync(chat.file)).toBe(true)
})

it('what is known of a model is there after a restart', async () => {
  const dataDir = temporaryFolder()
  const before = await startEngine({ dataDir })
  await add(before, 'tiny')
  await before.stop('restart')
  const after = await startEngine({ dataDir })
  expect((await after.api.call('local.status', {})).models).toMatchObject([
    { name: 'tiny', threads: 1, callsActions: true, trainedTokens: 4_096, problem: null },
  ])
})

it('removing a build for the graphics processor that is not there changes nothing', async () => {
  const engine = await startEngine()
  const before = (await engine.api.call('local.status', {})).gpuBuild
  expect((await engine.api.call('local.gpu', { install: false })).gpuBuild).toEqual(before)
})

it.skipIf(!hasLibrary)('a thread runs on a local model: its answer, its tokens, no price', async () => {
  // Every character is a token here: fewer actions make a shorter prompt.
  const engine = await startEngine({ actions: [] })
  const follows = { '\n': 'D', D: 'o', o: 'n', n: 'e', e: '.', '.': '</s>' }
  const { ref } = await add(engine, 'tiny', { follows, contextTokens: 16_384 })
  await engine.api.call('local.change', { name: 'tiny', contextTokens: 16_384, threads: 1 })
  await engine.api.call('settings.set', { patch: { tiers: { minuet: ref, allegro: ref, forte: ref } } })
  const thread = await runGoal(engine, folderWith({ 'a.txt': 'x' }), 'Say that you are done.')
  expect(thread).toMatchObject({ state: 'Done', outcome: 'answered' })
  const { rows } = await engine.api.call('chat.messages', { conversationId: thread.conversationId })
  expect(rows.at(-1)).toMatchObject({ role: 'assistant', content: 'Done.' })
  expect((await engine.api.call('engine.info', {})).usedToday).toMatchObject({ usd: 0 })
})

it.skipIf(!hasLibrary)(
  'notes are found by a local embedder; when it is gone, by their words, and the fault is shown',
  async () => {
    const engine = await startEngine()
    const { id: projectId } = await engine.api.call('project.open', { folder: folderWith({}) })
    const { ref, file } = await add(engine, 'finder', { pooling: 1 })
    await engine.api.call('settings.set', { patch: { embedder: ref } })
    await engine.api.call('doc.save', { ...note, projectId, title: 'harbour', content: 'boats lie there' })
    const search = (query: string) => engine.api.call('doc.search', { projectId, query })
    expect(await search('harbour')).toMatchObject([{ title: 'harbour', ftsRank: 1, embedder: 'local/finder' }])
    const settings = await engine.api.call('settings.get', {})
    const choice = createEmbedderChoice({ embed: () => Promise.reject(new Error('unused')) }, () => settings).chosen()
    // Words answer until it is loaded; the vectors are made at the next search.
    const vectorBytes = async () => {
      await search('harbour')
      const rows = engine.store.docSearch.vectors(choice?.name ?? '', projectId, 0, 10)
      return rows.map(({ vector }) => vector?.byteLength)
    }
    await expect.poll(vectorBytes, { timeout: 60_000 }).toEqual([32 * 4])
    // Nothing may be under way when the file goes: what an unloading breaks off is another fault.
    const idleSince = async () => (await engine.api.call('local.status', {})).loaded[0]?.idleSince
    await expect.poll(idleSince, { timeout: 60_000 }).toEqual(expect.any(Number))
    expect((await engine.api.call('engine.info', {})).fault).toBeNull()

    fs.rmSync(file)
    await engine.api.call('local.unload', {})
    await engine.api.call('doc.save', { ...note, projectId, title: 'yard', content: 'cars stand there' })
    expect(await search('yard')).toMatchObject([{ title: 'yard', ftsRank: 1, vectorRank: null }])
    // Where the words were faster than the embedder could fail, its fault is known a moment later.
    const fault = async () => (await engine.api.call('engine.info', {})).fault
    await expect.poll(fault, { timeout: 60_000 }).toMatchObject({ code: 'local.file' })

    await engine.api.call('settings.set', { patch: { embedder: null } })
    await expect.poll(fault, { timeout: 60_000 }).toBeNull()
  },
  90_000,
)
