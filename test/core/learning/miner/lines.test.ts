import { afterAll, expect, test } from 'vitest'
import type { Episode } from '../../../../core/learning/miner/miner.ts'
import { calculated, got, readFile, searchFiles, wrote } from './recorder.ts'
import { minerForTests, sandboxForTests } from './sandbox.ts'
import { episode, stockThreads } from './worked.ts'

const sandbox = sandboxForTests()
afterAll(() => sandbox.close())
const miner = minerForTests(sandbox)

/** Each line with the steps of its first thread that are shown for it. */
async function shownFor([thread, ...kept]: readonly Episode[]): Promise<ReadonlyMap<string, string>> {
  if (thread === undefined) throw new Error('no thread')
  const found = await miner.mine({ thread, kept, known: [] })
  if (found.kind === 'skip') throw new Error(`${found.reason}: ${found.detail}`)
  const stepsOf = (calls: (typeof found.evidence.lines)[number]['calls']) =>
    [...new Set(calls.flatMap(({ threadId, stepId }) => (threadId === thread.threadId ? [stepId] : [])))].join(' ')
  return new Map(found.evidence.lines.map(({ text, calls }) => [text.trim(), stepsOf(calls)]))
}

function stepsFor(shown: ReadonlyMap<string, string>, beginning: string): string | undefined {
  return [...shown].find(([text]) => text.startsWith(beginning))?.[1]
}

test('a line is shown by the calls that it makes or rests on, and by no others', async () => {
  const shown = await shownFor(stockThreads())
  // Its parameters go into the second and the third call.
  expect(stepsFor(shown, 'def get_prices(*, name, site):')).toBe('s2 s3')
  expect(stepsFor(shown, 'n3 = http(')).toBe('s3')
  expect(stepsFor(shown, 'if n4["body"]["currency"]')).toBe('s4')
  // What is looked at before the fifth call was read by the third.
  expect(stepsFor(shown, 'if not n3["body"]["stock"]')).toBe('s3')
  expect(stepsFor(shown, 'return {"answer"')).toBe('s5')
})

test('a helper is shown by the lines that call it', async () => {
  const digests = ['alpha', 'beta', 'gamma'].map((name, at) =>
    episode(
      `digest ${at}`,
      `Write the digest of ${name} from its notes, run ${at}`,
      [
        [got('https://a.example/weather', {}, { sky: 'blue from n2 to n3, and all day long' })],
        [readFile(`${name}.md`, `Owner: o${at}x\nTopic: tt${at}y`)],
        [searchFiles(`tt${at}y`, '.', [])],
        [wrote(`out/${name}.out`, `Topic tt${at}y by o${at}x`)],
      ],
      `Wrote ${at + 1} lines.`,
    ),
  )
  const shown = await shownFor(digests)
  expect(stepsFor(shown, 'def _field(')).toBe('s3 s4')
  expect(stepsFor(shown, 'return line[')).toBe('s3 s4')
  expect(stepsFor(shown, 'if n1["body"]["sky"]')).toBe('s1')
})

test('what no call shows has no evidence', async () => {
  const rounds = ['Make the morning round of the tides', 'The tides: morning round', 'Morning round, tides first'].map(
    (goal, at) => {
      const tide = { level: 20 + at, gauge: `g${at}7` }
      return episode(
        `round ${at}`,
        goal,
        [
          [got('https://a.example/tides', {}, tide)],
          [got(`https://a.example/gauges/${tide.gauge}`, {}, { height: 300 + at })],
          [calculated(`${300 + at} - ${20 + at}`, 280 + at * 0)],
        ],
        `The round is made at ${300 + at}.`,
      )
    },
  )
  const shown = await shownFor(rounds)
  expect(stepsFor(shown, 'def get_gauges():')).toBe('')
  expect(stepsFor(shown, 'n2 = http(')).toBe('s2')
})
