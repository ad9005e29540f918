import type { ActionResult } from '../domain/action.ts'
import { errorBody, isCancelled } from '../domain/error.ts'
import type { EventData } from '../domain/event.ts'
import { faultPoint } from '../domain/fault-point.ts'
import type { EngineHooks } from '../domain/hooks.ts'
import { isJsonObject, type Json } from '../domain/json.ts'
import { cleanErrorBody } from '../domain/leaks/errors.ts'
import type { Redactor } from '../domain/leaks/redactor.ts'
import { limits } from '../domain/limits.ts'
import { sanitizeJson } from '../domain/text.ts'
import type { Memory } from '../memory/memory.ts'
import { type ActionContext, type ActionFact, type ActionTrash, CallWaits, type Environment } from './action.ts'
import { boundResult } from './bounds.ts'
import { createDeadline, type Deadline } from './deadline.ts'
import type { Prepared } from './prepare.ts'
import { stageFinished } from './record.ts'
import { boundError, interrupted, staleApproval, tooSlow } from './refusals.ts'
import type { Scope } from './scope.ts'

/** A call that is about to run, or to be refused: `prepared.runnable` tells. */
export interface Ready {
  readonly prepared: Prepared
  /** What its preflight found: must still hold. */
  readonly guard: Json | undefined
  /** What a person put in the place of the model's arguments. */
  readonly edited: Json | undefined
}

export interface RunParts {
  readonly memory: Memory
  readonly hooks: readonly EngineHooks[]
  /** Before anybody reads a result: model, code and record see the same. */
  readonly redactor: Redactor
  /** Absolute and free of links. */
  readonly dataDir: string
  /** The app's own variables; an action that starts programs passes on few of them. */
  readonly environment: Environment
  readonly now: () => number
  readonly timeZone: string
  readonly trash: (call: { threadId: string; projectId: string; step: number; path: string }) => ActionTrash
  readonly notify: (text: string, threadId: string) => void
}

/**
 * Runs a call and records what came of it. Whatever goes wrong is the call's result; only a hook's throw goes on. Of one that
 * waits nothing is recorded: it has begun, and runs again.
 */
export async function runCall(ready: Ready, scope: Scope, parts: RunParts): Promise<ActionResult | CallWaits> {
  const { prepared } = ready
  const recorded = scope.recorded?.get(prepared.path)
  const isSame = recorded?.argsHash === prepared.argsHash && prepared.runnable?.isIdempotent === true
  const mayHaveHappened = recorded?.began === true && !isSame
  const facts: ActionFact[] = []
  const around = { scope, parts, note: (fact: ActionFact) => void facts.push(fact) }
  const result = mayHaveHappened ? interruptedResult(prepared) : await resultOf(ready, around)
  if (result instanceof CallWaits) return result
  // A late refusal of a stopped thread says nothing; an effect that did happen is still recorded.
  if (scope.signal.aborted && !result.ok) return result
  // What a call says of itself is true only once its result is told.
  if (result.ok) for (const fact of facts) scope.journal.stage(placed(fact, { step: scope.step, path: prepared.path }))
  stageFinished(scope, prepared, result)
  faultPoint(mayHaveHappened ? 'interruption.staged' : 'result.staged')
  scope.journal.commitSoon()
  for (const hook of parts.hooks) hook.afterAction?.({ threadId: scope.threadId, name: result.name, ok: result.ok })
  return result
}

