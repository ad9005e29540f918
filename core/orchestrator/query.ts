import { AppError, errorBody, isCancelled } from '../domain/error.ts'
import { previewOf, type QueryStarted } from '../domain/event.ts'
import { faultPoint } from '../domain/fault-point.ts'
import type { ModelMessage } from '../domain/model.ts'
import { estimateTokens, sanitizeText } from '../domain/text.ts'
import type { Journal } from '../events/events.ts'
import type { Answered, Asker } from './ask.ts'
import { stageChecks } from './checks.ts'
import type { RecordedQuery } from './recorded-step.ts'

/** A model call beside the step's own. */
export interface Query {
  readonly step: number
  readonly path: string
  readonly purpose: QueryStarted['purpose']
  readonly messages: readonly ModelMessage[]
  /** What is stored of the question. */
  readonly prompt: string
  readonly maxOutputTokens?: number
  readonly recorded?: RecordedQuery | undefined
  /** Rows that share the transaction of the intent. */
  readonly alongside?: (() => void) | undefined
}

/** The answer's text. @throws AppError budget.stopped, model.*: both on record; cancelled: its end is the thread's. */
export async function runQuery(query: Query, { asker, journal }: { asker: Asker; journal: Journal }): Promise<string> {
  const { step, path, purpose, recorded } = query
  if (recorded?.finished !== undefined) return answerOnRecord(recorded.finished)
  const ref = asker.modelNow()
  const promptTokens = query.messages.reduce((sum, message) => sum + estimateTokens(message.content), 0)
  const most = query.maxOutputTokens === undefined ? {} : { maxOutputTokens: query.maxOutputTokens }
  const asked = { ref, messages: query.messages, tools: [], promptTokens, step, isLive: false, ...most }
  const held = asker.reserve(asked)
  stageChecks(journal, { step, path }, held.checks)
  if (!held.ok) {
    journal.commit()
    throw budgetStopped(held.reason)
  }
  if (recorded === undefined) {
    const data = { step, path, purpose, ...ref, promptTokens }
    journal.stage({ kind: 'query.started', data, body: { prompt: query.prompt } })
  }
  journal.commitWith(() => query.alongside?.())
  faultPoint('query.started')
  const facts = { step, path }
  try {
    const answered = await asker.ask(asked, held)
    const text = sanitizeText(answered.completion.text)
    const data = { ...facts, ok: true, ...figuresOf(answered), summary: previewOf(text) }
    journal.stage({ kind: 'query.finished', data, body: { text } })
    faultPoint('query.finished')
    return text
  } catch (error) {
    if (isCancelled(error)) throw error
    const { code, userMessage } = errorBody(error, 'model.provider')
    const figures = { durationMs: 0, ...asker.spentOn(asked, error) }
    const data = { ...facts, ok: false, code, ...figures, summary: previewOf(userMessage) }
    journal.stage({ kind: 'query.finished', data, body: { text: userMessage } })
    throw error
  }
}

function budgetStopped(reason: string): AppError {
  return new AppError('budget.stopped', {
    message: reason,
    userMessage: `Stopped: ${reason}. Everything up to here is kept. Raise the budget in Settings → Budgets, then go on.`,
  })
}

function answerOnRecord({ data, text }: NonNullable<RecordedQuery['finished']>): string {
  if (data.ok) return text
  throw new AppError(data.code ?? 'model.provider', { message: text, userMessage: text })
}

function figuresOf({ completion, durationMs, usd }: Answered) {
  const { inputTokens, outputTokens } = completion.usage
  return { durationMs: Math.round(durationMs * 100) / 100, inputTokens, outputTokens, usd }
}
