import { createGate, type Gate } from './gate.ts'
import { findKnown, type KnownSecret, withoutOverlaps } from './known.ts'
import { markOf, pathText, type Redaction, storedKey } from './mark.ts'
import { scanSecrets } from './scan.ts'

export interface Redacted<Value> {
  /** The very same value where nothing was found. */
  readonly value: Value
  /** Offsets are those of the texts as they came. */
  readonly hits: readonly Redaction[]
}

/** Takes secrets out of what is stored, shown and sent: keys that are kept here by their value, all others by their shape. */
export interface Redactor {
  text(text: string): string
  /** Of plain JSON, at any depth, keys too. */
  redact<Value>(value: Value): Redacted<Value>
  /** False for a text without any secret. True says only that it has to be looked at. */
  mayHold(text: string): boolean
  /** Keys that are kept here: a stream holds back what could be the beginning of one. */
  readonly known: readonly KnownSecret[]
}

export interface RedactorOptions {
  /** Another list once there is another key. */
  readonly known: () => readonly KnownSecret[]
}

export function createRedactor({ known }: RedactorOptions): Redactor {
  let secrets = known()
  let gate = createGate(secrets)

  function gateNow(): Gate {
    const now = known()
    if (now !== secrets) {
      secrets = now
      gate = createGate(secrets)
    }
    return gate
  }

  return {
    get known() {
      return known()
    },
    mayHold: (text) => gateNow()(text),
    text: (text) => (gateNow()(text) ? replaced(text, hitsIn(text, secrets)) : text),
    redact: (value) => redactedWith(value, (text) => (gateNow()(text) ? hitsIn(text, secrets) : [])),
  }
}

/** By shape alone, where no key is known. */
const noSecrets: readonly KnownSecret[] = []
export const shapeRedactor = createRedactor({ known: () => noSecrets })

/** Finds nothing: what a test compares with. */
export const noRedactor: Redactor = {
  known: [],
  mayHold: () => false,
  text: (text) => text,
  redact: (value) => ({ value, hits: [] }),
}

type Hit = Omit<Redaction, 'where'>

/** The kept ones first: their name says more than a shape. */
function hitsIn(text: string, secrets: readonly KnownSecret[]): readonly Hit[] {
  const kept = findKnown(text, secrets).map(({ start, end }) => ({ what: storedKey, start, end }))
  return withoutOverlaps([
    ...kept,
    ...scanSecrets(text).map(({ family, start, end }) => ({ what: family, start, end })),
  ])
}

function replaced(text: string, hits: readonly Hit[]): string {
  let shown = ''
  let at = 0
  for (const { what, start, end } of hits) {
    shown += text.slice(at, start) + markOf(what)
    at = end
  }
  return shown + text.slice(at)
}

function redactedWith<Value>(value: Value, find: (text: string) => readonly Hit[]): Redacted<Value> {
  const hits: Redaction[] = []
  const path: (string | number)[] = []
  const clean = (text: string): string => {
    const found = find(text)
    if (found.length === 0) return text
    for (const hit of found) hits.push({ ...hit, where: pathText(path) })
    return replaced(text, found)
  }
  const within = (part: string | number, each: unknown): unknown => {
    path.push(part)
    const cleaned = walk(each)
    path.pop()
    return cleaned
  }
  const walk = (each: unknown): unknown => {
    if (typeof each === 'string') return clean(each)
    if (typeof each !== 'object' || each === null) return each
    if (Array.isArray(each)) {
      const items = each.map((item, at) => within(at, item))
      return items.some((item, at) => item !== each[at]) ? items : each
    }
    const before = Object.entries(each)
    const after = before.map(([key, item]) => [clean(key), within(key, item)] as const)
    const isSame = after.every(([key, item], at) => key === before[at]?.[0] && item === before[at]?.[1])
    return isSame ? each : Object.fromEntries(after)
  }
  const cleaned = walk(value)
  if (hits.length === 0) return { value, hits }
  // Plain JSON of the same shape: only texts differ.
  return { value: JSON.parse(JSON.stringify(cleaned)), hits }
}
