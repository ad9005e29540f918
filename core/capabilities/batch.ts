import type { ActionResult } from '../domain/action.ts'
import type { Change } from '../domain/approval.ts'
import { AppError, asAppError } from '../domain/error.ts'
import { faultPoint } from '../domain/fault-point.ts'
import type { Json, JsonObject } from '../domain/json.ts'
import type { ToolCall } from '../domain/model.ts'
import { sanitizeText } from '../domain/text.ts'
import { CallWaits, type Preflight } from './action.ts'
import { hashOfCall } from './calls.ts'
import type { CapabilitiesOptions } from './door.ts'
import { approvedLease } from './lease.ts'
import { onlyReads, type Prepared, prepareCall } from './prepare.ts'
import { type IntentDetails, stageStarted } from './record.ts'
import { deniedByPerson, expiredApproval, refusedByHook, staleApproval, tooOften, usedUp } from './refusals.ts'
import type { Asking } from './requests.ts'
import { runCall } from './run-call.ts'
import type { Executed, Scope } from './scope.ts'

/** Where one call of the batch stands. `asks` becomes `waits` once its request is on disk. */
type Turn =
  | { readonly kind: 'done'; readonly result: ActionResult }
  | {
      readonly kind: 'ready'
      readonly prepared: Prepared
      readonly details: IntentDetails
      /** What a person put in the place of the model's arguments. */
      readonly edited?: Json
    }
  | { readonly kind: 'asks'; readonly asking: Asking }
  | { readonly kind: 'waits'; readonly prepared: Prepared }

/** One batch through the door; see `Capabilities.execute`. */
export async function executeBatch(
  calls: readonly ToolCall[],
  scope: Scope,
  options: CapabilitiesOptions,
): Promise<Executed> {
  const parts = withBroughtSkill(calls, scope, options)
  const results: (ActionResult | undefined)[] = []
  /** Calls that wait for more than a person's word: why. */
  const rests: string[] = []
  const taken = new Map<string, number>()
  let turns = new Map<number, Turn>()
  for (const [at, call] of calls.entries()) {
    const turn = firstTurn(call, { path: scope.pathAt(at), scope, parts, taken })
    // Awaited only where there is a promise: most batches only read, and are on record within this turn of the loop.
    turns.set(at, turn instanceof Promise ? await turn : turn)
  }
  for (;;) {
    record([...turns.values()], scope, parts)
    for (const [at, end] of await run(turns, scope, parts)) {
      if (end instanceof CallWaits) rests.push(end.reason)
      else results[at] = end
    }
    if (scope.signal.aborted) throw cancelled()
    const waiting = [...turns].filter(([, turn]) => turn.kind === 'asks' || turn.kind === 'waits')
    if (waiting.length === 0) {
      const [reason] = rests
      if (reason !== undefined) return { kind: 'waits', reason }
      return { kind: 'done', results: results.flatMap((result) => result ?? []) }
    }
    turns = new Map()
    for (const [at, turn] of waiting) turns.set(at, await decidedTurn(preparedOf(turn), { scope, parts, taken }))
    const isStill = [...turns.values()].every((turn) => turn.kind === 'waits')
    if (isStill) {
      faultPoint('approval.awaited')
      return { kind: 'waits', reason: waitReason([...turns.values()]) }
    }
  }
}

/** Calls of one batch run at once: a skill from elsewhere that one of them loads caps the others from the beginning. */
function withBroughtSkill(
  calls: readonly ToolCall[],
  { threadId }: Scope,
  parts: CapabilitiesOptions,
): CapabilitiesOptions {
  for (const call of calls) {
    const action = parts.registry.get(call.name)
    const parsed = action?.brings && 'arguments' in call ? action.parameters.safeParse(call.arguments) : undefined
    const skill = parsed?.success ? action?.brings?.(parsed.data, threadId) : undefined
    if (skill !== undefined) return { ...parts, installedSkill: (id) => parts.installedSkill(id) ?? skill }
  }
  return parts
}

interface Around {
  readonly scope: Scope
  readonly parts: CapabilitiesOptions
  /** Uses of counted leases that calls of this batch take, by lease: the book hears of them once they are on disk. */
  readonly taken: Map<string, number>
}

function firstTurn(call: ToolCall, { path, ...around }: Around & { readonly path: string }): Turn | Promise<Turn> {
  const { scope, parts } = around
  const recorded = scope.recorded?.get(path)
  if (recorded?.result !== undefined) return { kind: 'done', result: recorded.result }
  const conclude = (prepared: Prepared): Turn | Promise<Turn> => {
    if (recorded !== undefined && parts.requests.ofCall(scope.threadId, scope.step, path) !== undefined) {
      return decidedTurn(prepared, around)
    }
    if (recorded?.began === true) {
      return { kind: 'ready', prepared, details: recorded.guard === undefined ? {} : { guard: recorded.guard } }
    }
    const admitted = admit(prepared, around)
    const details = scope.ofCode && { arguments: argumentsOf(call) }
    if (admitted.runnable === undefined) return { kind: 'ready', prepared: admitted, details: details ?? {} }
    if (admitted.policy.verdict === 'ask' || admitted.runnable.preflight !== undefined) {
      return withPreflight(admitted, around)
    }
    return { kind: 'ready', prepared: admitted, details: details ?? {} }
  }
  const prepared = prepareCall(parts, { call, path }, scope)
  return prepared instanceof Promise ? prepared.then(conclude) : conclude(prepared)
}

