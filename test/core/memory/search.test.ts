import { describe, expect, test } from 'vitest'
import { limits } from '../../../core/domain/limits.ts'
import { byRelevance, fuse } from '../../../core/memory/fusion.ts'
import { lexical } from '../../../core/memory/lexical.ts'
import { meaningEmbedder, startMemory } from './support.ts'

describe('fusion by rank', () => {
  test('what both ways find comes before what one way finds first', () => {
    const listed = (ids: string) => [...ids].map((id, at) => ({ id, value: -at }))
    const fused = fuse(listed('abc'), listed('db'))
    expect(fused.map(({ id, ftsRank, vectorRank }) => [id, ftsRank, vectorRank])).toEqual([
      ['b', 2, 2],
      ['a', 1, null],
      ['d', null, 1],
      ['c', 3, null],
    ])
    expect(fused[0]?.score).toBeCloseTo(2 / 62, 10)
    expect(fused[1]?.score).toBeCloseTo(1 / 61, 10)
  })

  test('the type decides between equals only, then the newer', () => {
    const doc = (type: 'Note' | 'Summary' | 'Lesson', score: number, updatedAt = 0) => ({ type, score, updatedAt })
    const sorted = [doc('Lesson', 0.016129), doc('Note', 0.01613), doc('Note', 0.01), doc('Summary', 0.01)]
    expect(sorted.toSorted(byRelevance).map(({ type }) => type)).toEqual(['Note', 'Lesson', 'Summary', 'Note'])
    expect([doc('Note', 1, 1), doc('Note', 1, 2), doc('Lesson', 1, 0)].toSorted(byRelevance)).toEqual([
      doc('Lesson', 1, 0),
      doc('Note', 1, 2),
      doc('Note', 1, 1),
    ])
  })
})

describe('search', () => {
  test('a relevant Note comes before a Lesson that merely has one of the words', async () => {
    const { write, titles } = await startMemory()
    write('deploying on weekends', 'nothing but trouble comes of it', { type: 'Lesson' })
    write('invoice numbers of Halden', 'Halden numbers its invoices by quarter, with a dash')
    write('numbers', 'a lesson about something else', { type: 'Lesson' })
    expect((await titles('how are the invoice numbers of Halden built?'))[0]).toBe('invoice numbers of Halden')
  })

  test('of two equally good docs the Lesson comes first', async () => {
    const { write, memory, projectId } = await startMemory()
    write('tide gauge', 'reads low', { type: 'Summary' })
    write('tide gauge', 'reads low', { type: 'Lesson' })
    write('tide gauge', 'reads low')
    const hits = (await memory.search(projectId, 'tide gauge', 5)).hits
    expect(hits.map((hit) => [hit.type, hit.ftsRank, hit.vectorRank])).toEqual([
      ['Lesson', 1, 1],
      ['Summary', 1, 1],
      ['Note', 1, 1],
    ])
  })

  test('each hit says why it was found: its rank by words, its rank by vectors, its score', async () => {
    const { write, memory, projectId } = await startMemory()
    write('parking', 'the blue garage, level 2')
    write('deployments', 'on Thursdays')
    write('garages of the town', 'closed at night')
    const hits = (await memory.search(projectId, 'garage', 5)).hits
    expect(hits).toMatchObject([
      { title: 'garages of the town', ftsRank: 1, vectorRank: 2, embedder: 'lexical' },
      { title: 'parking', ftsRank: 2, vectorRank: 1 },
    ])
    expect(hits[0]?.score).toBeCloseTo(1 / 61 + 1 / 62, 10)
    // By its parts alone.
    expect((await memory.search(projectId, 'deployed', 5)).hits).toMatchObject([
      { title: 'deployments', vectorRank: 1, snippet: 'on Thursdays' },
    ])
  })

  test('a project finds its own docs only, archived ones and skills are never found', async () => {
    const { write, titles, memory, projectId, otherId } = await startMemory()
    write('tide gauge', 'of another project', { projectId: otherId })
    write('tide gauge skill', 'a candidate must not be read by the way', { type: 'Skill' })
    const { id } = write('tide gauge', 'moved north')
    expect(await titles('tide gauge')).toEqual(['tide gauge'])
    memory.archive(id, true)
    expect(await titles('tide gauge')).toEqual([])
    expect(await memory.retrieveDocs(projectId, 'tide gauge')).toEqual([])
    expect(memory.read(projectId, id)).toBeUndefined()
    memory.archive(id, false)
    expect(await titles('tide gauge')).toEqual(['tide gauge'])
    expect(memory.read(projectId, 'tide gauge skill')).toBeUndefined()
  })

  test('of a long text the start is embedded, so many characters and no more', async () => {
    const { write, memory, projectId } = await startMemory()
    const filler = 'x '.repeat(limits.embeddedCharacters / 2 - 2)
    write('t', `${filler}zeppelinhafen`)
    expect((await memory.search(projectId, 'zeppelinhafenkran', 5)).hits).toEqual([])
    write('u', 'zeppelinhafen')
    expect((await memory.search(projectId, 'zeppelinhafenkran', 5)).hits).toMatchObject([{ title: 'u' }])
  })
})

