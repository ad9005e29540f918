import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Cadence } from '../../core/domain/mission.ts'
import { definition, type MissionWorld, openMissionWorld, utc } from '../core/missions/mission-world.ts'
import { random } from './cron.ts'

export interface JumpFigures {
  readonly sequences: number
  readonly jumps: number
  readonly firings: number
  /** Of the ticks that one jump led to, in one second of the monotonic clock. */
  readonly mostTicksASecond: number
  readonly faults: readonly string[]
}

export interface JumpCampaign {
  readonly sequences: number
  readonly jumps: number
  readonly missions: number
  readonly seed: number
  /** A ledger that forgets what was claimed whenever the clock goes back. */
  readonly isBroken?: boolean
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const year = 365 * day

/** Back and forth, to the beginning of time and five years on; what stands first comes oftener. */
const jumps = [
  1_000,
  -1_000,
  minute,
  -minute,
  hour,
  -hour,
  2 * hour,
  -2 * hour,
  day,
  -day,
  8 * day,
  -8 * day,
  5 * year,
  -5 * year,
]

const cadences: readonly Cadence[] = [
  { kind: 'cron', expression: '0 9 * * 1' },
  { kind: 'every', everyMs: 3 * day },
  { kind: 'cron', expression: '30 2 1 * *' },
  { kind: 'every', everyMs: 7 * hour },
  { kind: 'cron', expression: '0 2 * * 0' },
  { kind: 'once', day: '2026-03-08', time: '02:30' },
  { kind: 'cron', expression: '15 1 * * 6,0' },
  { kind: 'every', everyMs: 11 * day },
  { kind: 'cron', expression: '0 0 29 2 *' },
  { kind: 'cron', expression: '0 * * * *' },
]
const zones = ['UTC', 'America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe'] as const
const policies = ['skip', 'once', 'all'] as const
const overlaps = ['skip', 'queue', 'cancel'] as const

/** In each sequence missions of their own go through the jumps of one clock; each instant may be carried out once, ever. */
export async function runJumps(campaign: JumpCampaign): Promise<JumpFigures> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'threadsmith-jumps-'))
  const chance = random(campaign.seed)
  const figures = { jumps: 0, firings: 0, mostTicksASecond: 0 }
  const faults: string[] = []
  try {
    for (let sequence = 0; sequence < campaign.sequences; sequence += 1) {
      const own = path.join(dataDir, String(sequence))
      fs.mkdirSync(own)
      const world = openMissionWorld(own, start)
      try {
        world.atOnce = 8
        addMissions(world, campaign.missions, chance)
        for (let jump = 0; jump < campaign.jumps; jump += 1) {
          const by = jumps[Math.floor(chance() ** 1.5 * jumps.length)] ?? 0
          const to = chance() < 0.03 ? 0 : Math.max(0, world.now + by)
          if (campaign.isBroken === true && to < world.now) forget(world)
          world.now = to
          figures.jumps += 1
          const { ticksASecond, tickedAt } = await settle(world, chance)
          figures.mostTicksASecond = Math.max(figures.mostTicksASecond, ticksASecond)
          const due = world.store.missions.due(tickedAt, 10)
          if (due.length > 0)
            faults.push(`sequence ${sequence}, jump ${jump}: ${due.length} missions are due after the ticks`)
        }
        faults.push(...repeated(world).map((fault) => `sequence ${sequence}: ${fault}`))
        figures.firings += world.orders.length
      } finally {
        await world.close()
        fs.rmSync(own, { recursive: true, force: true })
      }
    }
  } finally {
    fs.rmSync(dataDir, { recursive: true, force: true })
  }
  return { sequences: campaign.sequences, ...figures, faults }
}

/** Half an hour before the clocks of New York change. */
const start = utc('2026-03-08T06:30:00')

function addMissions(world: MissionWorld, count: number, chance: () => number): void {
  const pick = <Item>(items: readonly [Item, ...Item[]]): Item => items[Math.floor(chance() * items.length)] ?? items[0]
  for (let n = 0; n < count; n += 1) {
    // The last of the cadences has the most instants by far: one mission in ten.
    const cadence = cadences[n % cadences.length] ?? { kind: 'manual' }
    const facts = {
      cadence,
      zone: pick(zones),
      missed: pick(policies),
      overlap: pick(overlaps),
      maxLatenessMs: pick([null, 30 * day]),
    }
    const isOnce = cadence.kind === 'once'
    // Its time is yet to come in that zone, and half an hour away.
    const zone = isOnce ? 'America/New_York' : facts.zone
    world.missions.save({ projectId: 'p', definition: definition({ ...facts, zone, name: `m${n}` }), source: 'person' })
  }
}

/** As the ticker would tick within the next minute; some threads end meanwhile. Answers the most ticks of one second. */
async function settle(
  world: MissionWorld,
  chance: () => number,
): Promise<{ readonly ticksASecond: number; readonly tickedAt: number }> {
  const at: number[] = []
  let tickedAt = world.now
  const until = world.monotonicAt + minute
  while (world.monotonicAt < until) {
    at.push(world.monotonicAt)
    tickedAt = world.now
    const { againInMs } = await world.missions.tick(world.now)
    for (const { threadId } of world.store.missions.running(10)) {
      if (threadId !== null && chance() < 0.7) await world.end(threadId)
    }
    world.pass(againInMs === null ? 15_000 : Math.max(200, againInMs))
  }
  const ticksASecond = Math.max(...at.map((first) => at.filter((each) => each >= first && each < first + 1_000).length))
  return { ticksASecond, tickedAt }
}

function repeated({ orders }: MissionWorld): readonly string[] {
  const seen = new Set<string>()
  return orders.flatMap(({ mission, firing }) => {
    const key = `${mission.name} at ${new Date(firing.instant).toISOString()}`
    if (!seen.has(key)) {
      seen.add(key)
      return []
    }
    return [`${key} was carried out twice`]
  })
}

/** What a pointer without a ledger would do: a mission made anew has no rows. */
function forget(world: MissionWorld): void {
  for (const { id } of world.missions.list()) {
    const { definition: known, projectId, source } = world.missions.get(id)
    world.missions.remove(id)
    const isPast = known?.cadence.kind === 'once'
    if (known !== null && !isPast) world.missions.save({ projectId, definition: known, source })
  }
}

if (import.meta.main) {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { sequences: text, jumps: text, missions: text, seed: text } })
  const number = (value: string | undefined, usual: number) => Number(value ?? usual)
  const { faults, ...figures } = await runJumps({
    sequences: number(values.sequences, 500),
    jumps: number(values.jumps, 20),
    missions: number(values.missions, 50),
    seed: number(values.seed, 1),
  })
  console.log(JSON.stringify({ ...figures, faults: faults.length, first: faults.slice(0, 10) }, null, 2))
  process.exitCode = faults.length === 0 && figures.mostTicksASecond <= 5 ? 0 : 1
}
