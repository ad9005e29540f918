import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Mined } from '../../../../core/learning/learning.ts'
import { callsOf } from '../../../../core/learning/miner/canonical.ts'
import type { Episode, Skip } from '../../../../core/learning/miner/miner.ts'
import { replay } from '../../../../core/learning/miner/replay.ts'
import { type Family, families } from './families.ts'
import { type Negative, negatives } from './negatives.ts'
import { minerForTests, sandboxForTests } from './sandbox.ts'

const sandbox = sandboxForTests()
afterAll(() => sandbox.close())
const miner = minerForTests(sandbox)
const positive = families(11)
const negative = negatives(23)

/** What the miner said after each thread, with threads of other work before them. */
async function said(threads: readonly Episode[], before: readonly Episode[]): Promise<readonly (Mined | Skip)[]> {
  const results: (Mined | Skip)[] = []
  const kept = [...before]
  for (const thread of threads) {
    results.push(await miner.mine({ thread, kept, known: [] }))
    kept.push(thread)
  }
  return results
}

function background(at: number): readonly Episode[] {
  return positive.filter((_, other) => other !== at && (other + at) % 7 === 0).flatMap(({ threads }) => threads)
}

/** A value for each parameter in a thread that was not seen: what its goal names in the place in which it was named before. */
function argumentsFor(
  { parameters, support }: Mined,
  { named }: Family,
  fresh: Episode,
): Record<string, string> | null {
  const args: Record<string, string> = {}
  for (const { name, pattern, values } of parameters) {
    const [place = -1, ...others] = support.map((id, thread) => (named.get(id) ?? []).indexOf(values[thread] ?? ''))
    const same = others.every((each) => each === place) ? named.get(fresh.threadId)?.[place] : undefined
    const value = same ?? (pattern === null ? undefined : new RegExp(pattern, 'iu').exec(fresh.goal)?.[1])
    if (value === undefined) return null
    args[name] = value
  }
  return args
}

const foundIn = new Map<Family, readonly Mined[]>()
const saidOf = new Map<Negative, readonly (Mined | Skip)[]>()

describe('forty generated families and forty others', () => {
  beforeAll(async () => {
    for (const [at, family] of positive.entries()) {
      const results = await said(family.threads, background(at))
      foundIn.set(
        family,
        results.flatMap((each) => (each.kind === 'mined' ? [each] : [])),
      )
    }
    for (const [at, other] of negative.entries()) saidOf.set(other, await said(other.threads, background(at)))
  }, 300_000)

  test('at least four of five families are found', () => {
    const found = [...foundIn.values()].filter(({ length }) => length > 0)
    expect(found.length).toBeGreaterThanOrEqual(0.8 * positive.length)
  })

  test('none of the others is', () => {
    const wrong = [...saidOf].flatMap(([{ name }, results]) =>
      results.flatMap((each) => (each.kind === 'mined' ? [`${name}: ${each.name} of ${each.support.length}`] : [])),
    )
    expect(wrong).toEqual([])
  })

  test('each says why it is none', () => {
    const reasons = new Set([...saidOf.values()].flat().flatMap((each) => (each.kind === 'skip' ? [each.reason] : [])))
    expect([...reasons].sort()).toEqual(['inconsistent', 'support', 'too-small', 'unexplained'])
  })

  test.each(positive.map((family) => [family.name, family] as const))(
    '%s: the recorded calls, in each thread that it was learnt from',
    async (_, family) => {
      for (const { snippet, parameters, support, endsBefore, evidence } of foundIn.get(family) ?? []) {
        for (const [thread, threadId] of support.entries()) {
          const source = family.threads.find((each) => each.threadId === threadId)
          const args = Object.fromEntries(parameters.map(({ name, values }) => [name, values[thread] ?? '']))
          const used = new Set(evidence.lines.flatMap(({ calls }) => calls.map(({ stepId }) => stepId)))
          const expected = source === undefined ? [] : callsOf(source)
          const ran = await replay({ ...snippet, args, expected, isLoose: true }, sandbox)
          expect(ran, `${threadId} ${endsBefore}`).toMatchObject({ kind: 'same' })
          expect(ran.hasWritten).toBe(expected.some(({ isWrite }) => isWrite) && endsBefore === null)
          expect(used.size).toBeGreaterThan(0)
        }
      }
    },
  )

  test.each(positive.map((family) => [family.name, family] as const))(
    '%s: the right calls in threads that it has not seen',
    async (_, family) => {
      for (const mined of (foundIn.get(family) ?? []).slice(-1)) {
        for (const fresh of family.fresh) {
          const args = argumentsFor(mined, family, fresh)
          const ran = args === null ? null : await replay({ ...mined.snippet, args, expected: callsOf(fresh) }, sandbox)
          // A guard that knows too little stops it; what it must never do is something else.
          expect(['same', 'guard', undefined], JSON.stringify(ran)).toContain(ran?.kind)
          if (ran?.kind === 'guard') expect(ran.hasWritten).toBe(false)
        }
      }
    },
  )
})
