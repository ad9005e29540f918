import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lexical } from '../../../core/memory/lexical.ts'
import { createVectorIndex } from '../../../core/memory/vector-index.ts'

const vectorOf = (text: string) => lexical.embed([text])[0] ?? expect.fail('no vector')
const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)
const likeness = (a: string, b: string) => cosine(vectorOf(a), vectorOf(b))

describe('the lexical embedder', () => {
  test('gives 256 numbers of length 1, the same for the same text, and all zeros where nothing is said', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        const vector = vectorOf(text)
        expect(vector).toHaveLength(lexical.dimensions)
        expect(vectorOf(text)).toEqual(vector)
        const length = Math.sqrt(cosine(vector, vector))
        expect(length === 0 || Math.abs(length - 1) < 1e-5).toBe(true)
      }),
    )
    expect(Math.max(...vectorOf('the of, and? 。'))).toBe(0)
  })

  test('is stored, so its numbers may never change under the same name', () => {
    const vector = vectorOf('Release day: Thursday, 10:00')
    const largest = [...vector.keys()].toSorted((a, b) => Math.abs(vector[b] ?? 0) - Math.abs(vector[a] ?? 0))
    expect(largest.slice(0, 4).map((at) => [at, Number(vector[at]?.toFixed(4))])).toMatchInlineSnapshot(`
      [
        [
          211,
          0.4115,
        ],
        [
          119,
          -0.3209,
        ],
        [
          28,
          0.2685,
        ],
        [
          131,
          0.2454,
        ],
      ]
    `)
  })

  test.each([
    ['release', 'releases'],
    ['deployment', 'deploying'],
    ['Prüfung', 'pruefen prufung'],
    ['Übergröße', 'übergrösse'],
    ['backup drive', 'backups'],
  ])('%s is near %s, and nearer than what is spelt otherwise', (a, b) => {
    expect(likeness(a, b)).toBeGreaterThan(lexical.nearFrom)
    expect(likeness(a, b)).toBeGreaterThan(likeness(a, 'quite something else') + 0.2)
  })

  test('case, accents and order of words do not count', () => {
    expect(likeness('Café Größe', 'GRÖSSE cafe')).toBeGreaterThan(0.6)
    expect(likeness('blue garage', 'Garage BLUE')).toBeCloseTo(1, 5)
  })

  test('does not know what words mean: that is why it is called lexical', () => {
    expect(likeness('car', 'vehicle')).toBeLessThan(lexical.nearFrom)
  })
})

describe('the index of vectors', () => {
  const at = (angle: number) => Float32Array.of(Math.cos(angle), Math.sin(angle))
  const ids = (index: ReturnType<typeof createVectorIndex>, max: number, least = -1) =>
    index.nearest(at(0), max, least).map((near) => near.id)

  test('finds exactly what sorting all of them finds', () => {
    const angles = fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: 1, maxLength: 400 })
    fc.assert(
      fc.property(angles, fc.integer({ min: 1, max: 10 }), (list, max) => {
        const index = createVectorIndex(2)
        for (const [id, angle] of list.entries()) index.set({ id: String(id), version: 1 }, at(angle))
        const cosines = list.map((angle) => Math.fround(Math.cos(angle))).toSorted((a, b) => b - a)
        const found = index.nearest(at(0), max, -1).map((near) => near.cosine)
        expect(found).toHaveLength(Math.min(max, list.length))
        for (const [place, cosine] of found.entries()) expect(cosine).toBeCloseTo(cosines[place] ?? Number.NaN, 5)
      }),
    )
  })

  test('holds one vector a doc, keeps the newest version, and closes the gap of what is removed', () => {
    const index = createVectorIndex(2)
    for (let id = 0; id < 100; id += 1) index.set({ id: `d${id}`, version: 2 }, at(id / 100))
    index.set({ id: 'd50', version: 3 }, at(0.001))
    index.set({ id: 'd50', version: 1 }, at(1))
    expect(ids(index, 2)).toEqual(['d0', 'd50'])
    index.remove('d0')
    index.remove('d0')
    index.remove('d99')
    expect(index.size).toBe(98)
    expect(ids(index, 3)).toEqual(['d50', 'd1', 'd2'])
    expect(ids(index, 200)).toHaveLength(98)
  })

  test('what is not near enough is not found', () => {
    const index = createVectorIndex(2)
    index.set({ id: 'near', version: 1 }, at(0.1))
    index.set({ id: 'far', version: 1 }, at(1.5))
    expect(ids(index, 5, 0.5)).toEqual(['near'])
  })
})
