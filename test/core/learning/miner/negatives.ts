import type { Episode } from '../../../../core/learning/miner/episode.ts'
import {
  createRecorder,
  got,
  listFiles,
  type Random,
  type Recorder,
  randomFrom,
  readFile,
  sent,
  wrote,
} from './recorder.ts'

/** Threads that look like work for a skill and are none. */
export interface Negative {
  readonly name: string
  readonly threads: readonly Episode[]
}

interface Scene {
  readonly random: Random
  readonly at: number
  readonly thing: string
  readonly recorder: Recorder
}
/** Tells one thread; the goal and the answer come out. */
type Kind = (scene: Scene) => { readonly goal: string; readonly answer?: string; readonly outcome?: Episode['outcome'] }

const host = 'https://api.example.com'
const words = [
  'amber',
  'birch',
  'cedar',
  'delta',
  'ember',
  'fjord',
  'grove',
  'heath',
  'inlet',
  'jetty',
  'knoll',
  'larch',
] as const
const things = ['fern', 'moss', 'reed', 'sage', 'iris', 'tulip', 'poppy', 'clover'] as const

const sentence = ({ random }: Scene) => Array.from({ length: 6 + random.below(5) }, () => random.of(words)).join(' ')
const keyOf = ({ thing, at, random }: Scene) => `${thing.charAt(0).toUpperCase()}-${5_000 + at * 41 + random.below(37)}`

function readThing(
  { thing, recorder, random }: Scene,
  key: string,
  more: Readonly<Record<string, string>> = {},
): number {
  const total = 20 + random.below(9_000) / 100
  recorder.step(readFile('RULES.md', `The rules for every ${thing}: be kind, and read the notes twice.\n`))
  recorder.step(got(`${host}/${thing}s/${key}`, {}, { id: key, state: 'open', total, ...more }))
  return total
}

/** What is written comes from the model alone. */
const summary: Kind = (scene) => {
  const { thing, recorder, random } = scene
  const name = `${random.of(words)}${scene.at}`
  recorder.step(listFiles(`${thing}s`, [`${name}.md`]))
  recorder.step(readFile(`${thing}s/${name}.md`, `${sentence(scene)}\n${sentence(scene)}\n`))
  recorder.step(wrote(`${thing}s/${name}-summary.md`, `${sentence(scene)}.\n`))
  return { goal: `Summarise the ${thing} notes ${name} in ${thing}s/${name}-summary.md.` }
}

/** One field of a change is the model's judgement. */
const judgement: Kind = (scene) => {
  const { thing, recorder, at } = scene
  const key = keyOf(scene)
  readThing(scene, key)
  recorder.step(
    sent('PATCH', `${host}/${thing}s/${key}`, { rank: ['low', 'high', 'none', 'mid', 'top'][(at * 3) % 5] ?? 'low' }),
  )
  return { goal: `Rank the ${thing} ${key} as you see fit.` }
}

/** The same beginning, another change each time. */
const otherWrites: Kind = (scene) => {
  const { thing, recorder, at } = scene
  const key = keyOf(scene)
  readThing(scene, key)
  const verb = ['refunds', 'returns', 'credits', 'repairs', 'letters'][at % 5] ?? 'refunds'
  recorder.step(sent('POST', `${host}/${verb}/of`, { key, kind: verb }))
  return { goal: `Take care of what the owner of ${thing} ${key} asks for.` }
}

/** What is read looks alike and what is done differs: nothing on record tells when. */
const lookAlike: Kind = (scene) => {
  const { thing, recorder, at } = scene
  const key = keyOf(scene)
  const total = readThing(scene, key)
  const isReturned = at % 2 === 0
  if (isReturned) recorder.step(sent('POST', `${host}/returns`, { key }))
  else recorder.step(sent('POST', `${host}/refunds`, { key, total }))
  return { goal: `Handle the request about ${thing} ${key}, please.` }
}

/** Too few: two that are alike, among others. */
const tooFew: Kind = (scene) => {
  const { thing, recorder, at } = scene
  const key = keyOf(scene)
  const total = readThing(scene, key)
  const path = at < 2 ? 'payments' : `${words[at] ?? 'x'}-desk/${thing}`
  recorder.step(sent('POST', `${host}/${path}`, at < 2 ? { key, total } : { [`${words[at]}`]: key }))
  return { goal: `Send the ${thing} ${key} on its way.` }
}

/** The same thing again and again: one value is no parameter, and one goal no habit. */
const sameAgain: Kind = (scene) => {
  const { thing, recorder } = scene
  recorder.step(readFile('RULES.md', `The rules for every ${thing}: be kind, and read the notes twice.\n`))
  recorder.step(got(`${host}/${thing}s/X-1`, {}, { id: 'X-1', state: 'open' }))
  recorder.step(sent('POST', `${host}/wake`, { key: 'X-1' }))
  return { goal: `Wake the ${thing} X-1.` }
}

/** One look at something is no work. */
const tooSmall: Kind = (scene) => {
  const { thing, recorder } = scene
  const key = keyOf(scene)
  recorder.step(got(`${host}/${thing}s/${key}`, {}, { id: key, state: 'open', note: sentence(scene) }))
  return { goal: `How is the ${thing} ${key} doing?`, answer: 'Fine.' }
}

/** It was stopped, or did not end well. */
const badEnd: Kind = (scene) => {
  const { thing, recorder, at } = scene
  const key = keyOf(scene)
  const total = readThing(scene, key)
  recorder.step(sent('POST', `${host}/refunds`, { key, total }))
  const ends = ['failure', 'stopped', 'environment', 'failure', 'stopped'] as const
  return { goal: `Refund the ${thing} ${key}.`, outcome: ends[at % 5] ?? 'failure' }
}

const kinds: readonly (readonly [string, Kind])[] = [
  ['a summary', summary],
  ['a judgement', judgement],
  ['other writes', otherWrites],
  ['a look-alike', lookAlike],
  ['too few', tooFew],
  ['the same again', sameAgain],
  ['too small', tooSmall],
  ['a bad end', badEnd],
]

/** 40 of them, five of each kind. */
export function negatives(seed: number): readonly Negative[] {
  return Array.from({ length: 40 }, (_, n) => {
    const [name = '', kind = summary] = kinds[n % kinds.length] ?? []
    const thing = things[Math.floor(n / kinds.length) % things.length] ?? 'fern'
    const threads = Array.from({ length: 5 }, (__, at) => {
      const recorder = createRecorder()
      const {
        goal,
        answer = 'Done.',
        outcome = 'success',
      } = kind({ random: randomFrom(seed * 1_000 + n * 20 + at), at, thing, recorder })
      const endedAt = (name === 'the same again' ? 0 : n + at * 40) * 3_600_000
      return { ...recorder.episode({ threadId: `${name} ${n} ${at}`, goal, answer, endedAt }), outcome }
    })
    return { name: `${name}, ${thing}`, threads }
  })
}
