import { limits } from '../domain/limits.ts'
import { type MissionOutcome, missionOutcomeSchema } from '../domain/mission.ts'
import { sanitizeText } from '../domain/text.ts'

export type OutcomeVerdict =
  | { readonly ok: true; readonly outcome: MissionOutcome }
  /** In a sentence. */
  | { readonly ok: false; readonly reason: string }

/**
 * The account that a firing ends with: one JSON object, the whole answer or its last block of json with nothing behind it. What
 * is said in prose proves nothing, “mission complete” least of all. Source: engine-behaviour 15.9.
 */
export function outcomeOf(answer: string): OutcomeVerdict {
  const text = sanitizeText(answer).trim()
  const json = text.startsWith('{') ? text : lastBlock(text)
  if (json === null) return { ok: false, reason: 'its answer has no account at its end' }
  const parsed = missionOutcomeSchema.safeParse(parsedJson(json))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const place = issue?.path.map(String).join('.') ?? ''
    return { ok: false, reason: `its account cannot be read${place === '' ? '' : ` at ${place}`}` }
  }
  const { done, nextFocus, goalReached, evidence } = parsed.data
  if (goalReached && evidence.length === 0)
    return { ok: false, reason: 'it says that the goal is reached and shows nothing for it' }
  const tooLong = [done, nextFocus ?? '', ...evidence].some((each) => each.length > limits.outcomeCharacters)
  if (tooLong || evidence.length > limits.outcomeEvidence)
    return { ok: false, reason: 'its account is longer than it may be' }
  return { ok: true, outcome: { done, nextFocus: nextFocus === '' ? null : nextFocus, goalReached, evidence } }
}

function lastBlock(text: string): string | null {
  if (!text.endsWith('```')) return null
  const open = text.lastIndexOf('```json')
  if (open < 0 || (open > 0 && text[open - 1] !== '\n')) return null
  return text.slice(open + '```json'.length, -'```'.length)
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
