/** Verdicts on a cron expression: a closed list of its own beside the codes of errors (RULES 31). */
export const cronCodes = [
  'cron.empty',
  'cron.nickname',
  'cron.fields',
  'cron.character',
  'cron.range',
  'cron.reversed',
  'cron.step',
  'cron.never',
  'cron.zone',
] as const
export type CronCode = (typeof cronCodes)[number]

/** Why an expression is refused on save. */
export interface CronRefusal {
  readonly ok: false
  readonly code: CronCode
  /** Characters of the expression before the first wrong one; absent where it is about the whole. */
  readonly position?: number
  /** One sentence for the person: what is wrong, and what would be right. */
  readonly message: string
}

/**
 * What the clocks do at an instant. `skipped`: the time that was asked for does not exist on that day; `repeated`: it happens
 * twice; `shifted`: the clocks changed since the instant before.
 */
export type ClockChange = 'skipped' | 'repeated' | 'shifted'

export interface CronInstant {
  /** Epoch ms. */
  readonly at: number
  /** `2026-03-08 03:00`, in the zone. */
  readonly local: string
  readonly clockChange: ClockChange | null
}

/** An expression in words, with the next instants that it means. */
export interface CronPreview {
  readonly ok: true
  readonly words: string
  readonly next: readonly CronInstant[]
  /** What a reader would get wrong: clock changes, days that are alternatives. */
  readonly notes: readonly string[]
}
