import type { Json, JsonObject } from '../../../core/domain/json.ts'
import { canonicalJson } from '../../../core/domain/json.ts'
import type { BenchFolder, Instance } from './bench-folder.ts'
import { openSession, type PlayedThread, type Session, type Variant } from './session.ts'

export interface RunOfOrder {
  /** One JSON object a thread, in the format of the bench. */
  readonly lines: readonly JsonObject[]
  /** Why threads were not right, and what the miner said: to read, not to measure. */
  readonly notes: readonly string[]
  /** Of each firing of the learning mission, by the clock. */
  readonly learningMs: readonly number[]
  /** Lines of code that were proposed, and those of them with fewer than three steps behind them. */
  readonly codeLines: { readonly all: number; readonly bare: number }
}

/** One order from an empty store. What family an instance is of is written into the log of the run, and told to nobody else. */
export async function runOrder(bench: BenchFolder, ids: readonly string[], variant: Variant): Promise<RunOfOrder> {
  const session = await openSession(bench, variant)
  const lines: JsonObject[] = []
  const notes: string[] = []
  const learningMs: number[] = []
  const playedAs = new Map<string, Instance>()
  try {
    for (const id of ids) {
      const instance = bench.instances.get(id)
      if (instance === undefined) throw new Error(`the order names ${id}, which is not there`)
      const available = familiesOf(session, playedAs)
      const before = bench.load(instance, session.folder)
      const played = await session.play(instance)
      playedAs.set(played.threadId, instance)
      const { ok, problems } = bench.check(instance, { folder: session.folder, before, answer: played.answer })
      if (!ok) {
        notes.push(`${id}: ${problems.join('; ').slice(0, 300)}`)
        await session.correct(played.threadId, problems.join('; ').slice(0, 500))
      }
      const startedAt = performance.now()
      const approvalsAsked = variant.isLearning ? await session.learn() : 0
      if (variant.isLearning) learningMs.push(performance.now() - startedAt)
      const rolledBack = rolledBackBy(session, played.threadId)
      const line = { ...lineOf({ bench, session, playedAs }, instance, played), ok, learning: variant.isLearning }
      lines.push({ ...line, available, approvalsAsked, rolledBack })
      notes.push(...minedNotes(session).map((text) => `${id}: ${text}`))
      if (available.includes(instance.family) && played.offered.length === 0)
        notes.push(`${id}: no skill was chosen for “${bench.goalOf(instance)}”`)
      for (const each of rolledBack) notes.push(`${id}: rolled back ${JSON.stringify(each)}`)
      for (const { skill, isGuard, ok: isDone } of played.tried)
        if (!isDone) notes.push(`${id}: ${skill} ${isGuard ? 'stopped at a guard' : 'raised'}`)
    }
    if (variant.isLearning) for (const goal of bench.distractors) lines.push(await distractor(session, goal, playedAs))
    return { lines, notes, learningMs, codeLines: linesWithEvidence(session) }
  } finally {
    await session.close()
  }
}

interface Around {
  readonly bench: BenchFolder
  readonly session: Session
  readonly playedAs: ReadonlyMap<string, Instance>
}

function lineOf({ bench, session, playedAs }: Around, instance: Instance, played: PlayedThread): JsonObject {
  const { steps, promptTokens, outputTokens, calls, offered, tried } = played
  const reference = new Set(bench.referenceCalls(instance).filter(bench.isWrite).map(textOf))
  const wrong = calls.filter((call) => call.viaSkill && call.ok && bench.isWrite(call) && !reference.has(textOf(call)))
  return {
    ...{ id: instance.id, steps, actions: calls.length, promptTokens, outputTokens },
    selected: offered.map(({ skill, version }) => ({ skill, version, family: familyOf(session, skill, playedAs) })),
    used: tried.map(({ skill, version, ok, isGuard }) => ({
      ...{ skill, version, family: familyOf(session, skill, playedAs) },
      outcome: ok ? 'done' : isGuard ? 'guard' : 'error',
      complete: offered.find((each) => each.skill === skill)?.complete ?? false,
      wrongWrites: wrong.length,
      learntAt: learntAt(session, { skill, version }, playedAs),
    })),
  }
}

