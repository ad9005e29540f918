import { limits } from '../domain/limits.ts'
import type { SkillScore } from '../domain/skill.ts'
import { skillTokens } from './block.ts'
import type { LoadedSkill } from './library.ts'
import { mentionsIn } from './mentions.ts'
import { noSigns, type Points, pointsOf, type Signs } from './points.ts'
import { createSkillIndex, type SkillIndex } from './skill-index.ts'
import { goalTextOf } from './terms.ts'

/** What is asked, and what is there already. */
export interface SkillQuestion {
  readonly text: string
  /** A person said it: `/name` chooses. */
  readonly isPersons: boolean
  /** Stand in the prompt already: they cost nothing. */
  readonly active: readonly string[]
  /** Join whatever the text says: a child begins with its parent's. */
  readonly inherited: readonly string[]
  /** Join where the text chooses nothing: it goes on with what was said before. */
  readonly carried: readonly string[]
  /** What a skill requires and does not find. */
  missing(skill: LoadedSkill): readonly string[]
  /** In [0, 1]; null where nothing is known. Asked for extracted skills only. */
  confidence(skill: LoadedSkill): number | null
}

export interface SkillSelection {
  /** The new ones, in the order of the prompt. */
  readonly joining: readonly ChosenSkill[]
  /** The best first: all that have points or were asked for, and of the others, by name, as many as there is room for. */
  readonly table: readonly SkillScore[]
  /** Named as `/name`, but there is no such skill, or it cannot be used here. */
  readonly unavailable: readonly string[]
}

export interface ChosenSkill {
  readonly skill: LoadedSkill
  readonly score: number
  readonly tokens: number
  readonly isForced: boolean
}

export interface SkillSelector {
  /**
   * Gate → points → room → order; the same question gives the same answer, and no model is asked. The table is filled with rows
   * without any points up to `rows`. Source: RULES 16.
   */
  select(question: SkillQuestion, rows: number): SkillSelection
}

/** `index` finds the signs; made of the skills where none is given. */
export function createSkillSelector(
  given: readonly LoadedSkill[],
  makeIndex: (skills: readonly LoadedSkill[]) => SkillIndex = createSkillIndex,
): SkillSelector {
  const skills = given.toSorted((a, b) => byCodePoint(a.name, b.name))
  const index = makeIndex(skills)
  const places = new Map(skills.map((skill, at) => [skill.name.toLowerCase(), at]))
  const tokens = new Map<LoadedSkill, number>()
  const tokensOf = (skill: LoadedSkill) => {
    const known = tokens.get(skill) ?? skillTokens(skill)
    tokens.set(skill, known)
    return known
  }

  return {
    select(question, rows) {
      const goal = goalTextOf(question.text)
      const named = question.isPersons ? mentionsIn(goal.raw, (name) => places.has(name)) : []
      const found = index.signsIn(goal)
      const rateAt = (at: number) => {
        const skill = skills[at]
        if (skill === undefined) return []
        return [rate(skill, { question, named, signs: found.get(at) ?? noSigns, tokens: tokensOf(skill) })]
      }
      const asked = [...named, ...[...question.active, ...question.inherited, ...question.carried].map(lowerCase)]
      const looked = new Set([...found.keys(), ...asked.flatMap((name) => places.get(name) ?? [])])
      const chosen = choose([...looked].flatMap(rateAt).toSorted(inOrder), question)
      const isHere = (name: string) => chosen.some((row) => row.picked && lowerCase(row.skill.name) === name)
      return {
        joining: chosen.filter((row) => row.picked && row.rank !== 'active').map(chosenOf),
        table: [...chosen.toSorted(pickedFirst).map(scoreOf), ...others()],
        unavailable: named.filter((name) => !isHere(name)),
      }

      /** Rows without any points, as far as there is room. */
      function others(): readonly SkillScore[] {
        const more: SkillScore[] = []
        for (let at = 0; at < skills.length && looked.size + more.length < rows; at += 1) {
          if (!looked.has(at)) more.push(...rateAt(at).map((each) => scoreOf({ ...each, picked: false })))
        }
        return more
      }
    },
  }
}

const lowerCase = (text: string) => text.toLowerCase()

/** Why a skill is looked at in the order in which it is; `left` is not chosen. */
const ranks = ['active', 'named', 'inherited', 'scored', 'carried', 'left'] as const
type Rank = (typeof ranks)[number]

interface Rated {
  readonly skill: LoadedSkill
  readonly rank: Rank
  /** Its place among the named ones; 0 for any other. */
  readonly place: number
  readonly gate: boolean
  readonly points: Points
  readonly factor: number
  readonly score: number
  readonly tokens: number
  readonly reason: string
}

