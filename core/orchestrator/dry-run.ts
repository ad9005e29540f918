import { AppError, fromErrorBody } from '../domain/error.ts'
import type { StoredEvent } from '../domain/event.ts'
import type { Json, JsonObject } from '../domain/json.ts'
import { limits } from '../domain/limits.ts'
import type { Outcome, ThreadHeader } from '../domain/thread.ts'
import type { Program, Sandbox } from '../sandbox/sandbox.ts'
import { finalAnswer } from './answer.ts'
import { inputsOf } from './loop-inputs.ts'
import { isFinal, recordedSteps } from './record.ts'
import type { RecordedStep } from './recorded-step.ts'

/** What another loop would have made of a thread that is over, fed with what its model said and its actions gave. */
export interface DryRun {
  readonly thread: number
  /** `same`: it asked for the same steps and ended alike. `other`: in words, where it went another way. */
  readonly verdict: 'same' | 'other'
  readonly detail: string
}

export interface RecordedThread {
  readonly thread: ThreadHeader
  readonly events: Iterable<StoredEvent>
}

/**
 * Runs a loop over the record of a thread, in a child, without any effect. @throws AppError orchestrator.invalid where the
 * script itself fails: it does not compile, raises, goes over its limits, or asks for what there is not.
 */
export async function dryRun(program: Program, recorded: RecordedThread, sandbox: Sandbox): Promise<DryRun> {
  const { thread } = recorded
  const events = [...recorded.events]
  const steps = recordedSteps(events)
  const [created] = events
  const isRun = created?.kind === 'thread.created' && created.data.run !== undefined
  const inputs = inputsOf({ checkpoint: undefined, thread, hasActions: true, isRun })
  const vmLimits = { durationMs: limits.loopMs, memoryBytes: limits.loopMemoryBytes }
  const vm = await sandbox.start(program, inputs, vmLimits)
  try {
    let { state } = vm
    let at = -1
    while (state.kind === 'call') {
      if (!hostCalls.includes(state.name)) throw invalid(`it calls ${state.name}, which is no host function`)
      if (state.name === 'llm_complete') at += 1
      const step = steps[at]
      if (step === undefined) return other(thread, `asks the model for step ${at + 1}, which the record does not have`)
      state = await vm.resume(answerFrom(step, state.name))
    }
    if (state.kind === 'failed') throw invalid(state.traceback === '' ? state.error.message : state.traceback)
    return compared(thread, state.value, { asked: at + 1, recorded: steps.length })
  } catch (error) {
    if (error instanceof AppError) throw error
    throw fromErrorBody({ code: 'orchestrator.invalid', message: String(error), userMessage: notRun, retryable: false })
  } finally {
    vm.close()
  }
}

const hostCalls = ['llm_complete', 'execute_actions', 'execute_code', 'compact']

function answerFrom(step: RecordedStep, call: string): Json {
  switch (call) {
    case 'llm_complete':
      return replyOf(step)
    case 'execute_actions': {
      const results = [...step.actions.values()].flatMap(({ result }) => result ?? [])
      return { ok: results.filter((result) => result.ok).length, repeat: null }
    }
    case 'execute_code': {
      const finished = step.code?.finished
      return { ok: finished?.data.ok === true, final: finished?.body.final ?? null, repeat: null }
    }
    default:
      return null
  }
}

function replyOf({ reply, failure }: RecordedStep): JsonObject {
  if (reply === undefined) {
    return {
      type: 'error',
      reason: failure?.userMessage ?? 'no answer is recorded',
      code: failure?.code ?? 'cancelled',
    }
  }
  const { text, toolCalls, isCut } = reply
  if (reply.isCode) return { type: 'code', cut: isCut }
  if (toolCalls.length === 0) return { type: 'text', text, said: 0, cut: isCut, asked: '' }
  const final = toolCalls.find(isFinal)
  const calls = toolCalls.filter((call) => !isFinal(call)).map((call) => call.id)
  return { type: 'actions', calls, cut: isCut, final: final === undefined ? null : finalAnswer(final, text) }
}

function compared(thread: ThreadHeader, value: Json, steps: { asked: number; recorded: number }): DryRun {
  const outcome = typeof value === 'object' && value !== null && 'outcome' in value ? value.outcome : null
  const expected: Outcome | null = thread.outcome
  if (steps.asked < steps.recorded) {
    return other(thread, `ends after ${steps.asked} of ${steps.recorded} steps, as ${String(outcome)}`)
  }
  if (outcome !== expected) return other(thread, `ends as ${String(outcome)}, not as ${String(expected)}`)
  return { thread: thread.number, verdict: 'same', detail: `the same ${steps.recorded} steps, ${String(expected)}` }
}

const other = (thread: ThreadHeader, detail: string): DryRun => ({ thread: thread.number, verdict: 'other', detail })

const notRun = 'This version of the step loop does not run, so it was not activated. The loop that works now stays.'

function invalid(message: string): AppError {
  return new AppError('orchestrator.invalid', { message, userMessage: notRun })
}
