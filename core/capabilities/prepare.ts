import type { EffectType, Lease } from '../domain/action.ts'
import { type AppError, asAppError } from '../domain/error.ts'
import { type Json, type JsonObject, jsonLength } from '../domain/json.ts'
import { marksIn } from '../domain/leaks/mark.ts'
import { limits } from '../domain/limits.ts'
import type { ToolCall } from '../domain/model.ts'
import type { PolicyDecision, PolicyRule } from '../domain/policy.ts'
import type { Source } from '../domain/source.ts'
import { boundText } from '../domain/text.ts'
import type { Action, ActionContext, CallWaits, Preflight, PreflightContext, Review } from './action.ts'
import { hashOfCall, withoutNulls } from './calls.ts'
import { coveringGrant, grantedKeys, scopeKeyOf } from './grants.ts'
import { houseRules, rulesOf } from './groups.ts'
import { coveringLease, refusalReason } from './lease.ts'
import type { LeaseBook } from './lease-book.ts'
import { type Derived, derivedOf, type Origin, onlyReadsOutside, originReason } from './origin.ts'
import { cappingSkill, decide } from './policy.ts'
import {
  denied,
  redactedArguments,
  tooMuchToPass,
  unknownAction,
  unreadableArguments,
  wrongArguments,
} from './refusals.ts'
import type { Registry } from './registry.ts'
import { type Ended, sourceOfResult } from './result-source.ts'

/** What a person set: effects that are switched off, and rules of their own. */
export interface PolicySettings {
  readonly deniedEffects: readonly EffectType[]
  readonly rules: readonly PolicyRule[]
}

/** Whose call it is. */
export interface Caller extends Omit<PreflightContext, 'dataDir'> {
  readonly rootId: string
  readonly origin: Origin
}

/** A call that passed, or did not pass, what comes before running. `runnable` is undefined for one that is refused. */
export interface Prepared {
  readonly call: ToolCall
  readonly path: string
  /** Of the exact arguments; null where nothing depends on it, because the action only reads. */
  readonly argsHash: string | null
  readonly action: Action | undefined
  readonly lease: Lease | undefined
  readonly policy: PolicyDecision
  /** Its arguments may be the idea of a text that the thread has read, whoever then approved them. */
  readonly isDerived: boolean
  readonly summary: string
  readonly runnable: Runnable | undefined
  readonly refusal: AppError | undefined
  /** Of a refusal that is not the engine's own word: what a preflight quotes, say. */
  readonly refusalSource?: Source | null
}

/** Arguments that fit, closed over: nothing of them is parsed twice. */
export interface Runnable {
  /** What a wider approval would cover; null: once only. */
  readonly scopeKey: string | null
  /** These very arguments may run again after a crash. */
  readonly isIdempotent: boolean
  readonly resource: string | null
  readonly timeoutMs: number
  readonly preflight: ((context: PreflightContext) => Promise<Preflight>) | undefined
  /** Whose text its result holds. */
  source(ended: Ended): Source | null
  run(context: ActionContext): Json | Promise<Json | CallWaits>
}

export interface PrepareParts {
  readonly registry: Registry
  readonly book: LeaseBook
  readonly policy: () => PolicySettings
  /** A skill from elsewhere that is active in a thread. */
  readonly installedSkill: (threadId: string) => string | undefined
  /** Absolute and free of links. */
  readonly dataDir: string
  readonly now: () => number
}

/** Parse → lease → policy → standing approvals. A promise only where the action's own review needs one. */
export function prepareCall(
  parts: PrepareParts,
  { call, path }: { readonly call: ToolCall; readonly path: string },
  caller: Caller,
): Prepared | Promise<Prepared> {
  const { registry } = parts
  const action = registry.get(call.name)
  const argsHash = onlyReads(action) ? null : hashOfCall(call)
  const begun = {
    call,
    path,
    argsHash,
    action,
    policy: unasked(action),
    isDerived: false,
    lease: undefined,
    summary: '',
  }
  const refuse = (refusal: AppError): Prepared => ({ ...begun, refusal, runnable: undefined })
  if (action === undefined) return refuse(unknownAction(call.name, registry.names))
  if ('invalid' in call) return refuse(unreadableArguments(call.invalid))
  const bytes = bytesOf(call.arguments)
  if (bytes > limits.actionArgumentBytes) return refuse(tooMuchToPass(action.name, bytes))
  const marks = onlyReads(action) ? [] : marksIn(call.arguments)
  if (marks.length > 0) return refuse(redactedArguments(action.name, marks))
  const parsed = action.parameters.safeParse(withoutNulls(call.arguments))
  if (!parsed.success) return refuse(wrongArguments(action.name, parsed.error.issues))
  const parameters = parsed.data
  const summary = boundText(action.summarize(parameters), limits.actionSummaryCharacters)
  const conclude = (review: Review): Prepared => {
    const lease = coveringLease(parts.book.of(caller.threadId), action.name, parts.now())
    const derived = derivedBy(parts, { action, review, arguments: call.arguments }, caller)
    const policy = decided(parts, { action, review, lease, derived }, caller)
    const isDerived = derived !== null || isDerivedAtFirst(parts, { action, review, arguments: call.arguments }, caller)
    const decidedUpon = { ...begun, lease, policy, isDerived, summary }
    if (policy.verdict === 'deny') {
      return { ...decidedUpon, refusal: denied(policy.reason ?? 'not allowed'), runnable: undefined }
    }
    const isCapped = cappingSkill(parts.installedSkill(caller.threadId), policy.effects) !== undefined
    const runnable: Runnable = {
      // What others' words brought about, or a skill from elsewhere caps, asks each time: nothing wider can be given. Reading on
      // with a key can be allowed, because that covers reading there and nothing else.
      scopeKey:
        (derived !== null && !onlyReadsOutside(policy.effects)) || isCapped ? null : scopeKeyOf(action.name, review),
      isIdempotent: review.isIdempotent ?? action.isIdempotent,
      resource: action.resource?.(parameters) ?? null,
      timeoutMs: action.timeoutMs?.(parameters) ?? limits.actionMs,
      preflight: action.preflight && ((context) => action.preflight?.(parameters, context) ?? nothingToShow()),
      source: (ended) => {
        const own = action.source?.(parameters, ended)
        return sourceOfResult({ name: action.name, summary, effects: policy.effects, own, ok: ended.ok })
      },
      run: (context) => action.run(parameters, context),
    }
    return { ...decidedUpon, refusal: undefined, runnable }
  }
  const refuseFor = (error: unknown): Prepared => refuse(asAppError(error, 'action.failed'))
  try {
    const review = action.review?.(parameters, { ...caller, dataDir: parts.dataDir }) ?? allows
    return review instanceof Promise ? review.then(conclude, refuseFor) : conclude(review)
  } catch (error) {
    return refuseFor(error)
  }
}

