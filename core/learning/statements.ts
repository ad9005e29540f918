import type { InsightTopic } from '../domain/learnt.ts'
import { limits } from '../domain/limits.ts'

/** What a person said for all time, in their own words. */
export interface Statement {
  readonly topic: InsightTopic
  readonly text: string
}

/**
 * Sentences of a message that say how somebody wants to be worked with, read without a model: only what is said outright, for good,
 * and of no single task. Pure. Source: seed E, Learning Missions; engine-behaviour 6.8.
 */
export function statementsIn(message: string): readonly Statement[] {
  return sentencesOf(message).flatMap((text) => {
    if (text.length > limits.insightCharacters || isOfThisTask.test(text) || isPersonal(text)) return []
    const topic = topicOf(text)
    return topic === null ? [] : [{ topic, text }]
  })
}

/** What somebody quotes, or pastes as code, they do not say. */
function sentencesOf(message: string): readonly string[] {
  const own = message
    .replace(/```[\s\S]*?(?:```|$)/g, '\n')
    .split('\n')
    .filter((line) => !/^\s*>/.test(line))
    .join('\n')
  return own
    .split(/\n+|(?<=[.!?])\s+(?=\p{Lu})/u)
    .map((sentence) => sentence.replace(/^\s*(?:[-*]|\d+[.)])\s+/, '').trim())
    .filter((sentence) => sentence.length >= 12 && !sentence.endsWith('?'))
}

const isOfThisTask =
  /\b(?:this time|just now|for now|right now|today|tonight|tomorrow|in this (?:chat|thread|task|case|file|message)|here only|only here|only once)\b/i
/** Addresses and numbers of people: nothing to be kept. */
function isPersonal(text: string): boolean {
  const undated = text.replace(/\b\d{4}-\d{2}-\d{2}\b/g, '')
  return /[\w.+-]+@[\w-]+\.\w+|\+?\d[\d ()/-]{7,}\d/.test(undated)
}

function topicOf(text: string): InsightTopic | null {
  if (/^(?:no|nope|wrong)\b[,:.!]?\s+.*\b(?:should|must|is|are|means?|use|not)\b/i.test(text)) return 'correction'
  if (
    /\bthat(?:'|’)?s (?:wrong|not right|incorrect)\b|\bI (?:already )?(?:said|told you|meant|asked (?:you )?for)\b/i.test(
      text,
    )
  )
    return 'correction'
  if (/^(?:when(?:ever)?|every time|each time|before|after)\b.+\b(?:always|never|first|then|make sure)\b/i.test(text))
    return 'workflow'
  if (
    /^(?:please\s+)?(?:always|never(?! mind\b)|do ?n[o']t ever|from now on|in (?:the )?future|by default)\b/i.test(text)
  )
    return 'preference'
  if (
    /^(?:please\s+)?I(?:'d| would)?\s+(?:\w+ly\s+)?(?:prefer|rather|want you to always|like you to always)\b/i.test(
      text,
    )
  )
    return 'preference'
  if (/^(?:please\s+)?(?:remember|note|keep in mind|for your information|fyi)\b[,:]?\s+(?:that\s+)?\S+/i.test(text))
    return 'knowledge'
  return null
}