async function resultOf(ready: Ready, { scope, parts, note }: Around): Promise<ActionResult | CallWaits> {
  const { prepared } = ready
  const { runnable, refusal } = prepared
  const named = { callId: prepared.call.id, name: prepared.action?.name ?? prepared.call.name }
  const from = parts.now()
  const timeoutMs = runnable?.timeoutMs ?? 0
  const deadline = createDeadline(scope.signal, timeoutMs)
  try {
    if (runnable === undefined) throw refusal ?? staleApproval()
    // It may have waited for its turn on a resource, and been stopped meanwhile.
    scope.signal.throwIfAborted()
    faultPoint('effect.before')
    const returned = runnable.run(contextOf(ready, { scope, parts, note, deadline }))
    const value = returned instanceof Promise ? await deadline.of(returned) : returned
    faultPoint('effect.after')
    if (value instanceof CallWaits) return value
    const told = parts.redactor.redact(tellingOfEdit(sanitizeJson(value), ready, scope)).value
    const bounded = boundResult(told, named.name, {
      most: mostCharacters(scope),
      hasRun: !runnable.isIdempotent && prepared.argsHash !== null,
    })
    const source = runnable.source({ ok: true, value: bounded })
    return { ...named, ok: true, value: bounded, durationMs: parts.now() - from, ...(source && { source }) }
  } catch (error) {
    const timedOut = isCancelled(error) && !scope.signal.aborted
    const cause = timedOut ? tooSlow(named.name, timeoutMs) : error
    const source = timedOut ? null : runnable === undefined ? prepared.refusalSource : runnable.source({ ok: false })
    const body = cleanErrorBody(errorBody(cause, 'action.failed'), parts.redactor)
    const failed = { ...named, ok: false, error: boundError(body) } as const
    return { ...failed, durationMs: parts.now() - from, ...(source && { source }) }
  } finally {
    deadline.end()
  }
}

function mostCharacters({ ofCode }: Scope): number {
  return ofCode === undefined ? limits.actionResultCharacters : limits.codeResultCharacters
}

const longestEditTold = 4_000

/** The model knows only what it asked for: without this it would go on from a text that was never written. */
function tellingOfEdit(value: Json, { edited }: Ready, { ofCode }: Scope): Json {
  if (edited === undefined) return value
  const isLong = JSON.stringify(edited).length > longestEditTold
  const told = { edited_by_the_user: isLong ? 'The arguments were changed; they are too long to repeat.' : edited }
  if (isJsonObject(value)) return { ...value, ...told }
  // Code counts on the kind of value that the action answers.
  return ofCode ? value : { result: value, ...told }
}

interface Around {
  readonly scope: Scope
  readonly parts: RunParts
  readonly note: ActionContext['note']
}

function contextOf(
  { prepared, guard }: Ready,
  { scope, parts, note, deadline }: Around & { readonly deadline: Deadline },
): ActionContext {
  const { projectId, folder, threadId, step } = scope
  const { path } = prepared
  const { memory } = parts
  let trash: ActionTrash | undefined
  return {
    ...{ projectId, folder, dataDir: parts.dataDir, threadId, callKey: `${threadId}/${step}/${path}` },
    ...{ now: parts.now(), timeZone: parts.timeZone, resultCharacters: mostCharacters(scope) },
    get signal() {
      return deadline.signal
    },
    memory: {
      write: (note) => memory.writeNote({ ...note, projectId, threadId, untrusted: prepared.isDerived }),
      read: (idOrTitle, version) => memory.read(projectId, idOrTitle, version),
      search: (query, limit) => memory.search(projectId, query, limit, deadline.signal),
    },
    ...(guard !== undefined && { guard }),
    environment: parts.environment,
    get trash() {
      trash ??= parts.trash({ threadId, projectId, step, path })
      return trash
    },
    sources: scope.origin.sources,
    note,
    notify: (text) => parts.notify(text, threadId),
  }
}

function placed(fact: ActionFact, place: { readonly step: number; readonly path: string }): EventData {
  return fact.kind === 'skill.loaded'
    ? { kind: fact.kind, data: { ...place, ...fact.data } }
    : { kind: fact.kind, data: { ...place, ...fact.data }, body: fact.body }
}

function interruptedResult({ call, action }: Prepared): ActionResult {
  return { callId: call.id, name: action?.name ?? call.name, ok: false, error: interrupted(), durationMs: 0 }
}
