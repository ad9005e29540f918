import { hash } from 'node:crypto'
import type { ActionResult, Lease } from '../domain/action.ts'
import { AppError, type ErrorBody, errorBody, isCancelled } from '../domain/error.ts'
import { canonicalJson, type Json, type JsonObject } from '../domain/json.ts'
import { limits } from '../domain/limits.ts'
import type { ToolCall, ToolDefinition } from '../domain/model.ts'
import { boundText, sanitizeJson } from '../domain/text.ts'
import type { Journal } from '../events/events.ts'
import type { Memory } from '../memory/memory.ts'
import type { Action, ActionContext, ActionTrash } from './action.ts'
import { boundResult } from './bounds.ts'
import { createDeadline, type Deadline } from './deadline.ts'
import { coveringLease, refusalReason } from './lease.ts'
import { createRegistry } from './registry.ts'

export type { Action } from './action.ts'
export { actions } from './actions/index.ts'
export { isWithin } from './paths.ts'

/** Where a batch of calls runs: the thread's folder, leases and journal. */
export interface Scope {
  readonly threadId: string
  readonly projectId: string
  readonly folder: string
  readonly step: number
  readonly leases: readonly Lease[]
  readonly journal: Journal
  readonly signal: AbortSignal
  /** What is on record of this very batch after a crash, by path. */
  readonly recorded?: ReadonlyMap<string, Recorded>
}

/** A call found in the record; without a result it began and never ended. */
export interface Recorded {
  readonly argsHash: string | null
  readonly result?: ActionResult
}

export interface Capabilities {
  readonly actionNames: readonly string[]
  definitions(names: readonly string[]): readonly ToolDefinition[]
  /**
   * The one door for effects: parse → lease → run → sanitise → record. Runs the calls at once and answers one result for
   * each, in the order of the calls. What the model can mend is a result with `ok: false`. A batch that only reads is
   * recorded with its results in one transaction; any other has its intents on disk before it runs.
   * @throws AppError cancelled when `scope.signal` aborts; what had run is on record.
   */
  execute(calls: readonly ToolCall[], scope: Scope): Promise<readonly ActionResult[]>
}

export interface CapabilitiesOptions {
  readonly actions: readonly Action[]
  readonly memory: Memory
  /** Absolute and free of links. */
  readonly dataDir: string
  readonly now: () => number
  readonly timeZone: string
  readonly trash: (scope: Scope, path: string) => ActionTrash
  readonly notify: (text: string) => void
}

/** A call that passed, or did not pass, what comes before running. */
interface Prepared {
  readonly call: ToolCall
  readonly path: string
  /** Of the exact arguments; null where nothing depends on it, because the action only reads. */
  readonly argsHash: string | null
  readonly action: Action | undefined
  readonly lease: Lease | undefined
  readonly run: ((context: ActionContext) => Json | Promise<Json>) | undefined
  readonly refusal: AppError | undefined
  readonly summary: string
}

