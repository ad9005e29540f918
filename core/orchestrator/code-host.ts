import type { ActionResult } from '../domain/action.ts'
import { AppError, isCancelled } from '../domain/error.ts'
import { previewOf } from '../domain/event.ts'
import { faultPoint } from '../domain/fault-point.ts'
import { withoutControlTokens } from '../domain/fence.ts'
import type { Json, JsonObject } from '../domain/json.ts'
import { storedKey } from '../domain/leaks/mark.ts'
import type { Redactor } from '../domain/leaks/redactor.ts'
import { limits } from '../domain/limits.ts'
import type { ToolCall } from '../domain/model.ts'
import { sanitizeText } from '../domain/text.ts'
import type { Vm, VmState } from '../sandbox/sandbox.ts'
import { codeFunctions } from './code/advice.ts'
import { assertCallsLeft, isRunaway, savedState } from './code/bounds.ts'
import { type CodeCall, namedArguments, parallelCalls, textArgument, textsArgument } from './code-calls.ts'
import type { CodeParts, CodeStep } from './code-parts.ts'
import { runQuery } from './query.ts'
import { childFailed, endedCalls, labelOf } from './recorded-calls.ts'

/** A call that code made, as its output shows it. */
export interface Performed {
  readonly label: string
  readonly name: string
  readonly ok: boolean
  readonly result: Json
  readonly where: string | null
  /** It does not only read. */
  readonly isChange: boolean
}

/** How a suspended program goes on. */
export type Answer =
  | { readonly kind: 'resume'; readonly value: Json }
  | { readonly kind: 'raise'; readonly type: string; readonly message: string }
  | { readonly kind: 'final' }
  | { readonly kind: 'end'; readonly message: string }
  | { readonly kind: 'waits'; readonly reason: string }

export interface CodeHostOptions {
  readonly vm: Vm
  readonly step: CodeStep
  readonly parts: CodeParts
  readonly path: string
  readonly printedBefore: string
  /** The call that the program stands at: 1 for one that just began. */
  readonly from: number
}

type Outcome = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly message: string }
type Performance = Outcome | { readonly waits: string }

