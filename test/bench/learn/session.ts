import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { StoredEvent } from '../../../core/domain/event.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../core/domain/json.ts'
import type { Completion, CompletionRequest } from '../../../core/domain/model.ts'
import { createEngine, type Engine } from '../../../core/engine.ts'
import { parseSkill } from '../../../core/skills/file/parse.ts'
import { bundledFolder } from '../../../core/skills/skills.ts'
import { benchCallOf, productCall } from './actions.ts'
import type { BenchCall, BenchFolder, Instance, Mode, Move, Offer } from './bench-folder.ts'

export interface Variant {
  readonly isLearning: boolean
  readonly mode: Mode
  readonly noise: number
}

/** One call of a thread, and whether a function of a skill made it. */
export interface PlayedCall extends BenchCall {
  readonly ok: boolean
  readonly viaSkill: boolean
}

export interface PlayedThread {
  readonly threadId: string
  readonly answer: string
  readonly steps: number
  readonly promptTokens: number
  readonly outputTokens: number
  readonly calls: readonly PlayedCall[]
  readonly offered: readonly Offer[]
  readonly tried: readonly Tried[]
}

export interface Tried {
  readonly skill: string
  readonly version: number
  readonly ok: boolean
  readonly isGuard: boolean
  readonly value: Json
}

/** An engine on an empty store, with the bench's scripted model and a clock that is moved by hand. */
export interface Session {
  readonly engine: Engine
  readonly projectId: string
  readonly folder: string
  play(instance: Instance): Promise<PlayedThread>
  /** A person says that it was wrong. */
  correct(threadId: string, reason: string): Promise<void>
  /** Fires the learning mission, and lets a script decide on what it proposes. Answers how many questions that were. */
  learn(): Promise<number>
  close(): Promise<void>
}

const contentDir = path.resolve(import.meta.dirname, '../../..')
const hoursBetween = 8.01
const tokensOf = (text: string) => Math.ceil(text.length / 4)

