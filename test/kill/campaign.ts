import { type ChildProcess, fork } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type FaultPoint, faultPoints } from '../../core/domain/fault-point.ts'
import { buildEngine } from './build.ts'
import { type Finding, lookAt, nothingSeen, type Seen } from './check.ts'
import { lookAtEnd } from './check-end.ts'
import { type Chance, chanceOf, extrasOf, type Plan, planOf } from './plan.ts'
import { type LifeEnd, runLife } from './run-life.ts'
import type { Violation } from './violation.ts'

export interface CampaignOptions {
  readonly kills: number
  /** Fewer kills will do after so long, once every boundary was died at. */
  readonly enoughMs?: number
  readonly seed: number
  /** Worlds side by side. */
  readonly lanes: number
  /** The negative control: intents are written after their effects. */
  readonly isBroken?: boolean
  /** Called after each kill. */
  readonly onKill?: (kills: number) => void
}

/** What went wrong, with what led to it. */
export interface Fault extends Violation {
  /** The kill after which it was found. */
  readonly kill: number
  readonly lane: number
  readonly round: number
  readonly plan: Plan
  /** The folder that shows it is left where it is. */
  readonly folder: string
}

export interface CampaignResult {
  readonly kills: number
  /** How often a life ended at each boundary. */
  readonly diedAt: ReadonlyMap<FaultPoint, number>
  readonly neverHit: readonly FaultPoint[]
  readonly rounds: number
  readonly effects: number
  readonly interrupted: number
  readonly events: number
  readonly faults: readonly Fault[]
  /** Ascending, from the start of the process until its threads ran again. */
  readonly recoveriesMs: readonly number[]
  /** The same in time of the processor: what other programs do does not stretch it. */
  readonly recoveriesCpuMs: readonly number[]
}

/** What the lanes share. */
interface Campaign {
  readonly options: CampaignOptions
  readonly entry: string
  readonly folder: string
  readonly diedAt: Map<FaultPoint, number>
  readonly faults: Fault[]
  readonly recoveriesMs: number[]
  readonly recoveriesCpuMs: number[]
  readonly startedAt: number
  readonly sums: { kills: number; rounds: number; effects: number; interrupted: number; events: number }
}

/**
 * Over after so many kills, or so long a time, once every boundary was died at; after twice as many without that. The negative
 * control is over at the first effect that happened twice.
 */
function isOver({ options, sums, diedAt, faults, startedAt }: Campaign): boolean {
  const { kills, isBroken = false, enoughMs = Number.POSITIVE_INFINITY } = options
  if (isBroken) return sums.kills >= kills || faults.some(({ what }) => what === 'twice')
  const isEnough = sums.kills >= kills || performance.now() - startedAt > enoughMs
  return (isEnough && diedAt.size === faultPoints.length) || sums.kills >= 2 * kills
}

/** Kills the engine so many times, and looks after each kill whether everything is as it was promised. */
export async function runCampaign(options: CampaignOptions): Promise<CampaignResult> {
  const built = await buildEngine({ isBroken: options.isBroken ?? false })
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'threadsmith-kill-')))
  const sums = { kills: 0, rounds: 0, effects: 0, interrupted: 0, events: 0 }
  const campaign: Campaign = {
    ...{ options, entry: built.entry, folder, sums },
    ...{ diedAt: new Map(), faults: [], recoveriesMs: [], recoveriesCpuMs: [], startedAt: performance.now() },
  }
  try {
    await warmUp(campaign)
    await Promise.all(Array.from({ length: options.lanes }, (_, lane) => runLane(campaign, lane)))
  } finally {
    built.remove()
    if (campaign.faults.length === 0 || options.isBroken === true) fs.rmSync(folder, { recursive: true, force: true })
  }
  const { diedAt, faults } = campaign
  const [recoveriesMs = [], recoveriesCpuMs = []] = [campaign.recoveriesMs, campaign.recoveriesCpuMs].map((times) =>
    times.toSorted((a, b) => a - b),
  )
  const neverHit = faultPoints.filter((name) => !diedAt.has(name))
  return { ...sums, diedAt, neverHit, faults, recoveriesMs, recoveriesCpuMs }
}

/** Compiled code is kept by processes that end by themselves, which none of the others does. */
async function warmUp(campaign: Campaign): Promise<void> {
  const { report, ledger, ...folders } = placeOf(campaign, { lane: -1, round: 0 })
  const world = await startWorld(ledger)
  const { dataDir, folder } = folders
  const told = { dataDir, folder, report, contentDir, port: world.port, dieAt: {}, says: null, quitAfterMs: 500 }
  await runLife(campaign.entry, told, { kind: 'none' })
  world.end()
}