export function createCapabilities(options: CapabilitiesOptions): Capabilities {
  const registry = createRegistry(options.actions)
  const { now } = options

  function prepare(call: ToolCall, at: number, scope: Scope): Prepared {
    const path = String(at + 1)
    const action = registry.get(call.name)
    const argsHash = onlyReads(action) ? null : hashOf(call)
    const nothing = { call, path, argsHash, action, lease: undefined, run: undefined, summary: '' }
    if (action === undefined) return { ...nothing, refusal: unknownAction(call.name, registry.names) }
    if ('invalid' in call) return { ...nothing, refusal: unreadableArguments(call.invalid) }
    const bytes = Buffer.byteLength(JSON.stringify(call.arguments))
    if (bytes > limits.actionArgumentBytes) return { ...nothing, refusal: tooMuchToPass(action.name, bytes) }
    const parsed = action.parameters.safeParse(withoutNulls(call.arguments))
    if (!parsed.success) return { ...nothing, refusal: wrongArguments(action.name, parsed.error.issues) }
    const summary = boundText(action.summarize(parsed.data), limits.actionSummaryCharacters)
    const lease = coveringLease(scope.leases, action.name, now())
    if (lease === undefined) {
      return { ...nothing, summary, refusal: denied(refusalReason(scope.leases, action.name, now())) }
    }
    const run = (context: ActionContext) => action.run(parsed.data, context)
    return { call, path, argsHash, action, lease, run, summary, refusal: undefined }
  }

  function contextOf(scope: Scope, path: string, deadline: Deadline): ActionContext {
    const { projectId, folder, threadId, step } = scope
    return {
      ...{
        projectId,
        folder,
        dataDir: options.dataDir,
        threadId,
        callKey: `${threadId}/${step}/${path}`,
        now: now(),
        timeZone: options.timeZone,
      },
      get signal() {
        return deadline.signal
      },
      memory: {
        write: (note) => options.memory.writeNote({ ...note, projectId, threadId }),
        read: (idOrTitle) => options.memory.read(projectId, idOrTitle),
        search: (query, limit) => options.memory.search(projectId, query, limit),
      },
      trash: options.trash(scope, path),
      notify: options.notify,
    }
  }

  /** Never throws: whatever goes wrong is the call's result. */
  async function runOne(prepared: Prepared, scope: Scope, deadline: Deadline): Promise<ActionResult> {
    const { call, run, action } = prepared
    const from = now()
    const named = { callId: call.id, name: action?.name ?? call.name }
    try {
      if (prepared.refusal !== undefined || run === undefined) throw prepared.refusal ?? unknownAction(call.name, [])
      const returned = run(contextOf(scope, prepared.path, deadline))
      const value = returned instanceof Promise ? await deadline.of(returned) : returned
      const bounded = boundResult(sanitizeJson(value), named.name)
      return { ...named, ok: true, value: bounded, durationMs: now() - from }
    } catch (error) {
      const timedOut = isCancelled(error) && !scope.signal.aborted
      const body = boundError(errorBody(timedOut ? tooSlow(named.name) : error, 'action.failed'))
      return { ...named, ok: false, error: body, durationMs: now() - from }
    }
  }

  async function executeOne(prepared: Prepared, scope: Scope, deadline: Deadline): Promise<ActionResult> {
    const recorded = scope.recorded?.get(prepared.path)
    if (recorded?.result !== undefined) return recorded.result
    const isSame = recorded?.argsHash === prepared.argsHash && prepared.action?.isIdempotent === true
    const mayHaveHappened = recorded !== undefined && !isSame
    const result = mayHaveHappened ? interrupted(prepared) : await runOne(prepared, scope, deadline)
    // A late refusal of a stopped thread says nothing; an effect that did happen is still recorded.
    if (scope.signal.aborted && !result.ok) return result
    stageFinished(scope, prepared, result)
    scope.journal.commitSoon()
    return result
  }

  return {
    actionNames: registry.names,
    definitions: registry.definitions,

    async execute(calls, scope) {
      const prepared = calls.map((call, at) => prepare(call, at, scope))
      for (const each of prepared) {
        if (scope.recorded?.has(each.path) !== true) stageStarted(scope, each)
      }
      if (prepared.some((each) => each.run !== undefined && !onlyReads(each.action))) scope.journal.commit()
      else scope.journal.commitSoon()
      const deadline = createDeadline(scope.signal, limits.actionMs)
      try {
        return await deadline.orStopped(Promise.all(prepared.map((each) => executeOne(each, scope, deadline))))
      } finally {
        deadline.end()
      }
    },
  }
}

/** What an action throws may quote anything: a file's text, a name of 400 kB. */
function boundError(error: ErrorBody): ErrorBody {
  const { message, userMessage } = error
  return {
    ...error,
    message: boundText(message, limits.errorCharacters),
    userMessage: boundText(userMessage, limits.errorCharacters),
  }
}

function hashOf(call: ToolCall): string {
  return hash('sha256', 'arguments' in call ? canonicalJson(call.arguments) : call.argumentsRaw, 'base64url')
}

