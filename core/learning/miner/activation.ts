import { limits } from '../../domain/limits.ts'
import { goalPattern } from './goal-pattern.ts'

/** When a skill is offered. Source: learning 3.10. */
export interface Activation {
  readonly keywords: readonly string[]
  /** Of ids and paths that its parameters take, and pairs of words. */
  readonly patterns: readonly string[]
  readonly excludeKeywords: readonly string[]
}

export interface GoalsOfSkill {
  /** Of the support. */
  readonly goals: readonly string[]
  /** By goal: what its parameters were there. */
  readonly masked: readonly (readonly string[])[]
  /** Of threads that did something else. */
  readonly others: readonly string[]
  readonly patterns: readonly string[]
  /** By parameter, by goal. */
  readonly values: readonly (readonly string[])[]
  /** Throws once the time is over. */
  checkTime(): void
}

const mostKeywords = 8
const mostPairs = 4
const mostExcluded = 5

/** Words that tell these goals from the others, by the odds of each. */
export function activationOf(skill: GoalsOfSkill, least = 2): Activation {
  const { goals, masked, others, patterns, values } = skill
  skill.checkTime()
  const own = goals.map((goal, at) => wordsOf(withoutValues(goal, masked[at] ?? [])))
  const other = others.map(wordsOf)
  const terms = [...new Set(own.flatMap((words) => [...words]))]
    .map((term) => ({ term, having: countOf(own, term), weight: weightOf(term, own, other) }))
    .filter(({ having, weight }) => having >= least && weight > 1)
    .sort((a, b) => b.weight - a.weight || b.having - a.having || (a.term < b.term ? -1 : 1))
  const keywords = terms.filter(({ term }) => !generic.has(term)).slice(0, mostKeywords)
  const pairs = pairsOf(own, other)
  const vocabularies = values.flatMap((each) => vocabularyOf(each, goals, others) ?? [])
  const found = {
    ...{ keywords: keywords.map(({ term }) => term), excludeKeywords: [] },
    patterns: [...patterns, ...vocabularies, ...pairs],
  }
  // With the values of parameters: a word of those must not keep it away.
  const excludeKeywords = exclusions(found, goals.map(wordsOf), others)
  return narrowed({ ...found, excludeKeywords }, skill)
}

/** Two words, or one and a parameter's pattern, or two patterns, and none that it excludes. */
export function isOffered({ keywords, patterns, excludeKeywords }: Activation, goal: string): boolean {
  const words = wordsOf(goal)
  if (excludeKeywords.some((term) => words.has(term))) return false
  const said = keywords.filter((term) => words.has(term)).length
  const shown = patterns.filter((pattern) => goalPattern(pattern).isIn(goal)).length
  return said + shown >= 2
}

/**
 * The share of the goals that would have been offered it, had they not been known. Of two goals alone every word counts that
 * no other goal has: what three have in common, two of them need not.
 */
export function recallOf(skill: GoalsOfSkill): number {
  const without = <Item>(items: readonly Item[], at: number) => items.filter((_, place) => place !== at)
  const hits = skill.goals.filter((goal, at) => {
    const fold = {
      ...skill,
      ...{ goals: without(skill.goals, at), masked: without(skill.masked, at) },
      values: skill.values.map((values) => without(values, at)),
    }
    const learnt = activationOf(fold, skill.goals.length <= 3 ? 1 : 2)
    return isOffered(learnt, goal)
  })
  return hits.length / Math.max(1, skill.goals.length)
}

/** Words that these goals have in common, the most common first. */
export function commonWords(goals: readonly string[]): readonly { readonly word: string; readonly share: number }[] {
  const all = goals.map(wordsOf)
  return [...new Set(all.flatMap((words) => [...words]))]
    .filter((word) => !generic.has(word))
    .map((word) => ({ word, share: countOf(all, word) / goals.length }))
    .sort((a, b) => b.share - a.share || (a.word < b.word ? -1 : 1))
}

/** A parameter that takes few values, again and again: they are names that belong to this work. */
function vocabularyOf(values: readonly string[], goals: readonly string[], others: readonly string[]): string | null {
  const named = [...new Set(values)].filter((value) => /^[\p{L}][\p{L} _-]{2,30}$/u.test(value))
  const isRepeated = named.length >= 2 && named.length <= mostNames && named.length < values.length
  if (!isRepeated || named.length < new Set(values).size) return null
  const pattern = `\\b(${named.join('|')})\\b`
  const { isIn } = goalPattern(pattern)
  return goals.every(isIn) && !others.some(isIn) ? pattern : null
}

const mostNames = 20

const known = new Map<string, ReadonlySet<string>>()
const mostKnown = 1_000

