import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { AppError } from '../../core/domain/error.ts'
import { limits } from '../../core/domain/limits.ts'
import { openSkillWorld, type SkillWorld, skillText, writeSkill } from '../support/skill-world.ts'

export interface DecisionFigures {
  readonly orders: number
  readonly acts: number
  readonly approvals: number
  readonly restarts: number
  /** Approvals of what an agent wrote into a folder. */
  readonly ofFiles: number
  /** Versions that the tracker took back. */
  readonly takenBack: number
  /** Live versions without an approval of exactly their bytes: must be empty. */
  readonly faults: readonly string[]
}

const acts = [
  'propose',
  'approve',
  'approve',
  'approve',
  'reject',
  'quarantine',
  'edit',
  'expire',
  'restart',
  'late',
  'rollback',
  'again',
  // A file that an agent writes into the project's folder of skills, and one that goes.
  'file',
  'file gone',
  // Three threads that fail with what is live: the tracker takes it back.
  'fail',
  'propose back',
  'out of use',
  'in use',
] as const

/**
 * Random orders of what can become of candidates, each for a skill of its own. After each act every live version is compared with
 * the decisions that were made here: its bytes, and the candidate that says so.
 */
export async function runDecisions(orders: number, seed: number): Promise<DecisionFigures> {
  const faults: string[] = []
  const all = { acts: 0, approvals: 0, restarts: 0, ofFiles: 0, takenBack: 0 }
  const parts = Math.ceil(orders / ordersOfStore)
  for (let part = 0; part < parts; part += 1) {
    const own = await runInStore(Math.min(ordersOfStore, orders - part * ordersOfStore), seed * 1_000 + part)
    all.acts += own.acts
    all.approvals += own.approvals
    all.restarts += own.restarts
    all.ofFiles += own.ofFiles
    all.takenBack += own.takenBack
    faults.push(...own.faults)
  }
  return { orders, ...all, faults }
}

/** A store of its own for so many: what is there already is compared at every act. */
const ordersOfStore = 250
const actsOfOrder = 8

async function runInStore(orders: number, seed: number): Promise<DecisionFigures> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'threadsmith-decisions-'))
  const chance = random(seed)
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(chance() * items.length)]
  let world = openSkillWorld(dataDir)
  const folder = path.join(dataDir, 'project')
  world.project('p', folder)
  const faults: string[] = []
  const counts = { acts: 0, approvals: 0, restarts: 0, ofFiles: 0, takenBack: 0 }
  /** `name sha256` of what was approved here. */
  const approved = new Set<string>()
  try {
    for (let order = 0; order < orders; order += 1) {
      const name = `skill-${order}`
      const candidates: string[] = []
      for (let at = 0; at < actsOfOrder; at += 1) {
        counts.acts += 1
        const act = at === 0 ? 'propose' : (pick(acts) ?? 'propose')
        if (act === 'restart') {
          const { now } = world
          await world.close()
          world = openSkillWorld(dataDir, [], { now })
          counts.restarts += 1
        } else counts.approvals += await carryOut(act, { world, name, candidates, approved, chance, pick, folder })
        faults.push(...faultsOf(world, name, approved).map((fault) => `order ${order}, act ${at} (${act}): ${fault}`))
      }
    }
    const decided = world.store.candidates.decided(Number.MAX_SAFE_INTEGER, 10_000)
    counts.ofFiles = decided.filter((each) => each.state === 'approved' && /^its file/.test(each.proposedBy)).length
    const versions = world.store.skills.all().flatMap(({ id }) => world.store.skills.versions(id))
    counts.takenBack = versions.filter(({ rolledBackThreads }) => rolledBackThreads.length > 0).length
  } finally {
    await world.close()
    fs.rmSync(dataDir, { recursive: true, force: true })
  }
  return { orders, ...counts, faults }
}

interface Turn {
  readonly world: SkillWorld
  readonly name: string
  readonly candidates: string[]
  readonly approved: Set<string>
  readonly chance: () => number
  /** Of the project. */
  readonly folder: string
  readonly pick: <Item>(items: readonly Item[]) => Item | undefined
}

