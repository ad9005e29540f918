import fs from 'node:fs'
import { ratiosOf, runRatiosOf, type Violation, violationsOf } from './check.ts'
import { nameOf } from './plan.ts'
import { type RunRecord, runOnce } from './run.ts'
import { ledgerIn, touched } from './script.ts'

export interface CampaignOptions {
  readonly runs: number
  readonly seed: number
  /** Side by side. */
  readonly lanes: number
  /** Of the requests. */
  readonly share: number
  readonly isBroken?: boolean
  readonly onRun?: (runs: number) => void
}

/** What went wrong, with the seed that shows it again and the folder, which is left where it is. */
export interface Fault extends Violation {
  readonly seed: number
  readonly folder: string
}

export interface CampaignResult {
  readonly runs: number
  readonly threads: number
  readonly requests: number
  readonly effects: number
  readonly ownRetries: number
  readonly quits: number
  /** Of failed answers with text. */
  readonly partialTexts: number
  /** How often each was met, by its name. */
  readonly faults: Readonly<Record<string, number>>
  readonly outcomes: Readonly<Record<string, number>>
  readonly worstCall: number
  readonly worstRun: number
  readonly violations: readonly Fault[]
}

/** So many goals against a model server that fails, and what came of each. */
export async function runCampaign(options: CampaignOptions): Promise<CampaignResult> {
  const tally = createTally()
  let begun = 0
  const lane = async () => {
    while (begun < options.runs) {
      begun += 1
      const seed = options.seed * 100_000 + begun
      const record = await runOnce({ seed, share: options.share, isBroken: options.isBroken ?? false })
      tally.add(record, seed)
      options.onRun?.(tally.runs)
    }
  }
  await Promise.all(Array.from({ length: options.lanes }, lane))
  return tally.result()
}

function createTally() {
  const sums = { runs: 0, threads: 0, requests: 0, effects: 0, ownRetries: 0, quits: 0, partialTexts: 0 }
  const worst = { worstCall: 0, worstRun: 0 }
  const faults: Record<string, number> = {}
  const outcomes: Record<string, number> = {}
  const violations: Fault[] = []
  const count = (table: Record<string, number>, name: string) => {
    table[name] = (table[name] ?? 0) + 1
  }
  return {
    get runs() {
      return sums.runs
    },
    add(record: RunRecord, seed: number) {
      const { folder, turns, events, met, first } = record
      sums.runs += 1
      sums.threads += turns.length
      sums.requests += met.length
      sums.effects += touched(ledgerIn(folder)).length
      sums.quits += record.quits
      for (const fault of met) if (fault !== null) count(faults, nameOf(fault))
      if (first !== 'plain') count(faults, `TLS: ${first}`)
      for (const { outcome } of turns) if (outcome !== 'failed') count(outcomes, String(outcome))
      for (const event of events) {
        if (event.kind === 'model.retried') sums.ownRetries += 1
        if (event.kind !== 'model.failed') continue
        count(outcomes, event.data.code)
        if (event.body.partialText !== '') sums.partialTexts += 1
      }
      worst.worstCall = Math.max(worst.worstCall, ...ratiosOf(events))
      worst.worstRun = Math.max(worst.worstRun, ...runRatiosOf(record))
      const found = violationsOf(record)
      violations.push(...found.map((violation) => ({ ...violation, seed, folder })))
      if (found.length === 0) fs.rmSync(folder, { recursive: true, force: true })
    },
    result: (): CampaignResult => ({ ...sums, ...worst, faults, outcomes, violations }),
  }
}

/** What a person reads of a campaign. */
export function reportOf(result: CampaignResult): string {
  const { runs, threads, requests, effects, ownRetries, quits, partialTexts, worstCall, worstRun, violations } = result
  const table = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .toSorted()
      .map(([name, times]) => `${name} ${times}`)
      .join(', ')
  const hit = Object.values(result.faults).reduce((sum, times) => sum + times, 0)
  const of = (...what: readonly Violation['what'][]) => violations.filter((each) => what.includes(each.what)).length
  return [
    `runs ${runs}, threads ${threads}, requests ${requests}, faults ${hit} (${table(result.faults)})`,
    `outcomes: ${table(result.outcomes)}; own retries ${ownRetries}, quits ${quits}, partial texts kept ${partialTexts}`,
    `effects ${effects}, twice ${of('twice')}, lost ${of('lost')}, unrecorded ${of('unrecorded')}, stuck ${of('stuck')}, late ${of('late')}, without words ${of('untold')}, partial text lost ${of('partial')}`,
    `longest call ${worstCall.toFixed(2)} × its deadline, longest run ${worstRun.toFixed(2)} ×`,
    ...violations.map(({ what, detail, seed, folder }) => `${what}: ${detail} (run ${seed}, ${folder})`),
  ].join('\n')
}
