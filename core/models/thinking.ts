/** Text that is shown, or thinking that has a block of its own. */
export type TextKind = 'text' | 'reasoning'

export interface ThinkSplitter {
  readonly push: (text: string) => void
  /** The stream has ended: what was held back as a possible tag is text after all. */
  readonly flush: () => void
}

const tags: Readonly<Record<string, string>> = { '<think>': '</think>', '[THINK]': '[/THINK]' }
const openings = Object.keys(tags)

/**
 * Separates thinking in tags from the answer, one character at a time, so that the cuts of the network make no difference.
 * A piece that may still become a tag is held back, never shown. In the answer, a tag inside Markdown code is text; in the
 * thinking, a closing tag between backticks is a mention of it and not the end.
 */
export function createThinkSplitter(emit: (kind: TextKind, text: string) => void): ThinkSplitter {
  const code = createCodeTracker()
  let kind: TextKind = 'text'
  let closing = ''
  let held = ''
  let out = ''
  let previous = ''
  let hasText = false
  let hasThought = false

  const release = () => {
    if (out !== '') emit(kind, out)
    out = ''
  }
  const keep = (character: string) => {
    previous = character
    if (kind === 'text') {
      code.see(character)
      const isBlank = character.trim() === ''
      // The blank lines between the end of the thinking and the answer belong to neither.
      if (isBlank && hasThought && !hasText) return
      hasText ||= !isBlank
    }
    out += character
  }
  const keepHeld = () => {
    const text = held
    held = ''
    for (const character of text) keep(character)
  }
  const cross = (to: TextKind, closingTag: string) => {
    release()
    kind = to
    closing = closingTag
    held = ''
    previous = ''
    hasThought = true
  }
  const mayBeTag = (candidate: string): boolean =>
    kind === 'reasoning'
      ? closing.startsWith(candidate)
      : openings.some((tag) => tag.startsWith(candidate)) && !code.isInCode()

  const see = (character: string) => {
    if (kind === 'reasoning' && held === closing) {
      // A whole closing tag after a backtick: this character tells a mention from the end.
      if (character === '`') keepHeld()
      else cross('text', '')
    }
    if (!mayBeTag(held + character)) {
      keepHeld()
      if (mayBeTag(character)) held = character
      else keep(character)
      return
    }
    held += character
    if (kind === 'text') {
      const closingTag = tags[held]
      if (closingTag !== undefined) cross('reasoning', closingTag)
    } else if (held === closing && previous !== '`') cross('text', '')
  }

  return {
    push(text) {
      for (const character of text) see(character)
      release()
    },
    flush() {
      if (kind === 'reasoning' && held === closing) held = ''
      keepHeld()
      release()
    },
  }
}

/** Follows Markdown code: a run of n backticks opens it, the next run of n closes it; a short span ends with its line. */
function createCodeTracker() {
  let opened = 0
  let run = 0
  return {
    see(character: string) {
      if (character === '`') {
        run += 1
        return
      }
      if (run > 0) opened = opened === 0 ? run : opened === run ? 0 : opened
      run = 0
      if (character === '\n' && opened < 3) opened = 0
    },
    /** Whether a character other than a backtick would stand in code if it came next. */
    isInCode: (): boolean => (run === 0 ? opened !== 0 : opened !== run),
  }
}
