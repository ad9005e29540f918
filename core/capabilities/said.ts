import { canonicalActionName } from '../domain/action.ts'
import type { JsonObject } from '../domain/json.ts'
import { leavesOf } from './leaves.ts'

/**
 * What people said in a conversation, and what they approved in a thread: the only text that can explain an argument. It is
 * looked up word by word, so that what is asked is what explains a word, never where else it might have come from.
 */
export interface Said {
  /** A word as `wordsOf` gives it. */
  has(word: string): boolean
  /** The text stands in what was said, word for word and sign for sign; only white space may differ. */
  quotes(text: string): boolean
  /** One of the verbs was said, and not with a "not" before it. */
  asksTo(verbs: readonly string[]): boolean
  /** A person approved a call of this action with exactly this text in this place. */
  approved(action: string, place: string, text: string): boolean
  /** A person approved just this; told again, it is known already. */
  approve(action: string, args: JsonObject): void
}

export interface SaidBook extends Said {
  say(text: string): void
  /** Words that a person answers for without having said them: they explain arguments, and ask for nothing. */
  know(text: string): void
}

export function createSaid(): SaidBook {
  const words = new Set<string>()
  const texts: string[] = []
  const asked = new Set<string>()
  const approved = new Set<string>()
  return {
    say(text) {
      const plain = normal(text)
      texts.push(` ${plain} `)
      for (const sentence of plain.split(/[.!?;](?:\s|$)/)) {
        const spoken = wordsOf(sentence)
        for (const [at, word] of spoken.entries()) {
          words.add(word)
          if (!spoken.slice(Math.max(0, at - 3), at).some((before) => negations.has(before))) asked.add(word)
        }
      }
    },
    know(text) {
      for (const word of wordsOf(text)) words.add(word)
    },
    approve(action, args) {
      for (const { place, text } of leavesOf(args)) approved.add(keyOf(action, place, text))
    },
    has(word) {
      if (words.has(word)) return true
      return unspaced.test(word) && texts.some((text) => text.includes(word))
    },
    quotes(text) {
      const wanted = normal(text)
      return wanted !== '' && texts.some((each) => standsIn(each, wanted))
    },
    asksTo: (verbs) => verbs.some((verb) => formsOf(verb).some((form) => asked.has(form))),
    approved: (action, place, text) => approved.has(keyOf(action, place, text)),
  }
}

/** Languages that write no spaces: a word of theirs is any stretch of what was said. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u
// "don't" is two words here.
const negations: ReadonlySet<string> = new Set(['not', 'never', 'no', 'without', 'don', 'dont', 'nothing'])

function normal(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
}

/** Every word of a text in lower case: letters, digits and what joins them in names, addresses and numbers. */
export function wordsOf(text: string): readonly string[] {
  const found = normal(text).match(/[\p{L}\p{M}\p{N}_.@:-]+/gu) ?? []
  return found.map((word) => word.replace(/^[.@:-]+|[.@:-]+$/g, '')).filter((word) => word !== '')
}

/** Not as a part of a longer word: `rm` does not stand in `format`. */
function standsIn(text: string, wanted: string): boolean {
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const [before, after] = [text[at - 1] ?? ' ', text[at + wanted.length] ?? ' ']
    if (!/[\p{L}\p{N}_/-]/u.test(before) && !/[\p{L}\p{N}_/-]/u.test(after)) return true
  }
  return false
}

/** `save`, `saves`, `saved`, `saving`; `put`, `putting`; `copy`, `copies`. */
function formsOf(verb: string): readonly string[] {
  const stem = verb.endsWith('e') ? verb.slice(0, -1) : verb
  const doubled = `${verb}${verb.at(-1) ?? ''}`
  const yForms = verb.endsWith('y') ? [`${verb.slice(0, -1)}ies`, `${verb.slice(0, -1)}ied`] : []
  return [verb, `${verb}s`, `${stem}es`, `${stem}ed`, `${stem}ing`, `${doubled}ing`, `${doubled}ed`, ...yForms]
}

function keyOf(action: string, place: string, text: string): string {
  return `${canonicalActionName(action)}\n${place}\n${text}`
}