/** Many models write null for a parameter that they mean to leave out; no action takes null. */
function withoutNulls(args: JsonObject): JsonObject {
  const given = Object.entries(args)
  return given.some(([, value]) => value === null)
    ? Object.fromEntries(given.filter(([, value]) => value !== null))
    : args
}

function onlyReads(action: Action | undefined): boolean {
  return (
    action === undefined ||
    (action.isIdempotent && action.effects.every((effect) => effect === 'ReadLocal' || effect === 'Compute'))
  )
}

function stageStarted(scope: Scope, prepared: Prepared): void {
  const { call, path, argsHash, summary, lease, action } = prepared
  const named = { step: scope.step, path, callId: call.id, name: action?.name ?? call.name }
  const data = {
    ...named,
    argsHash,
    leaseId: lease?.id ?? null,
    usesLeft: lease?.usesLeft ?? null,
    summary,
    policy: { verdict: 'allow', check: null, reason: null, effects: action?.effects ?? [] } as const,
  }
  scope.journal.stage({ kind: 'action.started', data })
}

function stageFinished(scope: Scope, { path, summary }: Prepared, result: ActionResult): void {
  const { callId, name, ok, durationMs } = result
  const facts = { step: scope.step, path, callId, name, ok, durationMs, summary }
  const data = result.ok ? facts : { ...facts, code: result.error.code }
  const outcome: Json = result.ok ? result.value : errorFacts(result)
  scope.journal.stage({ kind: 'action.finished', data, body: { result: outcome } })
}

function errorFacts(result: ActionResult & { ok: false }): JsonObject {
  const { code, message, userMessage, retryable, data } = result.error
  return { error: { code, message, userMessage, retryable, ...(data && { data }) } }
}

function unknownAction(name: string, known: readonly string[]): AppError {
  return new AppError('action.unknown', {
    message: `there is no action ${name}; there are: ${known.join(', ')}`,
    userMessage: `The model asked for an action that does not exist (${name}). Nothing was done.`,
  })
}

function unreadableArguments(why: string): AppError {
  const cut = why === 'E_TOOL_ARGS_TRUNCATED'
  return new AppError('action.args', {
    message: `the arguments ${cut ? 'were cut off' : 'are not valid JSON'}; nothing was run. Send the whole call again.`,
    userMessage: 'The call arrived incomplete, so it was not run.',
    data: { why },
  })
}

function wrongArguments(
  name: string,
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): AppError {
  const text = issues.map((issue) => `${issue.path.map(String).join('.') || 'arguments'}: ${issue.message}`).join('; ')
  return new AppError('action.args', {
    message: text,
    userMessage: `The call of ${name} did not fit what it takes, so it was not run.`,
  })
}

function tooMuchToPass(name: string, bytes: number): AppError {
  return new AppError('action.args', {
    message: `the arguments are ${bytes} bytes, over ${limits.actionArgumentBytes}; nothing was run. Pass less.`,
    userMessage: `The call of ${name} carried too much text, so it was not run.`,
  })
}

function denied(reason: string): AppError {
  return new AppError('policy.denied', {
    message: reason,
    userMessage: `Refused: ${reason}. Nothing was done.`,
  })
}

function tooSlow(name: string): AppError {
  return new AppError('action.timeout', {
    message: `${name} did not end within ${limits.actionMs / 1000} s`,
    userMessage: `${name} took too long and was stopped. Ask for a smaller part.`,
    retryable: true,
  })
}

function interrupted(prepared: Prepared): ActionResult {
  const { call } = prepared
  const error = errorBody(
    new AppError('action.interrupted', {
      message:
        'Threadsmith ended while this ran. It may have happened; it was not run again. Check before repeating it.',
      userMessage: 'Threadsmith ended while this ran. It may have happened, so it was not run again.',
    }),
  )
  return { callId: call.id, name: call.name, ok: false, error, durationMs: 0 }
}
