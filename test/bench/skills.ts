import fs from 'node:fs'
import path from 'node:path'
import { type LoadedSkill, readSkillLibrary } from '../../core/skills/library.ts'
import { createSkillSelector } from '../../core/skills/select.ts'
import { createSkillIndex } from '../../core/skills/skill-index.ts'
import { createNaiveIndex } from '../core/skills/naive-index.ts'
import { type SkillText, skillOf } from '../core/skills/skill-files.ts'
import { median, ratios, say, sayTable, spreadText } from './figures.ts'

const nothingElse = {
  ...{ isPersons: true, active: [], inherited: [], carried: [] },
  missing: () => [],
  confidence: () => null,
}
const tableRows = 100
const goals = 40
const rounds = 5

/** Choosing skills by the index beside looking at each, goal by goal in turns. One tenth of the skills have a veto. */
export function skillSelection(): void {
  const rows = [['skills', 'index p50 ms', 'index p99 ms', 'naive p50 ms', 'naive p99 ms', 'ratio', 'build ms']]
  for (const count of [100, 1_000, 10_000]) {
    const random = randomOf(count)
    const vocabulary = Array.from({ length: 4_000 }, () => wordOf(random))
    const skills = Array.from({ length: count }, (_, at) => skillOf(`skill-${at}`, textOf(vocabulary, random)))
    const goalOf = () => Array.from({ length: 8 + Math.floor(random() * 26) }, () => pick(vocabulary, random)).join(' ')
    rows.push([String(count), ...compared(skills, goalOf)])
  }
  const real = realSkills()
  if (real.length > 0) {
    const random = randomOf(real.length)
    rows.push([`${real.length} real`, ...compared(real, () => pick(real, random).description.slice(0, 300))])
  } else say('skills: the files of other people are not here; only made ones were measured')
  say('skills: chosen for one goal; the rankings of both were the same for every goal (goal: 8x at 1,000 and 10,000)')
  sayTable(rows)
}

/** Figures of one list of skills. @throws Error where index and naive look give another table for a goal. */
function compared(skills: readonly LoadedSkill[], goalOf: () => string): readonly string[] {
  const began = performance.now()
  createSkillIndex(skills)
  const buildMs = performance.now() - began
  const indexed = createSkillSelector(skills)
  const naive = createSkillSelector(skills, createNaiveIndex)
  const times: { ours: number; theirs: number }[] = []
  const ofRounds: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const before = times.length
    for (let goal = 0; goal < goals; goal += 1) {
      const question = { ...nothingElse, text: goalOf() }
      const [ours, theirs] = [
        timed(() => indexed.select(question, tableRows)),
        timed(() => naive.select(question, tableRows)),
      ]
      if (JSON.stringify(ours.result.table) !== JSON.stringify(theirs.result.table)) throw new Error('the two disagree')
      times.push({ ours: ours.ms, theirs: theirs.ms })
    }
    const own = times.slice(before)
    const [theirs, ours] = [own.map((each) => each.theirs), own.map((each) => each.ours)]
    ofRounds.push(median(ratios(theirs, ours)))
  }
  const [ours, theirs] = [times.map((each) => each.ours), times.map((each) => each.theirs)]
  const figures = [median(ours), at99(ours), median(theirs), at99(theirs)].map((ms) => ms.toFixed(3))
  return [...figures, `${spreadText(ofRounds)}x`, buildMs.toFixed(0)]
}

const realFolder = path.resolve(import.meta.dirname, '../../../shared/corpora/skills')

/** Other people's files, where they lie; few of them name keywords, so that each has the words of its name. */
function realSkills(): readonly LoadedSkill[] {
  if (!fs.existsSync(realFolder)) return []
  return readSkillLibrary(realFolder).skills.map((skill) => {
    const keywords = [
      ...skill.activation.keywords,
      ...skill.name.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 2),
    ]
    return { ...skill, activation: { ...skill.activation, keywords } }
  })
}

function timed<Result>(work: () => Result): { readonly result: Result; readonly ms: number } {
  const began = performance.now()
  const result = work()
  return { result, ms: performance.now() - began }
}

function at99(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Number.NaN
}

/** 3 to 8 keywords, a quarter of them phrases; 2 tags; 1 or 2 patterns; one in ten is ruled out by a word. */
function textOf(vocabulary: readonly string[], random: () => number): SkillText {
  const word = () => pick(vocabulary, random)
  const keywords = Array.from({ length: 3 + Math.floor(random() * 6) }, () =>
    random() < 0.25 ? `${word()} ${word()}` : word(),
  )
  const patterns = Array.from({ length: 1 + Math.floor(random() * 2) }, () =>
    random() < 0.5 ? `(?i)(${word()}|${word()}).*${word()}` : `(?i)\\b${word()}-\\d+`,
  )
  return { keywords, patterns, tags: [word(), word()], excluded: random() < 0.1 ? [word()] : [] }
}

const syllables = ['ba', 'co', 'di', 'fu', 'ge', 'ha', 'ki', 'lo', 'mu', 'ne', 'po', 'ra', 'si', 'tu', 've', 'za']

function wordOf(random: () => number): string {
  return Array.from({ length: 2 + Math.floor(random() * 3) }, () => pick(syllables, random)).join('')
}

function pick<Value>(from: readonly Value[], random: () => number): Value {
  const value = from[Math.floor(random() * from.length)]
  if (value === undefined) throw new RangeError('nothing to pick from')
  return value
}

/** The same numbers in every run. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
