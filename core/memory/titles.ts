import { AppError } from '../domain/error.ts'
import { limits } from '../domain/limits.ts'
import { sanitizeText } from '../domain/text.ts'

/** Names of the engine's own parts, also written as the paths of files. */
const reserved = [
  /^(?:orchestrator|prompt)\s*[:_]/,
  /(?:^|\/)(?:\.system\/)?engine\/orchestrator(?:\/|$)/,
  /(?:^|\/)\.system\//,
]

/**
 * A title as it is stored: one line, safe to show.
 * @throws AppError policy.denied for a name of the engine's own, action.too_large, action.args where nothing is left.
 */
export function titleOf(text: string): string {
  const title = sanitizeText(text).replace(/\s+/g, ' ').trim()
  if (title === '') {
    throw new AppError('action.args', {
      message: 'the title is empty',
      userMessage: 'A note needs a title. Nothing was written.',
    })
  }
  if (title.length > limits.memoryTitleCharacters) {
    throw new AppError('action.too_large', {
      message: `a title of ${title.length} characters is over ${limits.memoryTitleCharacters}`,
      userMessage: `A title holds at most ${limits.memoryTitleCharacters} characters. Nothing was written; choose a shorter one.`,
    })
  }
  if (isReserved(title)) {
    throw new AppError('policy.denied', {
      message: `the title "${title}" is the engine's own`,
      userMessage: `"${title}" is a name of the engine's own parts; nothing was written. Choose another title.`,
    })
  }
  return title
}

function isReserved(title: string): boolean {
  // Wide and accented look-alikes, and what `sanitizeText` made of hidden characters, must not hide the name.
  const bare = title
    .normalize('NFKD')
    .replace(/\p{M}|⟦U\+[0-9A-F]+⟧|[\u200c\u200d]/gu, '')
    .toLowerCase()
  const path = bare
    .replace(/\\/g, '/')
    .replace(/\/(?:\.?\/)+/g, '/')
    .trim()
  return reserved.some((pattern) => pattern.test(path))
}
