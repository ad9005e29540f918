import type { LoadedSkill } from './library.ts'
import { type Signs, termsOf } from './points.ts'
import { literalForm, requiredLiterals } from './required-literals.ts'
import { type GoalText, occurrenceAt, startsOfWords, wordAt } from './terms.ts'

/** Finds what a goal holds of thousands of skills in the time that its words take, not the skills. */
export interface SkillIndex {
  /** By place in the list that the index was made of; skills without any sign are not in it. */
  signsIn(goal: GoalText): ReadonlyMap<number, Signs>
}

type Kind = 'keyword' | 'excluded' | 'tag'

/** A term, and the skills that have it. */
interface Entry {
  readonly term: string
  readonly uses: { readonly skill: number; readonly kind: Kind; readonly place: number }[]
}

interface Tally {
  whole: number
  parts: number
  tags: number
  patterns: number
  vetoAt: number
  veto: string | undefined
}

export function createSkillIndex(skills: readonly LoadedSkill[]): SkillIndex {
  const terms = termsByWord(skills)
  const patterns = patternsByLiteral(skills)
  return {
    signsIn(goal) {
      const tallies = new Map<number, Tally>()
      const tallyOf = (skill: number) => {
        const known = tallies.get(skill) ?? { whole: 0, parts: 0, tags: 0, patterns: 0, vetoAt: 0, veto: undefined }
        tallies.set(skill, known)
        return known
      }
      for (const [entry, how] of termsIn(goal.words, terms)) {
        for (const use of entry.uses) {
          if (use.kind === 'tag' && how === 'ended') continue
          note(tallyOf(use.skill), { ...use, term: entry.term, isWhole: how === 'whole' && !entry.term.includes(' ') })
        }
      }
      for (const { skill, at } of patterns.possibleIn(goal.raw)) {
        if (skills[skill]?.patterns[at]?.test(goal.raw)) tallyOf(skill).patterns += 1
      }
      return tallies
    },
  }
}

function note(
  tally: Tally,
  { kind, place, term, isWhole }: { kind: Kind; place: number; term: string; isWhole: boolean },
): void {
  if (kind === 'tag') tally.tags += 1
  else if (kind === 'keyword' && isWhole) tally.whole += 1
  else if (kind === 'keyword') tally.parts += 1
  else if (tally.veto === undefined || place < tally.vetoAt) {
    tally.veto = term
    tally.vetoAt = place
  }
}

/** By the first word of each term. */
function termsByWord(skills: readonly LoadedSkill[]): ReadonlyMap<string, readonly Entry[]> {
  const entries = new Map<string, Entry>()
  const byWord = new Map<string, Entry[]>()
  const add = (term: string, use: Entry['uses'][number]) => {
    const known = entries.get(term)
    if (known !== undefined) {
      known.uses.push(use)
      return
    }
    const entry: Entry = { term, uses: [use] }
    entries.set(term, entry)
    const word = wordAt(term, 0)
    const others = byWord.get(word)
    if (others === undefined) byWord.set(word, [entry])
    else others.push(entry)
  }
  for (const [skill, each] of skills.entries()) {
    const { keywords, excluded, tags } = termsOf(each)
    for (const term of keywords) add(term, { skill, kind: 'keyword', place: 0 })
    for (const term of tags) add(term, { skill, kind: 'tag', place: 0 })
    for (const [place, term] of excluded.entries()) add(term, { skill, kind: 'excluded', place })
  }
  return byWord
}

const endings = [0, 1, 2, 3]

/** Every term that the text holds, with the best way in which it does. */
function termsIn(text: string, byWord: ReadonlyMap<string, readonly Entry[]>): ReadonlyMap<Entry, 'whole' | 'ended'> {
  const found = new Map<Entry, 'whole' | 'ended'>()
  for (const start of startsOfWords(text)) {
    const word = wordAt(text, start)
    // `issues` is looked up as itself, and without what may be an ending: `occurrenceAt` judges.
    for (const cut of endings) {
      if (cut >= word.length && cut > 0) break
      for (const entry of byWord.get(cut === 0 ? word : word.slice(0, -cut)) ?? []) {
        if (!text.startsWith(entry.term, start)) continue
        const how = occurrenceAt(text, entry.term, start + entry.term.length)
        if (how !== null && found.get(entry) !== 'whole') found.set(entry, how)
      }
    }
  }
  return found
}

interface PatternUse {
  readonly skill: number
  readonly at: number
}

const gram = 3

/** Patterns by a text that each needs: those whose texts are not there are never tried. */
function patternsByLiteral(skills: readonly LoadedSkill[]) {
  const always: PatternUse[] = []
  const uses = new Map<string, PatternUse[]>()
  for (const [skill, { activation }] of skills.entries()) {
    for (const [at, pattern] of activation.patterns.entries()) {
      const literals = requiredLiterals(pattern)
      if (literals === null) always.push({ skill, at })
      for (const text of literals ?? []) {
        const others = uses.get(text)
        if (others === undefined) uses.set(text, [{ skill, at }])
        else others.push({ skill, at })
      }
    }
  }
  const byGram = new Map<string, string[]>()
  for (const text of uses.keys()) {
    const key = text.slice(0, gram)
    const others = byGram.get(key)
    if (others === undefined) byGram.set(key, [text])
    else others.push(text)
  }

  return {
    possibleIn(raw: string): Iterable<PatternUse> {
      const text = literalForm(raw)
      const possible = new Set(always)
      const seen = new Set<string>()
      for (let at = 0; at < text.length; at += 1) {
        for (const length of [gram - 1, gram]) {
          for (const literal of byGram.get(text.slice(at, at + length)) ?? []) {
            if (seen.has(literal) || !text.startsWith(literal, at)) continue
            seen.add(literal)
            for (const use of uses.get(literal) ?? []) possible.add(use)
          }
        }
      }
      return distinct(possible)
    },
  }
}

/** A pattern that is possible by two of its texts is tried once. */
function distinct(uses: Iterable<PatternUse>): Iterable<PatternUse> {
  const byKey = new Map<string, PatternUse>()
  for (const use of uses) byKey.set(`${use.skill} ${use.at}`, use)
  return byKey.values()
}