/** Answers what code asks for. Every effect goes through the door, with the program's bytes in the transaction of its intent. */
export function createCodeHost(options: CodeHostOptions) {
  const { vm, step, parts, path } = options
  const { scope, recorded, tools } = step
  const performed: Performed[] = [...performedBefore(options)]
  let next = options.from
  let final: string | null = null
  let state: Json | undefined
  let refused = 0
  const names = new Map(tools.map((tool) => [tool.name.replaceAll('-', '_'), tool]))
  const known = [...names.keys(), ...codeFunctions]

  async function answer(asked: Extract<VmState, { kind: 'call' }>): Promise<Answer> {
    const call = parts.redactor.redact(asked).value
    if (call.name === 'FINAL') {
      final = sanitizeText(textArgument(call, 0, 'answer') ?? '')
      return { kind: 'final' }
    }
    if (call.name === '__save_state__') return saveState(call.args[0] ?? null)
    const many = call.name === '__parallel__' ? parallelCalls(call.args[0]) : undefined
    if (call.name === '__parallel__' && many === undefined) return raised('TypeError', 'parallel(...) takes calls')
    const calls = many ?? [call]
    const unknown = calls.find(({ name }) => !known.includes(name))
    if (unknown !== undefined) return raised('NameError', `name '${unknown.name}' is not defined`)
    const tooMany = refusalOf(() => assertCallsLeft(performed.length, calls.length))
    if (tooMany !== null) return refuse(tooMany)
    const at = next
    next += 1
    const store = await storerAt(at)
    if (store === null) return { kind: 'end', message: holdsKey }
    const paths = calls.map((_each, index) => (many === undefined ? `${path}.${at}` : `${path}.${at}.${index + 1}`))
    const outcomes = await perform(calls, paths, store)
    const waiting = outcomes.find((each) => 'waits' in each)
    if (waiting !== undefined && 'waits' in waiting) return { kind: 'waits', reason: waiting.waits }
    const settled = outcomes.flatMap((each) => ('ok' in each ? [each] : []))
    for (const [index, each] of settled.entries()) note(calls[index] ?? call, paths[index] ?? path, each)
    if (many === undefined) return answerOf(settled[0])
    return answerOfMany(settled, call.kwargs.return_exceptions === true)
  }

  function note({ name }: CodeCall, callPath: string, outcome: Outcome): void {
    const label = labelOf(callPath)
    const result = outcome.ok ? outcome.value : outcome.message
    const where = outcome.ok ? `previous_results["${label}"]` : null
    performed.push({ label, name, ok: outcome.ok, result, where, isChange: parts.capabilities.changes(name) })
  }

  function saveState(value: Json): Answer {
    const refusal = refusalOf(() => {
      state = savedState(value)
    })
    return refusal === null ? { kind: 'resume', value: null } : raised('RuntimeError', refusal)
  }

  /** A block that asks on although it is refused costs the engine time and the program none: it is ended. */
  function refuse(message: string): Answer {
    refused += 1
    return isRunaway(refused) ? { kind: 'end', message } : raised('RuntimeError', message)
  }

  /** Puts the program as it stands now on disk, once, in whichever transaction comes first. Null where it must not be there. */
  async function storerAt(at: number): Promise<(() => void) | null> {
    const snapshot = await vm.snapshot()
    if (holdsStoredKey(snapshot.bytes, parts.redactor)) return null
    faultPoint('code.vm.snapshotted')
    let isStored = false
    return () => {
      if (isStored) return
      isStored = true
      const { bytes, sha256, montyVersion, remainingMs } = snapshot
      const place = { threadId: scope.threadId, step: scope.step, path, nextCall: at }
      const output = parts.redactor.text(options.printedBefore + vm.output)
      parts.codeVms.put({ ...place, bytes, sha256, montyVersion, remainingMs, output })
      faultPoint('code.vm.stored')
    }
  }

  /** Actions are one batch through the door, queries run beside them, children one after another in the parent's slot. */
  async function perform(
    calls: readonly CodeCall[],
    paths: readonly string[],
    store: () => void,
  ): Promise<readonly Performance[]> {
    const outcomes: Performance[] = []
    const put = (at: number) => (outcome: Performance) => {
      outcomes[at] = outcome
    }
    const placed = calls.map((call, at) => ({ call, at, path: paths[at] ?? path }))
    const actions = placed.filter(({ call }) => names.has(call.name))
    const queries = placed.filter(({ call }) => call.name === 'llm_query' || call.name === 'llm_query_batched')
    await Promise.all([
      runActions(actions, store).then((results) => {
        for (const [index, { at }] of actions.entries()) put(at)(results[index] ?? { waits: '' })
      }),
      ...queries.map(({ call, at, path: callPath }) => runQueries(call, callPath, store).then(put(at))),
    ])
    for (const { call, at, path: callPath } of placed) {
      if (call.name === 'rlm_query') put(at)(await runChild(call, callPath, store))
      if (call.name === 'parallel') put(at)({ ok: false, message: 'parallel(...) takes calls, written inside of it' })
    }
    return outcomes
  }

  async function runActions(
    actions: readonly { readonly call: CodeCall; readonly path: string }[],
    store: () => void,
  ): Promise<readonly Performance[]> {
    if (actions.length === 0) return []
    const calls = actions.map(({ call, path: callPath }): ToolCall => {
      const definition = names.get(call.name)
      return { id: labelOf(callPath), name: definition?.name ?? call.name, arguments: namedArguments(call, definition) }
    })
    const executed = await parts.capabilities.execute(calls, {
      ...scope,
      pathAt: (at) => actions[at]?.path ?? path,
      recorded: recorded?.actions,
      ofCode: { store },
    })
    if (executed.kind === 'waits') return actions.map(() => ({ waits: executed.reason }))
    return executed.results.map(outcomeOf)
  }

  async function runQueries(call: CodeCall, callPath: string, store: () => void): Promise<Performance> {
    const context = textArgument(call, 1, 'context')
    if (call.name === 'llm_query') {
      const prompt = textArgument(call, 0, 'prompt')
      if (prompt === undefined) return { ok: false, message: 'llm_query(prompt, context=None) needs a prompt' }
      return queryOutcome(query(prompt, { purpose: call.name, context, callPath, store }))
    }
    const prompts = textsArgument(call, 0, 'prompts')
    if (prompts === undefined || prompts.length > limits.codeBatch) {
      return { ok: false, message: `llm_query_batched takes a list of at most ${limits.codeBatch} prompts` }
    }
    const texts = await Promise.all(
      prompts.map((prompt, at) =>
        queryOutcome(
          query(prompt, { purpose: 'llm_query_batched', context, callPath: `${callPath}.${at + 1}`, store }),
        ).then((outcome) => (outcome.ok ? outcome.value : `Error: ${outcome.message}`)),
      ),
    )
    return { ok: true, value: texts }
  }

  function query(
    prompt: string,
    on: {
      readonly purpose: 'llm_query' | 'llm_query_batched'
      readonly context: string | undefined
      readonly callPath: string
      readonly store: () => void
    },
  ): Promise<string> {
    const content = on.context === undefined ? prompt : `${prompt}\n\n${on.context}`
    return runQuery(
      {
        ...{ step: scope.step, path: on.callPath, purpose: on.purpose, prompt: content, alongside: on.store },
        ...{
          messages: [{ role: 'user', content: withoutControlTokens(content) }],
          recorded: recorded?.queries.get(on.callPath),
        },
      },
      { asker: parts.asker, journal: scope.journal },
    )
  }

  async function runChild(call: CodeCall, callPath: string, store: () => void): Promise<Performance> {
    const known = recorded?.children.get(callPath)
    if (known?.finished !== undefined) return childOutcome(known.finished.data.ok, known.finished.text)
    const goal = textArgument(call, 0, 'prompt')
    if (goal === undefined || goal.trim() === '') return { ok: false, message: 'rlm_query(prompt) needs a prompt' }
    if (parts.children.refusal !== null) return { ok: false, message: parts.children.refusal }
    const childId = known?.childId ?? spawnChild(goal, callPath, store)
    const rest = await parts.children.run(childId)
    faultPoint('child.rested')
    if (rest.kind === 'waits') return { waits: rest.reason }
    const ok = rest.outcome === 'answered'
    const facts = { step: scope.step, path: callPath, childId, outcome: rest.outcome, ok }
    scope.journal.stage({
      kind: 'child.finished',
      data: { ...facts, summary: previewOf(rest.text), ...(rest.sources.length > 0 && { sources: rest.sources }) },
      body: { text: rest.text },
    })
    faultPoint('child.finished')
    return childOutcome(ok, rest.text)
  }

  function spawnChild(goal: string, callPath: string, store: () => void): string {
    const { child, insert } = parts.children.plan(goal)
    const data = { step: scope.step, path: callPath, childId: child.id, number: child.number, summary: previewOf(goal) }
    scope.journal.stage({ kind: 'child.spawned', data })
    faultPoint('child.planned')
    scope.journal.commitWith((append) => {
      insert(append)
      faultPoint('child.inserted')
      store()
    })
    faultPoint('child.spawned')
    return child.id
  }

  return {
    answer,
    get performed(): readonly Performed[] {
      return performed
    },
    get final() {
      return final
    },
    get state() {
      return state
    },
  }
}

