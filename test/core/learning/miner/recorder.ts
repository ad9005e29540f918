import type { EffectType } from '../../../../core/domain/action.ts'
import type { Json, JsonObject } from '../../../../core/domain/json.ts'
import type { Episode, EpisodeCall, EpisodeStep } from '../../../../core/learning/miner/episode.ts'

/** The same numbers for the same seed. */
export interface Random {
  below(most: number): number
  of<Item>(items: readonly [Item, ...Item[]]): Item
  chance(share: number): boolean
}

export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    below: (most) => Math.floor(next() * most),
    of: (items) => items[Math.floor(next() * items.length)] ?? items[0],
    chance: (share) => next() < share,
  }
}

const writing: Readonly<Record<string, readonly EffectType[]>> = {
  write_file: ['WriteLocal'],
  move: ['WriteLocal'],
  delete: ['WriteLocal'],
  calculate: ['Compute'],
}

function effectsOf(action: string, args: JsonObject): readonly EffectType[] {
  if (action !== 'http') return writing[action] ?? ['ReadLocal']
  return args.method === 'GET' ? ['ReadExternal'] : ['WriteExternal']
}

export interface Asked {
  readonly action: string
  readonly args: JsonObject
  readonly result: Json
  readonly ok?: boolean
}

/** Writes down a thread as the log of the engine would hold it. */
export interface Recorder {
  /** Calls of one turn. */
  step(...calls: readonly Asked[]): void
  episode(of: {
    readonly threadId: string
    readonly goal: string
    readonly answer: string
    readonly endedAt: number
  }): Episode
}

export function createRecorder(): Recorder {
  const steps: EpisodeStep[] = []
  return {
    step(...calls) {
      const stepId = `s${steps.length + 1}`
      const recorded = calls.map(
        ({ action, args, result, ok = true }, at): EpisodeCall => ({
          ...{ callId: `${stepId}.${at + 1}`, action, args, ok, result, viaSkill: null },
          effects: effectsOf(action, args),
        }),
      )
      steps.push({ stepId, calls: recorded })
    },
    episode: (of) => ({ ...of, outcome: 'success', steps }),
  }
}

// Results as the engine's own actions give them.

export function got(url: string, query: JsonObject, body: Json, status = 200): Asked {
  return request('GET', { url, ...(Object.keys(query).length > 0 && { query }) }, body, status)
}

export function sent(
  method: 'POST' | 'PATCH' | 'PUT',
  url: string,
  body: JsonObject,
  answer: Json = { ok: true },
): Asked {
  return request(method, { url, body }, answer, method === 'POST' ? 201 : 200)
}

function request(method: string, args: JsonObject, body: Json, status: number): Asked {
  const headers = { 'content-type': 'application/json', date: `at ${JSON.stringify(args).length}` }
  return { action: 'http', args: { method, ...args }, result: { status, url: args.url ?? '', headers, body } }
}

/** The service is busy. */
export function busy({ action, args }: Asked): Asked {
  return { action, args, result: { status: 429, url: args.url ?? '', headers: {}, body: { error: 'later' } } }
}

/** It failed: what it answered is an error. */
export function failed({ action, args }: Asked): Asked {
  return { action, args, ok: false, result: { error: { code: 'action.failed', message: 'the line is dead' } } }
}

export function readFile(path: string, text: string): Asked {
  const totalLines = text.split('\n').length
  const range = { fromLine: 1, toLine: totalLines, totalLines, bytes: text.length, complete: true, nextLine: null }
  return { action: 'read_file', args: { path }, result: { path, text, ...range } }
}

export function listFiles(path: string, names: readonly string[]): Asked {
  const entries = names.map((name) => ({
    ...{ path: path === '.' ? name : `${path}/${name}`, kind: 'file', bytes: name.length * 7 },
    modified: '2026-03-01T10:00:00Z',
  }))
  const totals = { total: names.length, files: names.length, folders: 0, bytes: 0 }
  return {
    action: 'list_files',
    args: { path },
    result: { path, entries, ...totals, byExtension: [], skipped: [], complete: true },
  }
}

export function searchFiles(query: string, path: string, found: readonly (readonly [string, string])[]): Asked {
  const matches = found.map(([file, text], at) => ({ path: file, line: at + 1, text }))
  const counts = {
    totalMatches: found.length,
    totalOccurrences: found.length,
    filesMatched: found.length,
    filesSearched: 40,
  }
  const rest = { files: [], skipped: [], skippedTotal: 0, complete: true }
  return { action: 'search_files', args: { query, path }, result: { query, matches, ...counts, ...rest } }
}

export function wrote(path: string, content: string): Asked {
  return { action: 'write_file', args: { path, content }, result: { path, bytes: content.length, outcome: 'created' } }
}

export function calculated(expression: string, value: number): Asked {
  return { action: 'calculate', args: { expression }, result: { expression, result: String(value), value } }
}
