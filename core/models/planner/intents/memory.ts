import { amount, paragraphs, quote } from '../answer.ts'
import type { IntentFamily } from '../intent.ts'
import { has, leftOver, unitsOf } from '../language/grammar.ts'
import type { Reading } from '../language/reading.ts'
import { type Answer, answered, declined, type Plan, weakly } from '../plan.ts'
import { memoryRead, memorySearch, memoryWrite } from '../results.ts'

const notesShown = 10
// Every note of the planner has this word in its title, so that a search for it finds them all.
const titlePrefix = 'Note: '
const titleCharacters = 110

const courtesy =
  /^(?:(?:please|pls|hey|hi|hello|ok|okay|also|and|now)[\s,]+)*(?:(?:can|could|would|will) you (?:please )?)?(?:please )?(?:i (?:want|need|would like) you to )?/i
const writing =
  /^(?:remember|memori[sz]e|make a (?:short |quick )?note|take a (?:short |quick )?note|take note|note down|note|keep in mind|keep a note|bear in mind|do not forget|don't forget|never forget|write down|jot down|store (?:this|the following|the fact|that)|save (?:this|the following|the fact|a note|that)|add a note|for the record|put (?:this )?on record)\b(?:\s*(?:for me|for later|of this|of the fact|this|the following|the fact))*\s*[:,-]?\s*(?:that\b\s*[:,]?\s*)?/i

/** The fact that a request asks to keep; undefined when it asks for something else. */
function factIn(said: string): string | undefined {
  const text = said.trim().replace(courtesy, '')
  const match = writing.exec(text)
  if (!match) return undefined
  const fact = text
    .slice(match[0].length)
    .trim()
    .replace(/^["'`](.+)["'`]$/s, '$1')
  const isQuestion = /^(what|when|who|where|which|why|how|if|whether|me\b)/i.test(fact) || /\?\s*$/.test(fact)
  return fact.length < 2 || isQuestion || (/^(?:the|a|my) (?:file|csv|table)\b/i.test(fact) && /\bto\b/.test(fact))
    ? undefined
    : fact
}

/** "Remember that our release day is Thursday", "note: the code is 42". */
export const remember: IntentFamily = {
  name: 'remember',
  read(reading) {
    const fact = factIn(reading.text)
    if (fact === undefined) return []
    return [{ intent: 'remember', score: 0.99, slots: { fact }, plan: () => writePlan(fact) }]
  },
}

function* writePlan(fact: string): Plan<Answer> {
  const title = `${titlePrefix}${fact.replace(/\s+/g, ' ').slice(0, titleCharacters)}`
  const note = yield* memoryWrite.one({ title, content: fact, tags: ['note'] })
  const again = note.version > 1 ? ` It was known before; this is version ${note.version}.` : ''
  return answered(`Noted for this project: ${quote(fact, 500)}.${again}`)
}

const asking =
  /\b(?:what (?:did|have|had) (?:i|we) (?:tell|told|say|said|ask|asked|mention|mentioned|note|noted|write|written|give|given|save|saved)(?: (?:to )?you)?(?: to (?:remember|note|keep|save))?|what do you (?:remember|recall|know)|what (?:have|did) you (?:remember|remembered|noted?|saved?|stored?)|do you (?:still )?(?:remember|recall)|can you (?:remember|recall)|(?:did|have) (?:i|we) (?:ever )?(?:tell|told|mention|mentioned|say|said|note|noted)(?: you)?|recall|remind me (?:of|about|what|when|who|where|which)|(?:show|list|read|give)(?: me)?(?: all)?(?: of)? (?:my|our|the|your) (?:saved |stored )?(?:notes?|memor(?:y|ies))|(?:my|your|our) (?:saved |stored )?(?:notes|memory|memories)|what notes|anything (?:you remember|in memory)|search (?:my|your|the) (?:notes|memory))\b/i

const soft = new Set(
  'note notes memory memories tell told say said remember recall know again regarding concerning thing things fact facts earlier before today yesterday last time saved stored stand was is are our my the about of to you we i what when who where which did do have with on for in so far everything anything all list show me give read search and it be that'.split(
    ' ',
  ),
)

/** "What did I tell you about the release day?", "what do you remember?" */
export const recall: IntentFamily = {
  name: 'recall',
  read(reading) {
    const match = asking.exec(reading.text)
    if (match) {
      const topic = topicOf(reading.text.slice(match.index + match[0].length))
      const isKnowledge =
        /what do you know/i.test(match[0]) &&
        topic !== '' &&
        !/\b(my|our|i|we)\b/i.test(reading.text.slice(match.index + match[0].length))
      return [
        {
          intent: 'recall',
          score: isKnowledge ? 0.5 : 0.98,
          slots: { topic },
          plan: () => recallPlan(topic, isKnowledge),
        },
      ]
    }
    return ownFact(reading)
  },
}

function topicOf(text: string): string {
  const words = text.match(/[\p{L}\p{N}'-]+/gu) ?? []
  return words.filter((w) => !soft.has(w.toLowerCase())).join(' ')
}

/** "When is our release day?": something that only the user can have said; asked last, when no file has it. */
function ownFact(reading: Reading) {
  const isOwn =
    /^(?:so |and |ok |hey |please )*(?:(?:what|when|who|where|which)(?: day| time| one)?(?: is| are| was|'s)?|tell me|do you know)\b.*\b(?:my|our)\b/i.test(
      reading.text,
    )
  if (!isOwn || unitsOf(reading, 'path').length > 0 || has(reading, 'count', 'sum', 'average', 'file', 'folder'))
    return []
  const topic = topicOf(reading.text)
  const isPlain =
    leftOver(reading, {
      concepts: ['which', 'who', 'when', 'where', 'name', 'time', 'type', 'value', 'show', 'newest'],
      kinds: ['open', 'quoted', 'number', 'date'],
    }).length === 0
  return topic === '' || !isPlain
    ? []
    : [{ intent: 'recall', score: 0.3, slots: { topic }, plan: () => recallPlan(topic, true) }]
}

function* recallPlan(topic: string, needsAll: boolean): Plan<Answer> {
  const found = yield* memorySearch.one({ query: topic === '' ? titlePrefix : topic, limit: notesShown })
  if (found.hits.length === 0 && topic === '') return answered('There are no notes in this project yet.')
  const notes = yield* memoryRead.all(found.hits.map((hit) => ({ id: hit.id })))
  const texts = found.hits.map((hit, at) => {
    const note = notes[at]
    return note?.ok ? note.value.content : hit.snippet
  })
  const words = topic.toLowerCase().split(/\s+/)
  const fitting = needsAll
    ? texts.filter((text) =>
        words.every((word) => text.toLowerCase().includes(word.slice(0, Math.max(4, word.length - 1)))),
      )
    : texts
  if (fitting.length === 0)
    return needsAll
      ? declined(`No file and no note says anything about "${topic}".`)
      : weakly(`There is no note about "${topic}" in this project.`)
  const head = topic === '' ? `${amount(found.total, 'note')} in this project:` : `Notes that fit "${topic}":`
  const rest = found.total > found.hits.length && `Shown are the best ${found.hits.length} of ${found.total}.`
  return answered(paragraphs(head, fitting.map((text) => `- ${quote(text, 1_000)}`).join('\n'), rest))
}