/** No key may be on disk, and bytes of a program cannot be changed. */
function holdsStoredKey(bytes: Uint8Array, redactor: Redactor): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  return redactor.mayHold(text) && redactor.redact(text).hits.some(({ what }) => what === storedKey)
}
const holdsKey =
  'RuntimeError: a variable holds a key that Threadsmith keeps, and what code holds is stored before each call. The block was ended before this call. Do it without the key.'

function refusalOf(check: () => void): string | null {
  try {
    check()
    return null
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}

const raised = (type: string, message: string): Answer => ({ kind: 'raise', type, message })

function outcomeOf(result: ActionResult): Outcome {
  return result.ok ? { ok: true, value: result.value } : { ok: false, message: result.error.message }
}

function childOutcome(ok: boolean, text: string): Outcome {
  return ok ? { ok, value: text } : { ok, message: childFailed(text) }
}

async function queryOutcome(text: Promise<string>): Promise<Outcome> {
  try {
    return { ok: true, value: await text }
  } catch (error) {
    if (isCancelled(error) || !(error instanceof AppError)) throw error
    return { ok: false, message: error.userMessage }
  }
}

function answerOf(outcome: Outcome | undefined): Answer {
  if (outcome === undefined) return raised('RuntimeError', 'nothing came of the call')
  return outcome.ok ? { kind: 'resume', value: outcome.value } : raised('RuntimeError', outcome.message)
}

function answerOfMany(outcomes: readonly Outcome[], keepsErrors: boolean): Answer {
  const failed = outcomes.find((outcome) => !outcome.ok)
  if (failed !== undefined && !failed.ok && !keepsErrors) return raised('RuntimeError', failed.message)
  const values = outcomes.map((outcome): Json | JsonObject => (outcome.ok ? outcome.value : { error: outcome.message }))
  return { kind: 'resume', value: values }
}

/** What the program had called before it was stored, from the record: it stands after those calls. */
function performedBefore({ step, parts, path, from }: CodeHostOptions): readonly Performed[] {
  if (step.recorded === undefined) return []
  const before = endedCalls(step.recorded).filter((call) => isBefore(call.path, path, from))
  return before.map(({ path: callPath, name, ok, result }) => {
    const label = labelOf(callPath)
    const where = ok ? `previous_results["${label}"]` : null
    return { label, name, ok, result, where, isChange: parts.capabilities.changes(name) }
  })
}

function isBefore(callPath: string, path: string, from: number): boolean {
  return callPath.startsWith(`${path}.`) && Number(callPath.slice(path.length + 1).split('.')[0]) < from
}