/** What it would do, before anybody is asked; what the model can mend is a refusal, and nobody is asked at all. */
async function withPreflight(prepared: Prepared, { scope, parts }: Omit<Around, 'taken'>): Promise<Turn> {
  const { runnable, policy, call } = prepared
  try {
    const found = await runnable?.preflight?.({ ...scope, dataDir: parts.dataDir })
    const change = changeOf(found)
    if (policy.verdict !== 'ask') {
      const details = { ...(change && { change }), ...(found && { guard: found.guard }) }
      return { kind: 'ready', prepared, details: scope.ofCode ? { ...details, arguments: argumentsOf(call) } : details }
    }
    const { threadId, projectId, step } = scope
    const shown = { change, guard: found?.guard ?? null, undo: found?.undo ?? '' }
    return { kind: 'asks', asking: { prepared, arguments: argumentsOf(call), ...shown, threadId, projectId, step } }
  } catch (error) {
    const refusalSource = runnable?.source({ ok: false }) ?? null
    return refused({ ...prepared, refusalSource }, asAppError(error, 'action.failed'))
  }
}

/** Takes what this call uses up, or refuses it. */
function admit(prepared: Prepared, { scope, parts, taken }: Around): Prepared {
  const { action, runnable, lease } = prepared
  if (action === undefined || runnable === undefined) return prepared
  const no = (refusal: AppError): Prepared => ({ ...prepared, refusal, runnable: undefined })
  const left = lease === undefined ? null : parts.book.usesLeft(lease)
  const takenBefore = lease === undefined ? 0 : (taken.get(lease.id) ?? 0)
  if (left !== null && left <= takenBefore) return no(usedUp(action.name))
  for (const hook of parts.hooks) {
    const answer = hook.beforeAction?.({
      threadId: scope.threadId,
      name: action.name,
      arguments: argumentsOf(prepared.call),
    })
    if (answer !== undefined) return no(refusedByHook(answer.deny))
  }
  const waitMs = action.rate === undefined ? 0 : parts.rates.take(action.name, action.rate, parts.now())
  if (waitMs > 0) return no(tooOften(action.name, waitMs))
  // A call that asks runs on the lease that its approval makes.
  if (lease !== undefined && prepared.policy.verdict !== 'ask') taken.set(lease.id, takenBefore + 1)
  return prepared
}

/** What a request comes to: the very bytes that were approved, a result that says no, or it still waits. */
async function decidedTurn(prepared: Prepared, { scope, parts, taken }: Around): Promise<Turn> {
  const { path, call } = prepared
  const approval = parts.requests.ofCall(scope.threadId, scope.step, path)
  if (approval === undefined || approval.state === 'pending') return { kind: 'waits', prepared }
  const began = scope.recorded?.get(path)?.began === true
  if (approval.state === 'denied' || approval.state === 'cancelled') {
    return refused(prepared, deniedByPerson(approval.decisionReason))
  }
  if (approval.state === 'expired') return refused(prepared, expiredApproval())
  if (approval.hash !== hashOfCall(call)) return refused(prepared, staleApproval())
  const approved = parts.requests.approved(approval)
  const exact = approved.isEdited ? { id: call.id, name: call.name, arguments: approved.arguments } : call
  const again = approved.isEdited ? await prepareCall(parts, { call: exact, path }, scope) : prepared
  if (again.runnable === undefined) return refused(again, again.refusal ?? staleApproval())
  const argsHash = hashOfCall(exact)
  // Two calls with the same arguments were approved one by one: each takes its own.
  const leases = parts.book.of(scope.threadId).filter(({ id }) => !taken.has(id))
  const lease = approvedLease(leases, { action: approval.action, argsHash }, parts.now())
  if (lease === undefined && !began) return refused(again, staleApproval())
  if (lease !== undefined) taken.set(lease.id, 1)
  // While other calls of the batch run the thread is not told of the decision; from the record it would know.
  scope.origin.said.approve(approval.action, approved.arguments)
  faultPoint('approval.matched')
  const policy = { ...again.policy, verdict: 'allow', check: 'approved', by: approval.id } as const
  const body = approved.isEdited || scope.ofCode ? { arguments: approved.arguments } : {}
  return {
    kind: 'ready',
    prepared: { ...again, argsHash, policy, lease: lease ?? again.lease },
    details: { ...body, guard: approved.guard },
    ...(approved.isEdited && { edited: approved.arguments }),
  }
}

