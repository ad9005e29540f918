import type { Figures } from './bench-folder.ts'
import type { RunOfOrder } from './run.ts'

/** One goal of the issue in one run, as it was measured. */
export interface GoalRow {
  readonly order: string
  readonly variant: string
  readonly goal: string
  readonly measured: string
  readonly isMet: boolean
}

interface Measured {
  readonly order: string
  readonly variant: 'careful' | 'trusting' | 'detours'
  readonly figures: Figures
  readonly on: RunOfOrder
  readonly families: number
}

const leastTrusting = 0.97
const stepsDrop = { careful: 0.6, trusting: 0.6, detours: 0.45 } as const
const tokensDrop = 0.5
const leastPrecision = 0.97
const leastRecall = 0.92
const mostHarmful = 3
const mostApprovals = 1.5

export function goalRows({ order, variant, figures, on, families }: Measured): readonly GoalRow[] {
  const { success, stepsDropAfter3, promptTokensDropAfter3, selection, use, lookalike, rollback } = figures
  const row = (goal: string, measured: string, isMet: boolean): GoalRow => ({ order, variant, goal, measured, isMet })
  const steps = stepsDropAfter3.learnable ?? 0
  const tokens = promptTokensDropAfter3.learnable ?? 0
  const harmful = Object.entries(rollback).map(([family, { harmfulUses }]) => `${family} ${harmfulUses}`)
  const approvals = figures.approvalsAsked / families
  const isCareful = variant === 'careful'
  return [
    row(
      isCareful ? 'success not below learning off' : `success at least ${leastTrusting}`,
      `${success.on.toFixed(3)} (off ${success.off.toFixed(3)})`,
      isCareful ? success.on >= success.off : success.on >= leastTrusting,
    ),
    row(`median steps -${percent(stepsDrop[variant])}`, `-${percent(steps)}`, steps >= stepsDrop[variant]),
    row(`prompt tokens -${percent(tokensDrop)}`, `-${percent(tokens)}`, tokens >= tokensDrop),
    row('wrong writes by a skill 0', String(use.wrongWrites), use.wrongWrites === 0),
    row('look-alikes all right', percent(lookalike.success ?? 1), (lookalike.success ?? 1) === 1),
    row(
      `selection precision at least ${leastPrecision}`,
      figure(selection.precision),
      (selection.precision ?? 1) >= leastPrecision,
    ),
    row(`selection recall at least ${leastRecall}`, figure(selection.recall), (selection.recall ?? 0) >= leastRecall),
    row('no distractor hit', String(selection.onDistractors), selection.onDistractors === 0),
    row(
      `harmful uses after a change at most ${mostHarmful}`,
      harmful.join(', ') || 'no change',
      Object.values(rollback).every(({ harmfulUses }) => harmfulUses <= mostHarmful),
    ),
    row(`approvals a family at most ${mostApprovals}`, approvals.toFixed(2), approvals <= mostApprovals),
    row('lines without three sources 0', `${on.codeLines.bare} of ${on.codeLines.all}`, on.codeLines.bare === 0),
    row('a firing of the mission, median', `${Math.round(middle(on.learningMs))} ms`, true),
  ]
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}

function figure(share: number | null): string {
  return share === null ? 'none' : share.toFixed(3)
}

function middle(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
}

/** A column for each run, a line for each goal; what is not met is marked. */
export function tableText(rows: readonly GoalRow[]): string {
  const variants = [...new Set(rows.map(({ variant }) => variant))]
  return variants
    .map((variant) => {
      const own = rows.filter((row) => row.variant === variant)
      const orders = [...new Set(own.map(({ order }) => order))]
      const goals = [...new Set(own.map(({ goal }) => goal))]
      const cells = goals.map((goal) => [
        goal,
        ...orders.map((order) => {
          const found = own.find((row) => row.goal === goal && row.order === order)
          return found === undefined ? '' : `${found.measured}${found.isMet ? '' : '  NOT MET'}`
        }),
      ])
      return columns([[variant, ...orders], ...cells])
    })
    .join('\n\n')
}

function columns(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, at) => Math.max(...lines.map((line) => (line[at] ?? '').length)))
  return lines
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
