import { faultPoints } from '../../core/domain/fault-point.ts'
import type { CampaignResult, Fault } from './campaign.ts'

/** Source: RULES and reliability R1. */
const longestRecoveryMs = 1_500

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** What a person reads of a campaign; `isWell`: nothing went wrong, every point was died at, recovery was quick enough. */
export function reportOf(result: CampaignResult, asked: { readonly kills: number }) {
  const { kills, diedAt, neverHit, effects, interrupted, rounds, events, faults, recoveriesMs, recoveriesCpuMs } =
    result
  const count = (...what: readonly string[]) => faults.filter((fault) => what.includes(fault.what)).length
  const [p50, p95, max] = [0.5, 0.95, 1].map((share) => percentile(recoveriesMs, share))
  const lines = [
    `kills ${kills}, at ${diedAt.size} of ${faultPoints.length} fault points, in ${rounds} threads with their children, ${events} events`,
    `effects ${effects}, twice ${count('twice')}, lost ${count('lost')}, stuck ${count('stuck')}, interrupted ${interrupted}`,
    `damaged ${count('integrity')}, unannounced ${count('unannounced')}, other faults ${count('state', 'index', 'failed')}`,
    `recovery p50 ${p50} ms, p95 ${p95} ms, max ${max} ms of ${recoveriesMs.length} starts; of the processor p95 ${percentile(recoveriesCpuMs, 0.95)} ms`,
    ...(neverHit.length === 0 ? [] : [`never hit: ${neverHit.join(', ')}`]),
    ...faults.map(lineOf),
  ]
  const isWell = faults.length === 0 && neverHit.length === 0 && kills >= asked.kills && (p95 ?? 0) <= longestRecoveryMs
  return { text: lines.join('\n'), isWell }
}

function lineOf({ kill, lane, round, what, detail, plan, folder }: Fault): string {
  const places = plan.kind === 'point' ? Object.entries(plan.dieAt) : []
  const [first] = places
  const how =
    first === undefined
      ? plan.kind
      : places.length > 1
        ? 'at a boundary not died at yet'
        : `at ${first[0]}, ${first[1]}`
  return `kill ${kill}, lane ${lane}, round ${round} (${how}): ${what}: ${detail.trim()}; see ${folder}`
}