/** Of the arguments as JSON; at most that where they are so short that nobody need count. */
function bytesOf(args: JsonObject): number {
  const most = jsonLength(args) * longestEscape
  return most <= limits.actionArgumentBytes ? most : Buffer.byteLength(JSON.stringify(args))
}
/** `\u001f` for one character. */
const longestEscape = 6

const allows: Review = { verdict: 'allow' }

async function nothingToShow(): Promise<Preflight> {
  return { change: { kind: 'text', text: '' }, guard: null, undo: '' }
}

interface Weighed {
  readonly action: Action
  readonly review: Review
  readonly lease: Lease | undefined
  readonly derived: Derived | null
}

interface Made extends Pick<Weighed, 'action' | 'review'> {
  readonly arguments: JsonObject
}

function derivedBy(parts: PrepareParts, { action, review, arguments: args }: Made, caller: Caller): Derived | null {
  const { origin } = caller
  if (origin.sources.length === 0) return null
  return derivedOf({
    action: review.askedFor === undefined ? action : { ...action, askedFor: review.askedFor },
    ...{ arguments: args, effects: review.effects ?? action.effects, origin },
    ...(review.known && { known: review.known }),
    // What other programs obey is not undone by putting the file back.
    isOrdinary: scopeKeyOf(action.name, review) !== null,
    scopeKeys: grantedKeys(parts.book.grants(), { ...asking(parts, caller), action: action.name, review }),
  })
}

/** An approval lets the call run, and does not make its text the person's own. */
function isDerivedAtFirst(parts: PrepareParts, made: Made, caller: Caller): boolean {
  const said = { ...caller.origin.said, approved: () => false }
  return derivedBy(parts, made, { ...caller, origin: { ...caller.origin, said } }) !== null
}

function decided(parts: PrepareParts, { action, review, lease, derived }: Weighed, caller: Caller): PolicyDecision {
  const { deniedEffects, rules } = parts.policy()
  const withoutLease =
    lease === undefined ? refusalReason(parts.book.of(caller.threadId), action.name, parts.now()) : ''
  const effects = review.effects ?? action.effects
  const installedSkill = parts.installedSkill(caller.threadId)
  const policy = decide({
    ...{ action: action.name, effects, review, lease, withoutLease, deniedEffects, installedSkill },
    origin: derived && originReason(derived, action),
    rules: [...houseRules, ...rulesOf(action.name), ...rules],
  })
  if (policy.verdict !== 'ask' || cappingSkill(installedSkill, effects) !== undefined) return policy
  const grant = coveringGrant(parts.book.grants(), { ...asking(parts, caller), action: action.name, review, policy })
  if (grant === undefined) return policy
  const reason = `${policy.reason ?? 'asks'}; you allowed it ${scopeWords[grant.scope]}`
  return { ...policy, verdict: 'allow', check: 'grant', reason, by: grant.id }
}

const asking = ({ book }: PrepareParts, caller: Caller) => ({ ...caller, missionId: book.missionOf(caller.rootId) })

const scopeWords = {
  ...{ thread: 'for this thread', mission: 'for this mission' },
  ...{ project: 'for this project', always: 'for good' },
} as const

function unasked(action: Action | undefined): PolicyDecision {
  return { verdict: 'deny', check: null, reason: null, effects: action?.effects ?? [] }
}

/** Reads and computes, and may be run again: its intent need not be on disk before it. */
export function onlyReads(action: Action | undefined): boolean {
  return (
    action === undefined ||
    (action.isIdempotent &&
      action.preflight === undefined &&
      action.effects.every((effect) => effect === 'ReadLocal' || effect === 'Compute'))
  )
}