async function runLane(campaign: Campaign, lane: number): Promise<void> {
  const chance = chanceOf(campaign.options.seed * 1_000 + lane)
  for (let round = 0; !isOver(campaign); round += 1) {
    await runRound(campaign, { lane, round, chance })
    campaign.sums.rounds += 1
  }
}

const none: ReadonlySet<FaultPoint> = new Set()

interface Round {
  readonly lane: number
  readonly round: number
  readonly chance: Chance
}

/** One store and one world, from the first message to the last answer, through as many lives as it takes. */
async function runRound(campaign: Campaign, round: Round): Promise<void> {
  const { options, sums } = campaign
  const place = placeOf(campaign, round)
  const world = await startWorld(place.ledger)
  let seen: Seen = nothingSeen
  let finding: Finding | undefined
  try {
    for (let life = 0; ; life += 1) {
      const isLast = isOver(campaign)
      // The negative control has few kills, and every boundary is not what it is about.
      const missing =
        options.isBroken === true ? none : new Set(faultPoints.filter((name) => !campaign.diedAt.has(name)))
      const plan: Plan = isLast ? { kind: 'none' } : planOf(round.chance, missing)
      const extras = isLast ? { says: null, quitAfterMs: null } : extrasOf(round.chance, life)
      const { dataDir, folder, report } = place
      const dieAt = plan.kind === 'point' ? plan.dieAt : {}
      const told = { dataDir, folder, report, contentDir, port: world.port, dieAt, ...extras }
      const end = await runLife(campaign.entry, told, plan)
      if (end.how === 'killed') {
        sums.kills += 1
        if (end.point !== null) campaign.diedAt.set(end.point, (campaign.diedAt.get(end.point) ?? 0) + 1)
        options.onKill?.(sums.kills)
      }
      if (end.recovery !== null && life > 0) {
        campaign.recoveriesMs.push(end.recovery.ms)
        campaign.recoveriesCpuMs.push(end.recovery.cpuMs)
      }
      finding = await lookAt(place, seen, end.mark)
      seen = finding.seen
      const atEnd = end.how === 'done' ? await lookAtEnd(dataDir, folder) : []
      const violations = [...finding.violations, ...ofEnd(end), ...atEnd]
      const { lane, round: number } = round
      for (const each of violations) {
        campaign.faults.push({ ...each, kill: sums.kills, lane, round: number, plan, folder: place.root })
      }
      if (isAtItsEnd(campaign, end, violations)) break
    }
  } finally {
    world.end()
  }
  sums.effects += finding?.effects ?? 0
  sums.interrupted += finding?.interrupted ?? 0
  sums.events += seen.events
}

/** The negative control looks for one thing; what else its broken door does must not hide it. */
function isAtItsEnd(campaign: Campaign, { how }: LifeEnd, violations: readonly Violation[]): boolean {
  if (how === 'done' || how === 'stuck' || how === 'failed') return true
  return campaign.options.isBroken === true ? isOver(campaign) : violations.length > 0
}

function ofEnd({ how, problem }: LifeEnd): readonly Violation[] {
  if (how === 'stuck') return [{ what: 'stuck', detail: `it did not come to its end: ${problem}` }]
  if (how === 'failed') return [{ what: 'failed', detail: problem.slice(-2_000) }]
  return []
}

const contentDir = path.resolve(import.meta.dirname, '../..')

function placeOf({ folder }: Campaign, { lane, round }: Pick<Round, 'lane' | 'round'>) {
  const root = path.join(folder, `${lane}-${round}`)
  const [dataDir, project, copyDir] = ['data', 'project', 'copy'].map((name) => path.join(root, name))
  const made = { dataDir: dataDir ?? root, folder: project ?? root, copyDir: copyDir ?? root }
  for (const each of Object.values(made)) fs.mkdirSync(each, { recursive: true })
  fs.writeFileSync(path.join(made.folder, 'same.txt'), 'as it was\n')
  const ledger = path.join(root, 'ledger')
  fs.writeFileSync(ledger, '')
  return { root, ...made, ledger, report: path.join(root, 'report') }
}

async function startWorld(ledger: string): Promise<{ readonly port: number; end(): void }> {
  const world: ChildProcess = fork(path.join(import.meta.dirname, 'world.ts'), [ledger], { execArgv: [] })
  const port = await new Promise<number>((resolve, reject) => {
    world.once('message', (message) => resolve(Number(message)))
    world.once('exit', (code) => reject(new Error(`the world ended with ${code}`)))
  })
  return { port, end: () => void world.kill() }
}