/** What it would do quotes what others wrote: hidden characters are shown. */
export function changeOf(found: Preflight | undefined): Change | null {
  const change = found?.change
  if (change === undefined) return null
  switch (change.kind) {
    case 'file': {
      const { before, after } = change
      const shown = (text: string | null) => (text === null ? null : sanitizeText(text))
      return { ...change, path: sanitizeText(change.path), before: shown(before), after: shown(after) }
    }
    case 'move':
      return { ...change, from: sanitizeText(change.from), to: sanitizeText(change.to) }
    case 'command':
      return change
    case 'request': {
      const { url, headers, body } = change
      const shown = headers.map(([name, value]) => [name, sanitizeText(value)] as const)
      return {
        ...change,
        url: sanitizeText(url),
        headers: shown,
        body: body && { ...body, text: sanitizeText(body.text) },
      }
    }
    case 'text':
      return { ...change, text: sanitizeText(change.text) }
  }
}

function refused(prepared: Prepared, refusal: AppError): Turn {
  return { kind: 'ready', prepared: { ...prepared, refusal, runnable: undefined }, details: {} }
}

/** Intents and requests, with the lease uses that they take, in one transaction; before any effect it is on disk. */
function record(turns: readonly Turn[], scope: Scope, parts: CapabilitiesOptions): void {
  const asked = turns.flatMap((turn) => (turn.kind === 'asks' ? [turn.asking] : []))
  const begun = turns.flatMap((turn) => (turn.kind === 'ready' && !hasBegun(turn.prepared, scope) ? [turn] : []))
  for (const { prepared, details } of begun) stageStarted(scope, prepared, details)
  for (const asking of asked) scope.journal.stage(parts.requests.eventOf(asking))
  faultPoint('intents.staged')
  const counted = begun.flatMap(({ prepared }) => (takesUse(prepared, parts) ? [prepared] : []))
  const { ofCode } = scope
  if (asked.length > 0 || counted.length > 0 || ofCode !== undefined) {
    scope.journal.commitWith((_append, stored) => {
      parts.requests.insert(asked, stored)
      for (const { lease } of counted) if (lease !== undefined) parts.consume(lease.id, parts.now())
      ofCode?.store()
    })
    if (counted.length > 0) parts.book.changed()
    faultPoint(asked.length > 0 ? 'approval.requested' : 'intents.committed')
    return
  }
  if (begun.some(({ prepared }) => prepared.runnable !== undefined && !onlyReads(prepared.action)))
    scope.journal.commit()
  else scope.journal.commitSoon()
}

function hasBegun({ path }: Prepared, scope: Scope): boolean {
  return scope.recorded?.get(path)?.began === true
}

function takesUse({ lease, runnable }: Prepared, { book }: CapabilitiesOptions): boolean {
  return runnable !== undefined && lease !== undefined && book.usesLeft(lease) !== null
}

/** Runs what is ready, all at once; calls on one resource in their order. */
async function run(
  turns: ReadonlyMap<number, Turn>,
  scope: Scope,
  parts: CapabilitiesOptions,
): Promise<readonly (readonly [number, ActionResult | CallWaits])[]> {
  const lastOf = new Map<string, Promise<unknown>>()
  let ended = 0
  const running = [...turns].flatMap(([at, turn]) => {
    if (turn.kind === 'done') return [Promise.resolve([at, turn.result] as const)]
    if (turn.kind !== 'ready') return []
    const { prepared, details, edited } = turn
    const begin = () => runCall({ prepared, guard: details.guard, edited }, scope, parts)
    const resource = prepared.runnable?.resource ?? null
    const before = resource === null ? undefined : lastOf.get(resource)
    const result = before === undefined ? begin() : before.then(begin)
    if (resource !== null) lastOf.set(resource, result)
    return [
      result.then((each) => {
        ended += 1
        if (ended < running.length) faultPoint('batch.between')
        return [at, each] as const
      }),
    ]
  })
  return Promise.all(running)
}

function preparedOf(turn: Turn): Prepared {
  if (turn.kind === 'asks') return turn.asking.prepared
  if (turn.kind === 'done') throw new Error('a call that is done does not wait')
  return turn.prepared
}

function waitReason(turns: readonly Turn[]): string {
  const names = turns.map((turn) => {
    const { action, call, summary } = preparedOf(turn)
    return `${action?.name ?? call.name}${summary === '' ? '' : ` ${summary}`}`
  })
  return names.length === 1 ? `waits for your approval of ${names[0]}` : `waits for ${names.length} approvals`
}

export function argumentsOf(call: ToolCall): JsonObject {
  return 'arguments' in call ? call.arguments : {}
}

function cancelled(): AppError {
  return new AppError('cancelled', { message: 'stopped', userMessage: 'Stopped.' })
}
