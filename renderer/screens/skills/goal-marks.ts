/** A piece of a goal; marked is what a word of the skill was found in. */
export interface GoalPart {
  readonly text: string
  readonly isMarked: boolean
}

/** Where a pattern of the skill was found: from a character to the one behind it. */
export type GoalSpan = readonly [from: number, to: number]

const endings = ['', 's', 'es', 'ed', 'ing']

/**
 * A goal with the words that bring a skill into it. The same rule as the choice: whole words, a single word also with an
 * ending, several words as they stand; upper and lower case are one. Source: RULES 16.
 */
export function goalParts(
  goal: string,
  words: readonly string[],
  spans: readonly GoalSpan[] = [],
): readonly GoalPart[] {
  const marked = new Uint8Array(goal.length)
  const text = goal.toLowerCase()
  // A length that changes with the case would shift all places behind it.
  if (text.length !== goal.length) return [{ text: goal, isMarked: false }]
  for (const word of words.map((each) => each.toLowerCase().trim())) {
    if (word === '') continue
    const forms = /\s/.test(word) ? [word] : endings.map((ending) => `${word}${ending}`)
    for (const form of forms) markAll(text, form, marked)
  }
  for (const [from, to] of spans) marked.fill(1, from, to)
  return partsOf(goal, marked)
}

function markAll(text: string, form: string, marked: Uint8Array): void {
  for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) {
    const end = at + form.length
    if (!isLetter(text[at - 1]) && !isLetter(text[end])) marked.fill(1, at, end)
  }
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character)
}

function partsOf(goal: string, marked: Uint8Array): readonly GoalPart[] {
  const parts: GoalPart[] = []
  let begin = 0
  for (let at = 1; at <= goal.length; at += 1) {
    if (at < goal.length && marked[at] === marked[begin]) continue
    parts.push({ text: goal.slice(begin, at), isMarked: marked[begin] === 1 })
    begin = at
  }
  return parts
}
