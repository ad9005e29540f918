import { errorBody, isCancelled, isForPerson } from '../domain/error.ts'
import type { ContextCompacted } from '../domain/event.ts'
import { faultPoint } from '../domain/fault-point.ts'
import { fenceEnd } from '../domain/fence.ts'
import type { Json, JsonObject } from '../domain/json.ts'
import { limits } from '../domain/limits.ts'
import { type ModelMessage, resultText } from '../domain/model.ts'
import type { Source } from '../domain/source.ts'
import { boundText } from '../domain/text.ts'
import type { Journal } from '../events/events.ts'
import type { Asker } from './ask.ts'
import type { Conversation } from './conversation.ts'
import { runQuery } from './query.ts'

export interface Compaction {
  readonly step: number
  readonly checkpoint: Json
  readonly trigger: ContextCompacted['trigger']
  readonly windowTokens: number
  /** How many tokens of the model one of our estimate is. */
  readonly ratio: number
  /** What the thread has read that was not from a person: the summary may quote it. */
  readonly sources: readonly Source[]
}

interface Parts {
  readonly asker: Asker
  readonly journal: Journal
  readonly conversation: Conversation
}

/**
 * Lets the model sum up what was done, and goes on with that, the last thing that the person said and the newest messages.
 * Only what is sent is shortened; the record stays. Answers what went wrong, or null. @throws AppError cancelled, secret.unavailable
 */
export async function compact(
  compaction: Compaction,
  { asker, journal, conversation }: Parts,
): Promise<JsonObject | null> {
  const { step, checkpoint, trigger, windowTokens, ratio, sources } = compaction
  const tokens = () => Math.ceil(conversation.promptTokens * ratio)
  const tokensBefore = tokens()
  const estimatedWindow = windowTokens / ratio
  const kept = conversation.tailWithin(Math.floor(estimatedWindow * limits.compactionTailShare))
  faultPoint('compaction.begun')
  try {
    const summary = await runQuery(
      {
        ...{ step, path: '0.1', purpose: 'compaction' },
        messages: [{ role: 'user', content: questionOf(conversation, kept, estimatedWindow) }],
        prompt: `${instructions}\n\n[the conversation up to here]`,
        maxOutputTokens: limits.summaryTokens,
      },
      { asker, journal },
    )
    faultPoint('compaction.summarised')
    conversation.compact(summary.trim() === '' ? noSummary : summary, kept, sources)
    const figures = { tokensBefore, tokensAfter: tokens(), windowTokens, kept }
    journal.stage({
      kind: 'context.compacted',
      data: { step, ...figures, checkpoint, trigger, ...(sources.length > 0 && { sources }) },
      body: { summary: summary.trim() === '' ? noSummary : summary },
    })
    journal.commit()
    faultPoint('compaction.recorded')
    return null
  } catch (error) {
    if (isCancelled(error)) throw error
    const { code, userMessage } = errorBody(error, 'model.provider')
    journal.commit()
    if (isForPerson(code)) throw error
    return { reason: userMessage, code }
  }
}

const noSummary = '[the model gave no summary; the newest messages follow as they were]'

const instructions = [
  'Sum up the conversation below, so that the work can go on from your summary alone.',
  'Say: what the user wants; what was done; exact values, names, paths and figures that were found; what is left; what failed and why.',
  'Answer with the summary only.',
].join(' ')

/** The oldest of it goes first where even the question would be too long for the window. */
function questionOf(conversation: Conversation, kept: number, windowTokens: number): string {
  const older = kept === 0 ? conversation.messages.slice(1) : conversation.messages.slice(1, -kept)
  const room = Math.max(2_000, Math.floor(windowTokens * limits.compactionShare * 4) - limits.summaryTokens * 4)
  const lines: string[] = []
  let left = room
  for (const message of older.toReversed()) {
    const line = lineOf(message)
    left -= line.length
    if (left < 0) {
      lines.push(`[${older.length - lines.length} older messages are left out here]`)
      break
    }
    lines.push(line)
  }
  return `${instructions}\n\n${lines.reverse().join('\n')}`
}

function lineOf(message: ModelMessage): string {
  const calls =
    message.role === 'assistant'
      ? (message.toolCalls ?? []).map(
          (call) => `${call.name}(${'arguments' in call ? resultText(call.arguments) : ''})`,
        )
      : []
  const name = message.role === 'tool' ? `result of ${message.name}` : message.role
  const line = boundText(`${name}: ${[message.content, ...calls].filter((part) => part !== '').join(' ')}`, longestLine)
  // What was cut off must not leave the marks around somebody else's text open.
  return message.content.endsWith(fenceEnd) && !line.endsWith(fenceEnd) ? `${line}\n${fenceEnd}` : line
}

/** A file of 60,000 characters says what it says in its beginning. */
const longestLine = 4_000
