import { describe, expect, test } from 'vitest'
import { limits } from '../../../core/domain/limits.ts'
import { type EmbedderChoice, measuredEmbedder } from '../../../core/memory/memory.ts'
import { meaningEmbedder, startMemory } from './support.ts'

/** A memory whose embedder can be chosen while it runs. */
async function choosing() {
  const meaning = meaningEmbedder([['car', 'vehicle'], ['boat']])
  const faults: unknown[] = []
  const state = { isChosen: false, cannotOpen: false, now: 1_000 }
  const choice: EmbedderChoice = {
    name: meaning.embedder.name,
    title: meaning.embedder.name,
    open: async () => {
      if (state.cannotOpen) throw new Error('not there')
      return meaning.embedder
    },
  }
  const chosen = () => (state.isChosen ? choice : null)
  const started = await startMemory({ chosen, now: () => state.now, onFault: (error) => faults.push(error) })
  return { ...started, ...meaning, faults, choice: state }
}

describe('an embedder that is chosen while the engine runs', () => {
  test('finds by meaning at once, and the lexical one is back as soon as it is let go', async () => {
    const { choice, write, titles, memory, projectId } = await choosing()
    write('car', 'in the yard')
    expect(await titles('vehicle')).toEqual([])
    choice.isChosen = true
    expect((await memory.search(projectId, 'vehicle', 5)).hits).toMatchObject([
      { title: 'car', ftsRank: null, vectorRank: 1, embedder: 'server/meaning' },
    ])
    choice.isChosen = false
    expect(await titles('vehicle')).toEqual([])
    expect((await memory.search(projectId, 'yards', 5)).hits).toMatchObject([{ title: 'car', embedder: 'lexical' }])
    await memory.close()
  })

  test('what is written or archived meanwhile is current for both', async () => {
    const { choice, write, titles, memory } = await choosing()
    write('car', 'in the yard')
    expect(await titles('yards')).toEqual(['car'])
    choice.isChosen = true
    expect(await titles('vehicle')).toEqual(['car'])
    const boat = write('boat', 'in the harbour')
    expect((await titles('boats'))[0]).toBe('boat')
    choice.isChosen = false
    expect(await titles('harbours')).toEqual(['boat'])
    memory.archive(boat.id, true)
    choice.isChosen = true
    expect(await titles('boats')).toEqual([])
    await memory.close()
  })

  test('one that cannot be opened leaves the words, never holds up a write, and is asked again', async () => {
    const { choice, write, titles, faults, memory } = await choosing()
    Object.assign(choice, { isChosen: true, cannotOpen: true })
    write('car', 'in the yard')
    expect(await titles('car')).toEqual(['car'])
    expect(await titles('vehicle')).toEqual([])
    expect(faults.map(String)).toContain('Error: not there')
    choice.cannotOpen = false
    choice.now += limits.embedderRestMs
    expect(await titles('vehicle')).toEqual(['car'])
    await memory.close()
  })
})

test('what is alike by chance is measured for each embedder, whatever its scale', async () => {
  const random = createRandom(3)
  /** Unrelated texts have about this cosine. */
  const around = (cosine: number) => measuredEmbedder('any', async (texts) => texts.map(() => unit(cosine, random)))
  const [low, high] = [await around(0.1), await around(0.7)]
  expect(low).toMatchObject({ dimensions: 384, isImmediate: false })
  expect(low.nearFrom).toBeGreaterThan(0.1)
  expect(low.relevantFrom).toBeLessThan(0.45)
  expect(high.nearFrom).toBeGreaterThan(0.7)
  for (const { nearFrom, relevantFrom } of [low, high]) expect(relevantFrom).toBeGreaterThan(nearFrom)
})

/** A vector of length 1 that shares one direction with all others. */
function unit(cosine: number, random: () => number): Float32Array {
  const own = Float32Array.from({ length: 384 }, () => random() - 0.5)
  own[0] = 0
  const length = Math.hypot(...own)
  const vector = own.map((value) => (value / length) * Math.sqrt(1 - cosine))
  vector[0] = Math.sqrt(cosine)
  return vector
}

function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