export async function openSession(bench: BenchFolder, variant: Variant): Promise<Session> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'learn-data-'))
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'learn-work-')))
  let now = Date.parse('2026-06-01T00:00:00Z')
  let playing: Instance | null = null
  const used = { steps: 0, promptTokens: 0, outputTokens: 0 }
  const clock = { now: () => now, monotonic: () => performance.now() }

  function complete({ messages, tools }: CompletionRequest): Completion {
    if (playing === null) throw new Error('the scripted model was asked for something that is none of the bench')
    const [thread] = engine.store.threads.list({ conversations: false, limit: 1 })
    const record = engine.store.events.ofThread(thread?.id ?? '', 0, 10_000)
    const { calls, tried } = readRecord(record)
    const move = bench.next(playing, {
      ...{ history: calls, tried, offered: offersIn(engine, record), mode: variant.mode, noise: variant.noise },
    })
    const completion = completionOf(move, messages.length)
    const inputTokens = tokensOf(JSON.stringify(messages)) + tokensOf(JSON.stringify(tools))
    const outputTokens = tokensOf(completion.text) + tokensOf(JSON.stringify(completion.toolCalls))
    used.steps += 1
    used.promptTokens += inputTokens
    used.outputTokens += outputTokens
    return { ...completion, usage: { inputTokens, outputTokens } }
  }

  const engine = await createEngine({
    ...{ dataDir, contentDir, version: '0.0.0-bench', command: 'bench', timeZone: 'UTC', clock },
    skillFolders: [bundledFolder(contentDir)],
    embedded: {
      scripted: {
        models: () => [{ providerId: 'scripted', model: 'scripted', title: 'Scripted model', contextTokens: null }],
        complete: async (request) => complete(request),
      },
    },
  })
  const scripted = { providerId: 'scripted', model: 'scripted' }
  const planner = { providerId: 'planner', model: 'planner' }
  // The learning mission works with the fast tier: without any model.
  await engine.api.call('settings.set', {
    patch: { tiers: { minuet: planner, allegro: scripted, forte: scripted }, http: { origins: [bench.base] } },
  })
  const project = await engine.api.call('project.open', { folder })
  // Whoever sits in front of it says yes to what the scripts do.
  const leave = engine.subscribe(engine.store.events.lastSeq(), ({ events }) => {
    for (const event of events) {
      if (event.kind !== 'approval.requested') continue
      const { approvalId: id } = event.data
      void engine.api.call('approval.decide', { id, decision: 'approve' }).catch(() => undefined)
    }
  })

  async function ended(threadId: string): Promise<void> {
    for (;;) {
      await engine.threads.join([threadId], AbortSignal.timeout(120_000))
      const { state } = await engine.api.call('thread.get', { id: threadId })
      if (state === 'Done' || state === 'Failed') return
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }

  return {
    ...{ engine, folder, projectId: project.id },
    async play(instance) {
      now += hoursBetween * 3_600_000
      Object.assign(used, { steps: 0, promptTokens: 0, outputTokens: 0 })
      playing = instance
      const { threadId } = await engine.api.call('thread.send', { projectId: project.id, text: bench.goalOf(instance) })
      await ended(threadId)
      playing = null
      const record = engine.store.events.ofThread(threadId, 0, 10_000)
      const { calls, tried } = readRecord(record)
      const answer = engine.store.events.lastAnswer(threadId) ?? ''
      return { threadId, answer, ...used, calls, tried, offered: offersIn(engine, record) }
    },
    correct: async (id, reason) => void (await engine.api.call('thread.correct', { id, reason })),
    async learn() {
      const { id } = await engine.api.call('mission.get', { projectId: project.id, name: 'skill-extraction' })
      const firing = await engine.api.call('mission.fire', { id })
      if (firing.threadId !== null) await ended(firing.threadId)
      return decideAll(engine)
    },
    async close() {
      leave()
      await engine.stop('the bench is done')
      fs.rmSync(dataDir, { recursive: true, force: true })
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

function completionOf(move: Move, messages: number): Completion {
  const base = { toolCalls: [], finishReason: 'stop' } as const
  if (move.type === 'final') return { ...base, text: move.text }
  if (move.type === 'snippet') {
    const given = Object.entries(move.args).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    return { ...base, text: `\`\`\`repl\nfound = ${move.snippet}(${given.join(', ')})\nfound\n\`\`\`` }
  }
  const toolCalls = move.calls.map((call, at) => ({ id: `m${messages}-${at}`, ...productCall(call) }))
  return { text: '', toolCalls, finishReason: 'tool_calls' }
}

/** Approves what its own checks let through. */
async function decideAll(engine: Engine): Promise<number> {
  const { rows } = await engine.api.call('candidate.list', {})
  for (const { id } of rows) {
    const { sha256, before, checks } = await engine.api.call('candidate.get', { id })
    const failed = checks.filter(({ state }) => state === 'failed')
    const decision = failed.length > 0 ? 'reject' : 'approve'
    const reason = failed.map(({ title }) => title).join(', ') || 'it passes its checks'
    await engine.api.call('candidate.decide', { id, decision, sha256, before: before?.sha256 ?? null, reason })
  }
  return rows.length
}

/** Every call that was made so far, and what functions of skills came to. */
function readRecord(record: readonly StoredEvent[]): {
  readonly calls: readonly PlayedCall[]
  readonly tried: readonly Tried[]
} {
  const asked = new Map<string, JsonObject>()
  const given = new Map<string, JsonObject>()
  const calls: (PlayedCall & { readonly place: string })[] = []
  const tried: Tried[] = []
  const ofSkill = new Set<string>()
  for (const event of record) {
    if (event.kind === 'model.completed') {
      for (const call of event.body.toolCalls) if ('arguments' in call) asked.set(call.id, call.arguments)
    } else if (event.kind === 'action.started') {
      const args = event.body?.arguments ?? asked.get(event.data.callId) ?? null
      if (isJsonObject(args)) given.set(`${event.data.step}/${event.data.path}`, args)
    } else if (event.kind === 'action.finished') {
      const { step, path: callPath, name, ok } = event.data
      const args = given.get(`${step}/${callPath}`) ?? {}
      calls.push({ ...benchCallOf(name, args), ok, viaSkill: false, place: `${step}/${callPath.split('.')[0]}` })
    } else if (event.kind === 'code.finished') {
      const [snippet] = event.data.snippets ?? []
      if (snippet === undefined) continue
      ofSkill.add(`${event.data.step}/${event.data.path}`)
      const { skill, version, raised } = snippet
      const isGuard = raised && (event.body.traceback ?? '').includes('skill guard:')
      tried.push({ skill, version, ok: event.data.ok && !raised, isGuard, value: event.body.returned ?? null })
    }
  }
  return {
    tried,
    calls: calls.map(({ place, ...call }, at) => ({
      ...call,
      viaSkill: calls[at]?.place.includes('/') === true && ofSkill.has(place),
    })),
  }
}

/** Functions of the skills that were chosen for a thread, as its prompt tells of them. */
function offersIn(engine: Engine, record: readonly StoredEvent[]): readonly Offer[] {
  const chosen = record.flatMap((event) => (event.kind === 'skill.selected' ? event.data.skills : []))
  return chosen.flatMap(({ id, name, version }) => {
    const content = engine.store.skills.content(id, version)
    const verdict = content === undefined ? undefined : parseSkill(Buffer.from(content), name)
    if (verdict === undefined || verdict.outcome === 'reject') return []
    return verdict.skill.snippets.map(({ name: snippet, parameters, complete = false }) => ({
      ...{ skill: name, version, snippet, complete },
      params: parameters.map(({ name: parameter, pattern, examples }) => ({
        ...{ name: parameter, examples, ...(pattern !== undefined && { pattern }) },
      })),
    }))
  })
}
