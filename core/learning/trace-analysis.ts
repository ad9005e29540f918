import type { CodeCategory } from '../domain/code.ts'
import type { ErrorCode } from '../domain/error.ts'
import type { StoredEvent } from '../domain/event.ts'
import type { Severity, TraceIssue } from '../domain/issue.ts'
import type { ThreadHeader } from '../domain/thread.ts'
import { type Finished, factsOf, isNoFault, type TraceFacts } from './trace-facts.ts'

interface Trace extends TraceFacts {
  readonly thread: ThreadHeader
}
type Check = (trace: Trace) => readonly TraceIssue[]

/**
 * What went wrong in a thread, read from its own record: worst first. `events` are all of them, oldest first, with
 * bodies. A stop by a person, a refusal and a spent budget are decisions, not issues. Source: engine-behaviour 7.
 */
export function analyseTrace(thread: ThreadHeader, events: Iterable<StoredEvent>): readonly TraceIssue[] {
  const trace = { ...factsOf(events), thread }
  const issues = checks.flatMap((check) => check(trace))
  return issues.toSorted((a, b) => rank[b.severity] - rank[a.severity])
}

const rank: Readonly<Record<Severity, number>> = { Info: 0, Warning: 1, Error: 2 }

const checks: readonly Check[] = [
  checkFailure,
  checkOrchestrator,
  checkAnswer,
  checkActions,
  checkCode,
  checkPrintedErrors,
  checkCallIds,
  checkMissingResults,
  checkLength,
  checkUnused,
  checkMixture,
]

function checkFailure({ thread, lastMove, lastStep, modelFailures }: Trace): readonly TraceIssue[] {
  if (thread.state !== 'Failed') return []
  const code = lastMove?.code ?? modelFailures.at(-1)?.code
  if (isNoFault(code)) return []
  const why = thread.reason ?? lastMove?.reason ?? 'no reason is on record'
  const told = (issueClass: TraceIssue['class'], what: string): readonly TraceIssue[] => [
    { class: issueClass, severity: 'Error', stepIds: [String(lastStep)], reason: `${what}: ${brief(why)}` },
  ]
  if (startsWith(code, 'model.', 'secret.'))
    return told('llm_error', 'The model could not be asked, so the thread failed')
  if (startsWith(code, 'orchestrator.', 'sandbox.', 'engine.'))
    return told('orchestrator_error', 'The step loop itself failed')
  return told('thread_failure', 'The thread failed')
}

function startsWith(code: ErrorCode | undefined, ...families: readonly string[]): boolean {
  return families.some((family) => code?.startsWith(family))
}

function checkOrchestrator({ orchestrator, thread, lastMove }: Trace): readonly TraceIssue[] {
  const isSaid = thread.state === 'Failed' && startsWith(lastMove?.code, 'orchestrator.', 'sandbox.', 'engine.')
  if (isSaid) return []
  return orchestrator.map(({ id, isFailure, reason }) => ({
    class: 'orchestrator_error' as const,
    severity: isFailure ? ('Error' as const) : ('Warning' as const),
    stepIds: [id],
    reason: `The step loop went wrong: ${brief(reason)}`,
  }))
}

/** Of a thread that ended by itself; one that was stopped, refused or spent owes no answer. */
function checkAnswer({ thread, isAnswered, lastStep }: Trace): readonly TraceIssue[] {
  const owesAnswer = thread.state === 'Done' && (thread.outcome === 'answered' || thread.outcome === 'maxSteps')
  if (!owesAnswer || isAnswered) return []
  const reason =
    thread.outcome === 'maxSteps'
      ? `All ${thread.steps} steps were used without an answer.`
      : 'The thread ended without a word to the user.'
  return [{ class: 'no_response', severity: 'Warning', stepIds: [String(lastStep)], reason }]
}

/** One for each action that failed, however often: the steps say where. */
function checkActions({ finished }: Trace): readonly TraceIssue[] {
  const failed = [...finished].filter(([, each]) => isFailure(each))
  return [...Map.groupBy(failed, ([, { name }]) => name)].map(([name, calls]) => {
    const last = calls.at(-1)?.[1]
    const why = last?.message || last?.summary || last?.code || 'no reason is on record'
    return {
      class: 'tool_error',
      severity: 'Warning',
      stepIds: calls.map(([id]) => id),
      reason: `${name} failed ${times(calls.length)}${calls.length > 1 ? ', last' : ''}: ${brief(why)}`,
      subject: name,
      ...(last?.code && { code: last.code }),
    }
  })
}

function isFailure({ ok, code }: Finished): boolean {
  return !ok && !isNoFault(code)
}

function checkCode({ code }: Trace): readonly TraceIssue[] {
  const failed = code.filter((each) => !each.ok && each.category !== undefined)
  return [...Map.groupBy(failed, ({ category }) => category ?? 'runtime_error')].map(([category, runs]) => ({
    class: `code_${category}` as const,
    severity: isGrave(category) ? ('Error' as const) : ('Warning' as const),
    stepIds: runs.map(({ step, path }) => `${step}/${path}`),
    reason: `${codeWords[category]} ${times(runs.length)}: ${brief(runs.at(-1)?.summary ?? '')}`,
  }))
}