interface Row extends Rated {
  readonly picked: boolean
}

interface Around {
  readonly question: SkillQuestion
  readonly named: readonly string[]
  readonly signs: Signs
  readonly tokens: number
}

function rate(skill: LoadedSkill, { question, named, signs, tokens }: Around): Rated {
  const points = pointsOf(signs)
  const factor = factorOf(skill, question)
  const place = named.indexOf(skill.name.toLowerCase())
  const missing = question.missing(skill)
  const sum = points.keyword + points.substring + points.tag + points.pattern
  const lacking = signsLacking(skill, signs)
  const isRuledOut = points.veto !== undefined || lacking > 0
  const score = isRuledOut ? 0 : Math.round(sum * factor * 100) / 100
  const base = { skill, place: Math.max(place, 0), points, factor, score, tokens }
  const as = (rank: Rank, reason: string, gate = missing.length === 0): Rated => ({ ...base, gate, rank, reason })
  if (question.active.includes(skill.name)) return as('active', 'active already')
  if (missing.length > 0) return as('left', `needs ${missing.join(' and ')}`)
  if (place >= 0) return as('named', 'asked for by name')
  if (question.inherited.includes(skill.name)) return as('inherited', 'active in the thread that asked for this one')
  const isCarried = question.carried.includes(skill.name) && score === 0 && points.veto === undefined
  if (isCarried) return as('carried', 'goes on from the message before')
  if (skill.isOnlyByName) return as('left', `only by /${skill.name}`, false)
  if (points.veto !== undefined) return as('left', `ruled out by “${points.veto}”`)
  if (sum > 0 && lacking > 0) return as('left', `needs ${lacking} more of its words or patterns`)
  return score > 0 ? as('scored', '') : as('left', 'nothing of it is in the text')
}

/** One word alone stands in goals of many kinds: a skill may say how many of its signs it takes. */
function signsLacking({ activation }: LoadedSkill, { whole, parts, patterns }: Signs): number {
  return Math.max(0, (activation.min_signs ?? 0) - whole - parts - patterns)
}

function factorOf(skill: LoadedSkill, question: SkillQuestion): number {
  if (skill.source !== 'extracted') return 1
  return 0.5 + 0.5 * Math.min(1, Math.max(0, question.confidence(skill) ?? 1))
}

function inOrder(a: Rated, b: Rated): number {
  return (
    ranks.indexOf(a.rank) - ranks.indexOf(b.rank) ||
    a.place - b.place ||
    b.score - a.score ||
    byCodePoint(a.skill.name, b.skill.name)
  )
}

function pickedFirst(a: Row, b: Row): number {
  return Number(b.picked) - Number(a.picked) || b.score - a.score || byCodePoint(a.skill.name, b.skill.name)
}

function byCodePoint(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** The best first, as long as there is room; what a person named, or a parent uses, needs none. */
function choose(rated: readonly Rated[], { carried }: SkillQuestion): readonly Row[] {
  let count = 0
  let used = 0
  let isChosen = false
  return rated.map((each): Row => {
    const { rank, tokens } = each
    if (rank === 'active') return { ...each, picked: true }
    if (rank === 'left') return { ...each, picked: false }
    // It would seem to go on with another matter.
    if (rank === 'carried' && isChosen) return { ...each, picked: false, reason: 'the message is about something else' }
    const isFree = rank === 'named' || rank === 'inherited'
    const full = isFree ? null : whyFull({ count, used, tokens })
    if (full !== null) return { ...each, picked: false, reason: full }
    count += 1
    used += tokens
    if (rank !== 'carried' && !carried.includes(each.skill.name)) isChosen = true
    const reason = rank === 'scored' ? `fits: ${used} of ${limits.skillTokens} tokens used` : each.reason
    return { ...each, picked: true, reason }
  })
}

function whyFull(room: { readonly count: number; readonly used: number; readonly tokens: number }): string | null {
  if (room.count >= limits.skillsChosen) return `no room: at most ${limits.skillsChosen} skills`
  if (room.used + room.tokens <= limits.skillTokens) return null
  return `no room: it needs ${room.tokens} tokens, ${Math.max(0, limits.skillTokens - room.used)} are left`
}

function chosenOf({ skill, score, tokens, rank }: Row): ChosenSkill {
  return { skill, score, tokens, isForced: rank === 'named' }
}

function scoreOf({ skill, gate, points, factor, score, tokens, picked, reason }: Row): SkillScore {
  const { keyword, substring, tag, pattern, veto } = points
  const facts = { name: skill.name, gate, keyword, substring, tag, pattern, veto: veto !== undefined }
  return { ...facts, confidenceFactor: factor, score, tokens, picked, reason }
}