/** Answers how many approvals it made. What is refused changes nothing, which the comparison sees. */
async function carryOut(act: (typeof acts)[number], turn: Turn): Promise<number> {
  const { world, name, candidates, approved, chance, pick, folder } = turn
  const { review, desk, collection, tracker } = world.skills
  const { store } = world
  const row = store.skills.byName(name, 'p')
  const files = path.join(folder, '.threadsmith/skills')
  const id = pick(candidates)
  try {
    switch (act) {
      case 'propose':
      case 'again': {
        const body = `Text ${Math.floor(chance() * 4)} of ${name}.`
        const facts = {
          name,
          projectId: 'p',
          source: 'extracted',
          trust: 'trusted',
          threadId: null,
          callKey: null,
        } as const
        const content = skillText(name, { body })
        candidates.push(review.propose({ ...facts, kind: 'new', content, proposedBy: 'it', reason: 'learnt' }).id)
        return 0
      }
      case 'approve':
      case 'reject':
      case 'quarantine':
      case 'edit':
      case 'late': {
        if (id === undefined) return 0
        const { sha256, before } = await review.get(id)
        if (act === 'late') world.now += limits.candidateMs + 1
        const decision = act === 'reject' || act === 'quarantine' ? act : 'approve'
        const edited = act === 'edit' ? skillText(name, { body: `Edited ${Math.floor(chance() * 3)}.` }) : undefined
        const seen = { id, sha256, before: before?.sha256 ?? null }
        const decided = await review.decide({ ...seen, decision, edited })
        if (decided.state !== 'approved') return 0
        approved.add(`${name} ${decided.sha256}`)
        return 1
      }
      case 'expire':
        world.now += limits.candidateMs + 1
        review.expireDue()
        return 0
      case 'rollback': {
        const to = row === undefined ? undefined : pick(store.skills.versions(row.id))
        if (row !== undefined && to !== undefined) desk.rollBack({ id: row.id, to: to.version })
        return 0
      }
      case 'file':
      case 'file gone': {
        // Where nobody looked before, what lies there is a person's.
        collection.library('p')
        world.isWorking = true
        const body = `File ${Math.floor(chance() * 3)} of ${name}.`
        if (act === 'file') writeSkill(files, name, skillText(name, { body }))
        else fs.rmSync(path.join(files, name), { recursive: true, force: true })
        collection.rescan()
        world.isWorking = false
        const own = review.list({ state: 'pending', limit: 1_000 }).rows.filter((each) => each.name === name)
        candidates.push(...own.map((each) => each.id))
        return 0
      }
      case 'fail': {
        for (let at = 0; at < 3; at += 1) {
          const skill = collection.library('p').get(name)
          if (skill === undefined) break
          const threadId = `${name}-${store.threads.nextNumber()}`
          world.thread({ id: threadId, outcome: 'failed' })
          const { id: skillId, version, trust } = skill
          const active = { id: skillId, name, version, trust, score: 10, tokens: 9, isForced: false } as const
          const data = { step: 0, skills: [active], looked: 1, unavailable: [] }
          world.events.commit((append) => append(threadId, { kind: 'skill.selected', data, body: { table: [] } }))
          await tracker.ended(store.threads.get(threadId) ?? expectThread(threadId))
        }
        return 0
      }
      case 'propose back': {
        const to = row === undefined ? undefined : pick(store.skills.versions(row.id))
        const content = to && store.skills.content(to.skillId, to.version)
        if (to === undefined || content === undefined) return 0
        const facts = {
          name,
          projectId: 'p',
          source: to.source,
          trust: to.trust,
          threadId: null,
          callKey: null,
        } as const
        candidates.push(
          review.propose({ ...facts, kind: 'rollback', content, proposedBy: 'the tracker', reason: 'worse' }).id,
        )
        return 0
      }
      case 'out of use':
      case 'in use':
        if (row !== undefined) desk.quarantine({ id: row.id, quarantined: act === 'out of use' })
        return 0
      case 'restart':
        return 0
    }
  } catch (error) {
    if (error instanceof AppError) return 0
    throw error
  }
}

function expectThread(id: string): never {
  throw new Error(`thread ${id} was not kept`)
}

function faultsOf({ store, skills }: SkillWorld, name: string, approved: ReadonlySet<string>): readonly string[] {
  const row = store.skills.byName(name, 'p')
  const live = skills.collection.library('p').get(name)
  const isUsed = row?.state === 'active' && row.live !== null
  if (live === undefined) return isUsed ? [`${name} v${row.live} is live on record and not in the library`] : []
  if (!isUsed) return [`${name} is ${row?.state} and in the library`]
  const version = store.skills.version(live.id, live.version)
  const candidate = version?.candidateId == null ? undefined : store.candidates.get(version.candidateId)
  const wrong: string[] = []
  if (!approved.has(`${name} ${live.sha256}`)) wrong.push(`${name} is live with bytes that nobody approved`)
  if (candidate?.state !== 'approved' || candidate.sha256 !== live.sha256)
    wrong.push(`${name} has no approval of its bytes`)
  return wrong
}

function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { orders: { type: 'string' }, seed: { type: 'string' } } })
  const figures = await runDecisions(Number(values.orders ?? 10_000), Number(values.seed ?? 1))
  console.log(JSON.stringify({ ...figures, faults: figures.faults.length, first: figures.faults.slice(0, 5) }, null, 2))
  process.exitCode = figures.faults.length === 0 ? 0 : 1
}