/** The words of a goal, in the one form in which they are compared: they are asked for again and again. */
export function wordsOf(goal: string): ReadonlySet<string> {
  const before = known.get(goal)
  if (before !== undefined) return before
  const looked = goal.slice(0, limits.skillGoalCharacters).toLowerCase()
  const found = (looked.match(/\p{L}{3,}/gu) ?? []).map((word) => (/[^s]s$/.test(word) ? word.slice(0, -1) : word))
  const words: ReadonlySet<string> = new Set(found)
  if (known.size >= mostKnown) known.clear()
  known.set(goal, words)
  return words
}

function withoutValues(goal: string, values: readonly string[]): string {
  return values.reduce((text, value) => (value === '' ? text : text.replaceAll(value, ' ')), goal)
}

function countOf(goals: readonly ReadonlySet<string>[], term: string): number {
  return goals.filter((words) => words.has(term)).length
}

function weightOf(term: string, own: readonly ReadonlySet<string>[], others: readonly ReadonlySet<string>[]): number {
  const [a, n, b, all] = [countOf(own, term), own.length, countOf(others, term), others.length]
  return Math.log((a + 0.5) / (n - a + 0.5)) - Math.log((b + 0.5) / (all - b + 0.5))
}

/** Pairs that most of these goals have and no other has: a common word tells much beside another one. */
function pairsOf(own: readonly ReadonlySet<string>[], others: readonly ReadonlySet<string>[]): readonly string[] {
  const common = [...new Set(own.flatMap((words) => [...words]))].filter((word) => !empty.has(word))
  const frequent = common.filter((word) => countOf(own, word) >= 0.6 * own.length).slice(0, 20)
  const pairs = frequent.flatMap((a, at) => frequent.slice(at + 1).map((b) => [a, b] as const))
  const telling = pairs.filter(([a, b]) => {
    const both = (words: ReadonlySet<string>) => words.has(a) && words.has(b)
    const isEitherOwn = !generic.has(a) || !generic.has(b)
    return (
      isEitherOwn && own.filter(both).length >= 0.6 * own.length && own.filter(both).length >= 2 && !others.some(both)
    )
  })
  return telling.slice(0, mostPairs).map(([a, b]) => `\\b${a}s?\\b.*\\b${b}s?\\b|\\b${b}s?\\b.*\\b${a}s?\\b`)
}

/** Words of the goals that it would wrongly be offered for, and that none of its own has. */
function exclusions(
  found: Activation,
  own: readonly ReadonlySet<string>[],
  others: readonly string[],
): readonly string[] {
  const excluded: string[] = []
  while (excluded.length < mostExcluded) {
    const wrong = others.filter((goal) => isOffered({ ...found, excludeKeywords: excluded }, goal)).map(wordsOf)
    const having = new Map<string, number>()
    for (const word of wrong.flatMap((words) => [...words])) having.set(word, (having.get(word) ?? 0) + 1)
    const foreign = [...having].filter(([word]) => countOf(own, word) === 0 && !generic.has(word))
    const [worst] = foreign.sort(([a, ofA], [b, ofB]) => ofB - ofA || (a < b ? -1 : 1))
    // A word that only some of them have is as likely one that our own next goal has.
    if (worst === undefined || worst[1] < Math.max(2, wrong.length / 2)) break
    excluded.push(worst[0])
  }
  return excluded
}

const mostTurns = 8
const shareKept = 0.8

/** Without the signs that other goals have too, as long as nearly all of its own are still found. */
function narrowed(found: Activation, { goals, others, checkTime }: GoalsOfSkill): Activation {
  const least = shareKept * goals.filter((goal) => isOffered(found, goal)).length
  let best = found
  let wrong = others.filter((goal) => isOffered(best, goal))
  for (let turn = 0; turn < mostTurns && wrong.length > 0; turn += 1) {
    checkTime()
    const tries = withoutEach(best)
      .filter((each) => goals.filter((goal) => isOffered(each, goal)).length >= least)
      .map((each) => ({ each, wrong: wrong.filter((goal) => isOffered(each, goal)) }))
    const [next] = tries.sort((a, b) => a.wrong.length - b.wrong.length)
    if (next === undefined || next.wrong.length >= wrong.length) return best
    best = next.each
    wrong = next.wrong
  }
  return best
}

function withoutEach(found: Activation): readonly Activation[] {
  const { keywords, patterns } = found
  return [
    ...keywords.map((left) => ({ ...found, keywords: keywords.filter((each) => each !== left) })),
    ...patterns.map((left) => ({ ...found, patterns: patterns.filter((each) => each !== left) })),
  ]
}

/** Words that say nothing, alone or beside others. */
const empty = new Set(
  (
    'the and for with from into all any are was were has have had our your their its this that these those there then than can ' +
    'could would should will please you need want let one per each every only just but not out off over under about what which who how ' +
    'when where why let'
  ).split(' '),
)

/** Words of goals of every kind. Source: engine-behaviour 5.12. */
const generic = new Set([
  ...empty,
  ...(
    'add build change check code create data delete error file fix get help info issue list make name new number open read report ' +
    'run set show start stop table task test time update use value work write'
  ).split(' '),
])
