import { callKey, comparePaths } from '../../domain/calls.ts'
import type { ActionStarted, EventData, StoredEvent } from '../../domain/event.ts'
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts'
import type { Outcome } from '../../domain/thread.ts'
import type { Episode, EpisodeCall } from './episode.ts'

/** How a thread's end counts. A provider's failure, or a limit, says nothing of the work. */
const ends: Readonly<Record<Outcome, Episode['outcome']>> = {
  answered: 'success',
  stopped: 'stopped',
  interrupted: 'stopped',
  denied: 'stopped',
  budget: 'environment',
  maxSteps: 'environment',
  failed: 'failure',
}

/**
 * One thread's log, oldest event first, as the miner reads it; null for a thread that has not ended. Calls of code that used a
 * skill's function are that skill's. Source: learning 3.1.
 */
export function episodeOfRecord(events: Iterable<StoredEvent>): Episode | null {
  const record: Notes = {
    ...{ threadId: '', goal: '', answer: '', outcome: null, endedAt: 0, isProviders: false },
    ...{ started: new Map(), calls: [], asked: new Map(), skills: new Map() },
  }
  for (const event of events) add(record, event)
  if (record.outcome === null) return null
  const { threadId, goal, answer, endedAt, outcome, isProviders } = record
  const end = outcome === 'failed' && isProviders ? 'environment' : ends[outcome]
  return { threadId, goal, answer, endedAt, outcome: end, steps: stepsOf(record) }
}

interface Notes {
  threadId: string
  goal: string
  answer: string
  outcome: Outcome | null
  endedAt: number
  /** Its last step ended by a failure of the model's provider. */
  isProviders: boolean
  /** By step and path, with what was asked for. */
  readonly started: Map<string, ActionStarted & { readonly args: Json | undefined }>
  readonly calls: { readonly step: number; readonly path: string; readonly call: EpisodeCall }[]
  /** What the model asked for, by step and id: arguments are stored once. */
  readonly asked: Map<string, JsonObject>
  /** By step and path of a code step: the skill whose function it called. */
  readonly skills: Map<string, string>
}

function add(record: Notes, event: StoredEvent): void {
  switch (event.kind) {
    case 'thread.created':
      record.threadId = event.threadId
      record.goal = event.body.goal
      return
    case 'thread.state': {
      const { outcome } = event.data
      if (outcome !== undefined) [record.outcome, record.endedAt] = [outcome, event.at]
      return
    }
    case 'message.added':
      if (event.data.role === 'assistant' && event.body.content.trim() !== '') record.answer = event.body.content
      return
    case 'model.failed':
      record.isProviders = true
      return
    default:
      addOfStep(record, event)
  }
}

function addOfStep(record: Notes, event: EventData): void {
  switch (event.kind) {
    case 'model.completed':
      record.isProviders = false
      for (const call of event.body.toolCalls) {
        if ('arguments' in call && isJsonObject(call.arguments))
          record.asked.set(idKey(event.data.step, call.id), call.arguments)
      }
      return
    case 'action.started':
      record.started.set(callKey(event.data), { ...event.data, args: event.body?.arguments })
      return
    case 'action.finished': {
      const started = record.started.get(callKey(event.data))
      if (started === undefined) return
      const { step, path, callId, name, ok } = event.data
      const args = started.args ?? record.asked.get(idKey(step, callId)) ?? {}
      const { effects } = started.policy
      const call = { callId: `${step}/${path}`, action: name, args: isJsonObject(args) ? args : {}, ok, effects }
      record.calls.push({ step, path, call: { ...call, result: event.body.result, viaSkill: null } })
      return
    }
    case 'code.finished': {
      // A function that stopped confirms nothing: what it had read by then is a part of how the work was done without it.
      const used = event.data.snippets?.find(({ raised }) => !raised)
      if (used !== undefined) record.skills.set(callKey(event.data), used.skill)
    }
  }
}

function idKey(step: number, callId: string): string {
  return `${step} ${callId}`
}

/** Calls in the order in which they ended would tell the order of a race: they stand as they were asked. */
function stepsOf({ calls, skills }: Notes): Episode['steps'] {
  const steps = new Map<number, { path: string; call: EpisodeCall }[]>()
  for (const { step, path, call } of calls) {
    const viaSkill = skills.get(callKey({ step, path: path.split('.').slice(0, 1).join('.') })) ?? null
    const list = steps.get(step) ?? []
    steps.set(step, list)
    list.push({ path, call: { ...call, viaSkill } })
  }
  return [...steps]
    .sort(([a], [b]) => a - b)
    .map(([step, list]) => ({
      stepId: String(step),
      calls: list.sort((a, b) => comparePaths(a.path, b.path)).map(({ call }) => call),
    }))
}
