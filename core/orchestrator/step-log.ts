import { AppError, type ErrorBody, errorBody } from '../domain/error.ts'
import { previewOf } from '../domain/event.ts'
import { type ModelRef, modelRefText } from '../domain/model.ts'
import { sanitizeText } from '../domain/text.ts'
import { answerOf, roundMs } from './answer.ts'
import type { Answered, Asked, Asker } from './ask.ts'
import type { LoopContext } from './loop-context.ts'
import { type Checkpoint, recordedCheckpoint } from './loop-inputs.ts'
import type { Reply } from './recorded-step.ts'

/** What goes on record of a step's model call: its beginning, its answer, or why there was none. */
export interface StepLog {
  started(checkpoint: Checkpoint, ref: ModelRef, windowTokens: number | null): void
  restarted(step: number, ref: ModelRef): void
  answered(step: number, answer: Answered): Reply
  failed(error: unknown, call: FailedCall): ErrorBody
  /** Stopped in mid-answer: what a person had read of it stays on record, and is paid for. */
  stopped(error: unknown, call: FailedCall): void
}

interface FailedCall {
  readonly asked: Asked
  readonly durationMs: number
}

export function createStepLog(context: LoopContext, asker: Asker): StepLog {
  const { conversation, journal, thread } = context
  let { lastModel } = context.replayed

  function noteModel(ref: ModelRef): void {
    const text = modelRefText(ref)
    if (lastModel !== undefined && lastModel !== text)
      journal.stage({
        kind: 'status',
        data: { text: `The settings changed: ${text} answers from here, not ${lastModel}` },
      })
    lastModel = text
  }

  return {
    started(checkpoint, ref, windowTokens) {
      noteModel(ref)
      const facts = { ...ref, tier: thread.tier, messages: conversation.messages.length }
      const window = windowTokens === null ? {} : { windowTokens }
      const more = { promptTokens: conversation.promptTokens, checkpoint: recordedCheckpoint(checkpoint) }
      journal.stage({ kind: 'step.started', data: { step: checkpoint.step, ...facts, ...more, ...window } })
    },

    restarted(step, ref) {
      noteModel(ref)
      journal.stage({ kind: 'step.restarted', data: { step, ...ref, promptTokens: conversation.promptTokens } })
    },

    answered(step, answer) {
      const { completion, providerId, model, usd } = answer
      const runsCode = context.runsCode && (providerId !== 'planner' || completion.isCode === true)
      const reply = answerOf(completion, { runsCode })
      const { usage, finishReason } = completion
      const { inputTokens, outputTokens, cachedInputTokens = 0, estimated = false } = usage
      const durationMs = roundMs(answer.durationMs)
      const firstTokenMs = answer.firstTokenMs === null ? null : roundMs(answer.firstTokenMs)
      const facts = { step, providerId, model, durationMs, firstTokenMs, inputTokens, outputTokens, finishReason }
      const more = { cachedInputTokens, estimated, usd, calls: reply.toolCalls.length }
      const code = reply.isCode ? { codeBlocks: 1 } : {}
      const { isCode: _, isCut: __, ...body } = reply
      journal.stage({
        kind: 'model.completed',
        data: { ...facts, ...more, ...code, preview: previewOf(reply.text) },
        body,
      })
      return reply
    },

    failed,

    stopped(error, call) {
      const partialText = error instanceof AppError ? error.data?.partialText : undefined
      if (typeof partialText !== 'string' || partialText === '') return
      failed(error, call)
      journal.commit()
    },
  }

  function failed(error: unknown, { asked, durationMs }: FailedCall): ErrorBody {
    const failure = errorBody(error, 'model.provider')
    const { code, message, userMessage, retryable, data } = failure
    const partialText = sanitizeText(String(data?.partialText ?? ''))
    const spent = partialText === '' ? {} : asker.spentOn(asked, error)
    journal.stage({
      kind: 'model.failed',
      data: { step: asked.step, ...asked.ref, durationMs, code, userMessage, retryable, ...spent },
      body: { message, partialText },
    })
    return failure
  }
}