describe('vectors', () => {
  const stored = (engine: Awaited<ReturnType<typeof startMemory>>['engine'], model: string, projectId: string) =>
    engine.store.docSearch.vectors(model, projectId, 0, 100)

  test('the lexical vector is in the transaction of its version', async () => {
    const { engine, write, projectId } = await startMemory()
    write('tide gauge', 'one')
    write('tide gauge', 'two')
    expect(stored(engine, 'lexical', projectId)).toMatchObject([{ version: 2, vector: expect.anything() }])
    expect(() =>
      engine.store.transaction(() => {
        engine.store.docSearch.keepVector('lexical', new Float32Array(1), { id: 'doc_1', version: 2 })
        throw new Error('undo')
      }),
    ).toThrow('undo')
    expect(stored(engine, 'lexical', projectId)[0]?.vector?.byteLength).toBe(lexical.dimensions * 4)
  })

  test('are made anew for another embedder, in the background, and found by meaning', async () => {
    const { engine, write, reopened, projectId } = await startMemory()
    for (let at = 0; at < 70; at += 1) write(`filler ${at}`, 'nothing of it')
    write('car', 'in the yard')
    const { embedder, asked } = meaningEmbedder([['car', 'vehicle'], ['boat']])
    const memory = reopened({ embedder })
    await memory.search(projectId, 'vehicle', 5)
    while (stored(engine, embedder.name, projectId).some((row) => row.vector === null)) {
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect((await memory.search(projectId, 'vehicle', 5)).hits).toMatchObject([
      { title: 'car', ftsRank: null, vectorRank: 1, embedder: 'server/meaning' },
    ])
    // In chunks, each doc once: the queries are the texts of one line.
    expect(Math.max(...asked.map((texts) => texts.length))).toBeLessThan(40)
    expect(asked.flat().filter((text) => text.includes('\n'))).toHaveLength(71)
    await memory.close()
  })

  test('of an embedder that must be asked follow the write', async () => {
    const { embedder } = meaningEmbedder([['car', 'vehicle'], ['boat']])
    const { memory, write, titles, projectId } = await startMemory({ embedder })
    const { id } = write('car', 'in the yard')
    expect(await titles('vehicle')).toEqual(['car'])
    write('car', 'it is a boat now')
    expect((await memory.search(projectId, 'boat', 5)).hits).toMatchObject([{ id, ftsRank: 1, vectorRank: 1 }])
    await memory.close()
  })

  test('an embedder that is away leaves the words, tells its fault, and is asked again', async () => {
    const { embedder, state } = meaningEmbedder([['car', 'vehicle']])
    const faults: unknown[] = []
    const clock = { now: 1_000 }
    const seams = { embedder, now: () => clock.now, onFault: (error: unknown) => faults.push(error) }
    const { write, titles } = await startMemory(seams)
    write('car', 'in the yard')
    state.fails = true
    expect(await titles('car')).toEqual(['car'])
    expect(await titles('vehicle')).toEqual([])
    expect(faults.map(String)).toContain('Error: the server is away')
    state.fails = false
    clock.now += limits.embedderRestMs
    expect(await titles('vehicle')).toEqual(['car'])
  })

  test('vectors of a wrong length are refused, and the words are searched', async () => {
    const faults: unknown[] = []
    const embedder = { ...lexical, name: 'broken', isImmediate: false, embed: async () => [new Float32Array(3)] }
    const { write, titles } = await startMemory({ embedder, onFault: (error) => faults.push(error) })
    write('car', 'in the yard')
    expect(await titles('car')).toEqual(['car'])
    expect(faults[0]).toMatchObject({ code: 'model.provider' })
  })

  test('what is written while a project is loaded is found, and the next start finds the same', async () => {
    const { write, memory, reopened, titles, projectId } = await startMemory()
    for (let at = 0; at < 1_100; at += 1) write(`filler ${at}`, 'nothing of it')
    const searching = memory.search(projectId, 'deployed', 5)
    write('deployments', 'on Thursdays')
    await searching
    expect((await titles('deployed'))[0]).toBe('deployments')
    const [first] = (await reopened().search(projectId, 'deployed', 5)).hits
    expect(first?.title).toBe('deployments')
  })
})
