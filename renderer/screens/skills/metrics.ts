import { confidenceOf } from '../../../core/domain/confidence.ts'
import type { SkillConfidence, SkillUse } from '../../../core/domain/skill.ts'

/** One use that counts, in the order of time, with what was known of its version once it had ended. */
export interface Run {
  /** Its place along the bottom, from 1. */
  readonly at: number
  readonly use: SkillUse
  readonly ok: boolean
  readonly confidence: SkillConfidence
}

/** Runs of one version side by side; a version that came back has several, and goes on from where it was. */
export interface VersionStretch {
  readonly version: number
  readonly runs: readonly Run[]
}

/** Stretches of versions, the oldest first. What does not count is left out. `uses` may be in any order. */
export function stretchesOf(uses: readonly SkillUse[]): readonly VersionStretch[] {
  const sums = new Map<number, { ok: number; n: number }>()
  return stretched(
    counted(uses).map((use, index): Run => {
      const ok = use.outcome === 'success'
      const before = sums.get(use.version) ?? { ok: 0, n: 0 }
      const sum = { ok: before.ok + (ok ? 1 : 0), n: before.n + 1 }
      sums.set(use.version, sum)
      return { at: index + 1, use, ok, confidence: confidenceOf(sum.ok, sum.n) }
    }),
  )
}

export const windowRuns = 20

/** The same runs, each with what the last 20 up to it show, whichever version they were of. */
export function windowedOf(uses: readonly SkillUse[]): readonly VersionStretch[] {
  const all = counted(uses)
  return stretched(
    all.map((use, index): Run => {
      const last = all.slice(Math.max(0, index + 1 - windowRuns), index + 1)
      const ok = last.filter(({ outcome }) => outcome === 'success').length
      return { at: index + 1, use, ok: use.outcome === 'success', confidence: confidenceOf(ok, last.length) }
    }),
  )
}

function counted(uses: readonly SkillUse[]): readonly SkillUse[] {
  return uses.filter(({ outcome }) => outcome !== null).toSorted((a, b) => a.at - b.at)
}

function stretched(runs: readonly Run[]): readonly VersionStretch[] {
  const stretches: { version: number; runs: Run[] }[] = []
  for (const run of runs) {
    const last = stretches.at(-1)
    if (last?.version === run.use.version) last.runs.push(run)
    else stretches.push({ version: run.use.version, runs: [run] })
  }
  return stretches
}

export interface Week {
  /** Epoch ms of its Monday, 0:00 in the local zone. */
  readonly monday: number
  readonly ok: number
  readonly failed: number
}

const mostWeeks = 12

/** Runs by week, the newest twelve that lie between the first run and now; a week without any is there with zeros. */
export function weeksOf(uses: readonly SkillUse[], now: number): readonly Week[] {
  const sums = new Map<number, { ok: number; failed: number }>()
  for (const { at, outcome } of counted(uses)) {
    const monday = mondayOf(at)
    const sum = sums.get(monday) ?? { ok: 0, failed: 0 }
    sums.set(monday, outcome === 'success' ? { ...sum, ok: sum.ok + 1 } : { ...sum, failed: sum.failed + 1 })
  }
  const first = Math.min(...sums.keys())
  const weeks: Week[] = []
  for (let monday = mondayOf(now); monday >= first && weeks.length < mostWeeks; monday = weekBefore(monday))
    weeks.push({ monday, ...(sums.get(monday) ?? { ok: 0, failed: 0 }) })
  return weeks.reverse()
}

function mondayOf(at: number): number {
  const date = new Date(at)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - ((date.getDay() + 6) % 7)).getTime()
}

/** By calendar days: a week with a clock change is an hour longer or shorter. */
function weekBefore(monday: number): number {
  const date = new Date(monday)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - 7).getTime()
}

export type Trend = 'better' | 'worse' | 'same'

/**
 * The live version beside all others, once their intervals say so; null where one of both has not been used. Of a first version
 * that is live all others are newer, and were taken back: it did not get better than what it was.
 */
export function trendOf(skill: {
  readonly version: number
  readonly confidence: SkillConfidence
  readonly uses: number
  readonly successes: number
}): Trend | null {
  const { value, n } = skill.confidence
  const live = Math.round(value * n)
  const before = { successes: skill.successes - (n === 0 ? 0 : live), n: skill.uses - n }
  if (skill.version === 1 || n === 0 || before.n <= 0) return null
  const old = confidenceOf(before.successes, before.n)
  if (value > old.value && skill.confidence.low > old.value) return 'better'
  return value < old.value && skill.confidence.high < old.value ? 'worse' : 'same'
}
