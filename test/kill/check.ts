import { hash } from 'node:crypto'
import fs from 'node:fs'
import Database from 'better-sqlite3'
import { z } from 'zod'
import { factsFrom } from '../../core/store/event-facts.ts'
import { storePath } from '../../core/store/store.ts'
import { ofRows, withStore } from './check-record.ts'
import { isDenied } from './script.ts'
import { lost, type Violation } from './violation.ts'

/** What was committed when it was last looked at: the log may only grow. */
export interface Seen {
  readonly events: number
  readonly digest: string
}
export const nothingSeen: Seen = { events: 0, digest: '' }

/** What stands in the store and in the world, read between two lives. */
export interface Finding {
  readonly seen: Seen
  readonly violations: readonly Violation[]
  readonly interrupted: number
  readonly effects: number
}

const eventRow = z.object({
  seq: z.number(),
  threadId: z.string(),
  kind: z.string(),
  data: z.string(),
  body: z.string().nullable(),
  bodyHash: z.string().nullable(),
})
type EventRow = z.infer<typeof eventRow>
const callFacts = z.object({
  name: z.string(),
  summary: z.string(),
  ok: z.boolean().optional(),
  code: z.string().optional(),
})

export interface Place {
  readonly dataDir: string
  readonly ledger: string
  /** An empty folder for the copy. */
  readonly copyDir: string
}

/** Looks at a copy: SQLite takes up what the kill left in its log there, and the engine still has to do it by itself. */
export async function lookAt(place: Place, before: Seen, mark: number): Promise<Finding> {
  const copy = copyOf(place)
  const effects = effectsIn(place.ledger)
  const empty = { seen: before, interrupted: 0, effects: effects.length }
  if (copy === undefined) return { ...empty, violations: mark > 0 ? [lost('the store is gone')] : [] }
  const { integrity, events } = readCopy(copy)
  const damaged: readonly Violation[] = integrity === 'ok' ? [] : [{ what: 'integrity', detail: integrity }]
  if (events.length === 0 || damaged.length > 0) {
    return { ...empty, violations: [...damaged, ...ofLog(events, before, mark)] }
  }
  const rows = await withStore(place.copyDir, ofRows)
  const { violations, interrupted } = ofEffects(events, effects)
  const all = [...ofLog(events, before, mark), ...rows, ...violations]
  return { ...empty, interrupted, seen: seenOf(events), violations: all }
}

function readCopy(copy: string): { readonly integrity: string; readonly events: readonly EventRow[] } {
  const db = new Database(copy)
  try {
    const integrity = String(db.pragma('integrity_check', { simple: true }))
    // A first start may have died before there was anything.
    const isMade = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'event'").get() !== undefined
    const sql = 'SELECT seq, threadId, kind, data, body, bodyHash FROM event ORDER BY seq'
    return { integrity, events: isMade ? z.array(eventRow).parse(db.prepare(sql).all()) : [] }
  } finally {
    db.close()
  }
}

function copyOf({ dataDir, copyDir }: Place): string | undefined {
  const file = storePath(dataDir)
  if (!fs.existsSync(file)) return undefined
  const copy = storePath(copyDir)
  for (const suffix of ['', '-wal', '-shm']) fs.rmSync(copy + suffix, { force: true })
  fs.copyFileSync(file, copy)
  if (fs.existsSync(`${file}-wal`)) fs.copyFileSync(`${file}-wal`, `${copy}-wal`)
  return copy
}

function seenOf(events: readonly EventRow[]): Seen {
  return { events: events.length, digest: digestOf(events) }
}

function digestOf(events: readonly EventRow[]): string {
  return hash('sha256', JSON.stringify(events))
}

/** The same bytes as before, a number for each, and everything that the last life said it had committed. */
function ofLog(events: readonly EventRow[], before: Seen, mark: number): readonly Violation[] {
  const last = events.at(-1)?.seq ?? 0
  const isSame = before.events === 0 || digestOf(events.slice(0, before.events)) === before.digest
  return [
    ...(isSame ? [] : [lost(`the first ${before.events} events are not what they were`)]),
    ...(last === events.length ? [] : [lost(`${events.length} events, and the last is number ${last}`)]),
    ...(last >= mark ? [] : [lost(`${mark} events were committed, ${last} are there`)]),
  ]
}

/** The world's ledger: `touch key` or `put key`, one line for each effect. */
function effectsIn(ledger: string): readonly string[] {
  return fs
    .readFileSync(ledger, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
}

function ofEffects(events: readonly EventRow[], effects: readonly string[]) {
  const times = new Map<string, number>()
  for (const effect of effects) times.set(effect, (times.get(effect) ?? 0) + 1)
  const announced = new Set<string>()
  const violations: Violation[] = []
  let interrupted = 0
  for (const { kind, data } of events) {
    if (kind !== 'action.started' && kind !== 'action.finished') continue
    const { name, summary, ok, code } = callFacts.parse(factsFrom(kind, JSON.parse(data)))
    if (!['touch', 'ask_touch', 'put'].includes(name)) continue
    const effect = `${name === 'put' ? 'put' : 'touch'} ${summary}`
    if (kind === 'action.started') announced.add(effect)
    else if (ok === true) {
      if (times.get(effect) !== 1)
        violations.push(lost(`${effect} is recorded, and happened ${times.get(effect) ?? 0} times`))
    } else if (code === 'action.interrupted' && name !== 'put') interrupted += 1
    else if (code === 'approval.denied' && isDenied(summary)) {
      if (times.has(effect)) violations.push({ what: 'unannounced', detail: `${effect} happened, and was denied` })
    } else violations.push({ what: 'failed', detail: `${effect}: ${code}` })
  }
  for (const [effect, count] of times) {
    if (count > 1) violations.push({ what: 'twice', detail: `${effect}: ${count} times` })
    if (!announced.has(effect)) violations.push({ what: 'unannounced', detail: `${effect} has no intent on record` })
  }
  return { violations, interrupted }
}
