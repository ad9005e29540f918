import { paragraphs } from '../answer.ts'
import type { Candidate, PlanContext } from '../intent.ts'
import { type Answer, answered, declined, type Plan } from '../plan.ts'

const boundary =
  /(?:,?\s+(?:and|plus)(?:\s+(?:then|also))?\s+|[?.;!]+\s+(?:and\s+)?|,\s+(?:then\s+)?)(?=(?:please\s+)?(?:what|which|who|how|when|where|show|list|give|tell|count|find|sum|summari[sz]e|calculate|compare|sort|read|display|print)\b)/i
const quotes = /(`[^`]*`|"[^"]*")/
const backward = /\b(it|its|that file|this file|the file|them|they|their|those)\b/i

/** The parts of a request that asks for more than one thing; one part when it does not. */
export function partsOf(said: string): readonly string[] {
  // Quoted text keeps its "and": it is hidden while the request is split.
  const hidden: string[] = []
  const bare = said
    .split(quotes)
    .map((piece, at) => (at % 2 === 1 ? `\uE003${hidden.push(piece) - 1}\uE003` : piece))
    .join('')
  return withPlaces(bare.split(boundary))
    .map((part) => part.replace(/\uE003(\d+)\uE003/g, (_, at: string) => hidden[Number(at)] ?? '').trim())
    .filter((part) => part !== '')
}

// "In sales.csv, how many rows": the place alone asks for nothing.
const placeAlone =
  /^(?:in|inside|within|from|for|of|using|according to|looking at|given)\s+(?:(?!\b(?:how|what|which|who|list|show|count|find)\b)[^,?!;])+$/i

function withPlaces(parts: readonly string[]): readonly string[] {
  const [first = '', second, ...rest] = parts
  if (second === undefined || !placeAlone.test(first.trim())) return parts
  return [`${first}, ${second}`, ...rest]
}

// "..., and how many of each?": counts what the first part names.
const countOfEach = /^how many(?: \w+)?(?: are)?(?: there)? (?:of|in|per|for) each(?: \w+)?$/i

// "Sort them and show only three", "open it and show what it says": still the same request.
const continuation = /^(?:please\s+)?(?:then\s+)?(?:show|list|display|give|print|read)\b/i

/** True when the later parts only say how to show what the first part asks for. */
export function isOneRequest(parts: readonly string[]): boolean {
  const [first = '', ...rest] = parts
  const names = /\.[A-Za-z]\w{0,9}\b/
  return rest.every(
    (part) =>
      countOfEach.test(part.replace(/[?.!]+$/, '')) ||
      (continuation.test(part) && !names.test(part) && (!backward.test(part) || names.test(first))),
  )
}

/** Understands one part; the families are given in, because a part may be of any of them. */
type Understand = (part: string) => readonly Candidate[]

/** Answers part by part. "It" in a later part is the file that the part before it found; without one the whole is declined. */
export function compoundCandidate(parts: readonly string[], understand: Understand): Candidate {
  return {
    intent: 'compound',
    score: 0.88,
    slots: { parts: [...parts] },
    plan: (context) => plan(parts, understand, context),
  }
}

function* plan(parts: readonly string[], understand: Understand, context: PlanContext): Plan<Answer> {
  const texts: string[] = []
  let subject: string | undefined
  for (const part of parts) {
    const isElliptic = texts.length > 0 && measureAlone.test(part.replace(/[?.!]+$/, ''))
    if (isElliptic && subject === undefined) return declined(`It is not clear which file "${part}" is about.`)
    const isBackward = texts.length > 0 && backward.test(part)
    if (isBackward && subject === undefined)
      return declined(`It is not clear what "${backward.exec(part)?.[0]}" means in "${part}".`)
    const whole = isElliptic
      ? `${part.replace(/[?.!]+$/, '')} are in ${nameOf(subject ?? '')}`
      : isBackward
        ? withSubject(part, subject ?? '')
        : part
    const answer = yield* bestAnswer(understand(whole), context)
    if (answer === undefined) return declined(`It does not understand "${part}".`)
    if (answer.kind === 'declined') return answer
    subject = answer.subject ?? subject
    texts.push(answer.text)
  }
  return answered(paragraphs(...texts))
}

/** "..., and how many lines?": of what the part before was about. */
const measureAlone = /^(?:and )?how many (?:lines|words|characters|rows|columns)(?: and (?:lines|words|characters))?$/i

const nameOf = (subject: string): string => (subject.includes(' files') ? subject : `\`${subject}\``)

/** "How many lines does it have" and "what is their total size", with the thing itself in its place. */
function withSubject(part: string, subject: string): string {
  const name = nameOf(subject)
  const owned = /\b(?:its|their)\s+([^?.!]+)/i.exec(part)
  return owned ? part.replace(owned[0], `the ${owned[1]} of ${name}`) : part.replace(backward, name)
}

/** "Summarise it" as it will read once there is a file for "it". */
export function withAnySubject(part: string): string {
  return backward.test(part) ? withSubject(part, 'any.txt') : part
}

function* bestAnswer(candidates: readonly Candidate[], context: PlanContext): Plan<Answer | undefined> {
  let first: Answer | undefined
  for (const candidate of candidates.slice(0, 4)) {
    const answer = yield* candidate.plan(context)
    if (answer.kind === 'answered') return answer
    first = first?.kind === 'weak' ? first : answer.kind === 'weak' ? answer : (first ?? answer)
  }
  return first
}