function textOf({ action, args }: { readonly action: string; readonly args: JsonObject }): string {
  return `${action} ${canonicalJson(args)}`
}

/** Threads that a version was learnt from, the newest proposal first. */
function sourcesOf({ engine, projectId }: Session, skill: string, version?: number): readonly string[] {
  const programs = engine.store.learning.programs(projectId, 1_000).filter((each) => each.skill === skill)
  const row = engine.store.skills.byName(skill, projectId)
  const candidateId =
    version === undefined || row === undefined ? undefined : engine.store.skills.version(row.id, version)?.candidateId
  return (programs.find((each) => each.candidateId === candidateId) ?? programs[0])?.support ?? []
}

/** For the log alone: of which family the threads were that a skill was learnt from. */
function familyOf(session: Session, skill: string, playedAs: Around['playedAs']): Json {
  const counts = new Map<string, number>()
  for (const threadId of sourcesOf(session, skill)) {
    const family = playedAs.get(threadId)?.family
    if (family !== undefined) counts.set(family, (counts.get(family) ?? 0) + 1)
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? null
}

function learntAt(
  session: Session,
  { skill, version }: { readonly skill: string; readonly version: number },
  playedAs: Around['playedAs'],
): number {
  const positions = sourcesOf(session, skill, version).flatMap((threadId) => playedAs.get(threadId)?.position ?? [])
  return Math.max(0, ...positions)
}

function familiesOf(session: Session, playedAs: Around['playedAs']): readonly string[] {
  const { engine, projectId } = session
  const live = engine.store.skills.all().filter((row) => row.projectId === projectId && row.live !== null)
  const families = live.flatMap(({ name }) => familyOf(session, name, playedAs) ?? [])
  return [...new Set(families.filter((family) => typeof family === 'string'))]
}

/** Versions that were taken back since this thread began. */
function rolledBackBy({ engine }: Session, threadId: string): readonly JsonObject[] {
  const [created] = engine.store.events.ofThread(threadId, 0, 1)
  return engine.store.events.since(created?.seq ?? 0, 10_000).flatMap((event) => {
    if (event.kind !== 'skill.versioned' || event.data.by !== 'tracker') return []
    return [{ skill: event.data.name, version: event.data.from }]
  })
}

function minedNotes({ engine }: Session): readonly string[] {
  const [thread] = engine.store.threads.list({ conversations: false, limit: 1 })
  const found = engine.store.events
    .ofThread(thread?.id ?? '', 0, 10_000)
    .flatMap((event) => (event.kind === 'skill.mined' ? [event.data] : []))
  return found.map(({ verdict, reason, detail, candidateId }) => {
    const candidate = candidateId === null ? undefined : engine.store.candidates.get(candidateId)
    const what = `${verdict} ${reason}: ${detail}`
    return candidate === undefined ? what : `${what}: ${candidate.state} (${candidate.decisionReason})`
  })
}

async function distractor(session: Session, goal: string, playedAs: Around['playedAs']): Promise<JsonObject> {
  const { engine, projectId } = session
  const { selected } = await engine.api.call('skill.select', { goal, projectId })
  const mined = selected.filter((name) => engine.store.skills.byName(name, projectId) !== undefined)
  return {
    ...{ id: `distractor: ${goal.slice(0, 60)}`, learning: true, ok: true, steps: 0, actions: 0, promptTokens: 0 },
    ...{ outputTokens: 0, available: [], used: [], approvalsAsked: 0, rolledBack: [] },
    selected: mined.map((skill) => ({ skill, version: 1, family: familyOf(session, skill, playedAs) })),
  }
}

function linesWithEvidence({ engine, projectId }: Session): RunOfOrder['codeLines'] {
  const programs = engine.store.learning.programs(projectId, 1_000)
  const parts = programs.flatMap(({ candidateId }) => engine.store.candidates.texts(candidateId)?.evidence ?? [])
  const lines = parts.filter(({ part }) => part === 'line')
  const bare = lines.filter(({ steps }) => new Set(steps.map(({ threadId }) => threadId)).size < leastThreads)
  return { all: lines.length, bare: bare.length }
}
const leastThreads = 3
