import type { InsightTopic } from '../domain/learnt.ts'
import { limits } from '../domain/limits.ts'
import { mergeKeyOf } from './merge-key.ts'
import { ownParagraphs } from './own-words.ts'

/** What a person said for all time, in their own words. */
export interface Statement {
  readonly topic: InsightTopic
  readonly text: string
}

/**
 * Sentences of a message that say how somebody wants to be worked with, read without a model: only what is said outright, for good,
 * and of no single task. A correction of a task is none. Pure. Source: seed E, Learning Missions; engine-behaviour 6.8.
 */
export function statementsIn(message: string): readonly Statement[] {
  return sentencesOf(message).flatMap((text) => {
    if (text.length > limits.insightCharacters || isOfThisTask.test(text) || isPersonal(text)) return []
    const topic = topicOf(text)
    return topic === null ? [] : [{ topic, text }]
  })
}

/** A message says just that, outright and for good. Pure. */
export function isSaidOutright(message: string, text: string): boolean {
  const key = mergeKeyOf('insight', text)
  return statementsIn(message).some((statement) => mergeKeyOf('insight', statement.text) === key)
}

function sentencesOf(message: string): readonly string[] {
  const sentences = ownParagraphs(message)
    .flatMap((paragraph) => paragraph.split(/\n+|(?<=[.!?])\s+(?=\p{Lu})/u))
    .map((sentence) => sentence.replace(/^\s*(?:[-*]|\d+[.)])\s+/, '').trim())
  // What follows is somebody's text, not their wish.
  const introduced = sentences.findIndex((sentence) => introducesText.test(sentence))
  const own = introduced === -1 ? sentences : sentences.slice(0, introduced)
  return own.filter((sentence) => sentence.length >= 12 && !/[?:]$/.test(sentence))
}

const introducesText =
  /\b(?:the following|as follows|below|pasted?|forward(?:ed|ing)|quot(?:e|ed|ing)|here(?: is|'s|’s| are) (?:the|a|an|my|what|some)|this (?:text|mail|e-?mail|letter|message|article|paragraph|page|post|log))\b/i

const isOfThisTask =
  /\b(?:this time|just now|for now|right now|today|tonight|tomorrow|in this (?:chat|thread|task|case|file|message)|here only|only here|only once|these|those)\b/i
/** One of the things that a task is about. */
const isOneOfThem = /\b(?:this|the (?:first|second|third|fourth|last|next|other|previous|same))\b/i

/** Addresses and numbers of people: nothing to be kept. */
function isPersonal(text: string): boolean {
  const undated = text.replace(/\b\d{4}-\d{2}-\d{2}\b/g, '')
  return /[\w.+-]+@[\w-]+\.\w+|\+?\d[\d ()/-]{7,}\d/.test(undated)
}

function topicOf(text: string): InsightTopic | null {
  const corrected = correction.exec(text)?.[1]
  if (corrected !== undefined) return isForGood(corrected) ? 'correction' : null
  if (isWorkflow(text)) return 'workflow'
  if (forGood.test(text) || isWish(text)) return 'preference'
  return /^(?:please\s+)?(?:remember|keep in mind|for your information|fyi)\b[,:]?\s+(?:that\s+)?\S+/i.test(text)
    ? 'knowledge'
    : null
}

const correction =
  /^(?:(?:no|nope|wrong|that(?:'|’)?s (?:wrong|not right|incorrect))\b[,:;.!]*|I (?:already )?(?:said|told you)\b[,:]?(?: that| to)?)\s+(.*)$/i

const forGood =
  /^(?:please\s+)?(?:always|never(?! mind\b)|do ?n[o'’]t ever|from now on|in (?:the )?future|by default)\b/i

function isForGood(text: string): boolean {
  return forGood.test(text) || isWorkflow(text)
}

/** Each time anew; “before you answer, first read it” is of one task. */
function isWorkflow(text: string): boolean {
  return (
    /^(?:whenever|every time|each time)\b.+\b(?:always|never|first|then|make sure)\b/i.test(text) ||
    /^(?:when|before|after)\b.+\b(?:always|never)\b/i.test(text)
  )
}

function isWish(text: string): boolean {
  const wish =
    /^(?:please\s+)?I(?:['’]d| would)?\s+(?:\w+ly\s+)?(?:prefer|rather|want you to always|like you to always)\b/i
  return wish.test(text) && !isOneOfThem.test(text)
}