function isGrave(category: CodeCategory): boolean {
  return category === 'vm_panic' || category === 'resource_limit'
}

const codeWords: Readonly<Record<CodeCategory, string>> = {
  syntax_error: 'Code could not be read as Python',
  runtime_error: 'Code stopped at an error of its own',
  name_lookup: 'Code used a name that does not exist',
  vm_panic: 'Code broke its sandbox',
  resource_limit: 'Code used too much time, memory or depth',
  tool_error: 'Code stopped at an action that failed',
  os_denied: 'Code reached for files, network or the clock',
}

/** Only where nothing failed openly: an error that was caught and printed. */
function checkPrintedErrors({ code }: Trace): readonly TraceIssue[] {
  if (code.some((each) => !each.ok)) return []
  const telling = code.filter(({ output }) => printedError.test(output))
  if (telling.length === 0) return []
  const last = printedError.exec(telling.at(-1)?.output ?? '')?.[1] ?? 'an error'
  const stepIds = telling.map(({ step, path }) => `${step}/${path}`)
  return [{ class: 'code_error', severity: 'Warning', stepIds, reason: `Code printed ${last} and went on.` }]
}
const printedError =
  /\b((?:Name|Syntax|Type|NotImplemented|Value|Attribute|Index|Key|ModuleNotFound|Runtime|ZeroDivision)Error)\b/

function checkCallIds({ withoutId }: Trace): readonly TraceIssue[] {
  if (withoutId.length === 0) return []
  const reason = `The model named no id in ${withoutId.length} ${withoutId.length === 1 ? 'call' : 'calls'}.`
  return [{ class: 'empty_call_id', severity: 'Error', stepIds: withoutId, reason }]
}

/** Of a thread that ended by itself: what a stop cuts off has no result, and needs none. */
function checkMissingResults({ thread, started, finished }: Trace): readonly TraceIssue[] {
  const endedItself = thread.outcome === 'answered' || thread.outcome === 'maxSteps'
  const missing = endedItself ? [...started].filter(([id]) => !finished.has(id)) : []
  if (missing.length === 0) return []
  const names = [...new Set(missing.map(([, { name }]) => name))].join(', ')
  const reason = `${missing.length} ${missing.length === 1 ? 'call has' : 'calls have'} no result: ${brief(names)}`
  return [{ class: 'missing_tool_output', severity: 'Warning', stepIds: missing.map(([id]) => id), reason }]
}

/** Many steps alone are no fault of a large task: a warning needs calls that were repeated or failed. */
function checkLength({ thread, repeats, started, finished, lastStep }: Trace): readonly TraceIssue[] {
  if (thread.steps <= usualSteps) return []
  const failed = [...finished].filter(([, each]) => isFailure(each)).map(([id]) => id)
  const again = [...new Set([...repeats.map(({ step }) => String(step)), ...repeatedCalls(started)])]
  const why = [
    ...(again.length > 0 ? [`${again.length} repeated what was done before`] : []),
    ...(failed.length > 0 ? [`${failed.length} ${failed.length === 1 ? 'call' : 'calls'} failed`] : []),
  ]
  const stepIds = [...new Set([...again, ...failed])]
  return [
    {
      class: 'excessive_steps',
      severity: why.length > 0 ? 'Warning' : 'Info',
      stepIds: stepIds.length > 0 ? stepIds : [String(lastStep)],
      reason: `${thread.steps} steps, more than ${usualSteps}${why.length > 0 ? `; ${why.join(', ')}` : ''}.`,
    },
  ]
}
const usualSteps = 10

/** The third and later calls of the same thing about the same thing. */
function repeatedCalls(started: Trace['started']): readonly string[] {
  const seen = new Map<string, number>()
  const again: string[] = []
  for (const [id, { name, summary, argsHash }] of started) {
    const key = `${name}\n${argsHash ?? summary}`
    const count = (seen.get(key) ?? 0) + 1
    seen.set(key, count)
    if (count > 2) again.push(id)
  }
  return again
}

function checkUnused({ thread, hasActions, started, code, modelSteps, lastStep }: Trace): readonly TraceIssue[] {
  const isPlain = thread.outcome === 'answered' && modelSteps === 1 && started.size === 0 && code.length === 0
  if (!isPlain || !hasActions) return []
  const reason = 'Answered in one step without looking at anything.'
  return [{ class: 'no_tools_used', severity: 'Info', stepIds: [String(lastStep)], reason }]
}

function checkMixture({ stepsWithCalls, stepsWithCode }: Trace): readonly TraceIssue[] {
  if (stepsWithCalls.size === 0 || stepsWithCode.size === 0) return []
  const [less, what] =
    stepsWithCode.size < stepsWithCalls.size
      ? [stepsWithCode, 'wrote code']
      : [stepsWithCalls, 'called actions directly']
  const stepIds = [...less].map(String)
  const reason = `${stepIds.length} of ${stepsWithCalls.size + stepsWithCode.size} steps ${what}, the others did it the other way.`
  return [{ class: 'mixed_mode', severity: 'Info', stepIds, reason }]
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}

/** One line of somebody else's text, short enough for a list. */
function brief(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= longestReason ? line : `${line.slice(0, longestReason).toWellFormed()}…`
}
const longestReason = 200
