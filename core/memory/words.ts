/** So common that they say nothing of what a text is about. */
export const emptyWords: ReadonlySet<string> = new Set(
  'a about after all also am an and any are as at be been before but by can could did do does for from get had has have how i if in into is it its just may me must my no not of on only or our out over remember say shall should so some than that the their them then there these they this to up us was we were what when where which while who whose why will with would you your'.split(
    ' ',
  ),
)

/** Words in lower case: letters and digits only. */
function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
}

/** Words without accents too, for comparing. */
export function foldedWords(text: string): readonly string[] {
  return wordsOf(text.normalize('NFKD').replace(/\p{M}/gu, '').replace(/ß/gi, 'ss'))
}

/** What a text asks about: each word once and as it is written, common ones only where there are no others. */
export function tellingWords(text: string): readonly string[] {
  const words = [...new Set(wordsOf(text))]
  const telling = words.filter((word) => !emptyWords.has(word))
  return telling.length > 0 ? telling : words
}

const mostWords = 8

/**
 * The words as alternatives, each quoted: nothing of a text is FTS5 syntax, which folds accents in its own way. Of more than eight the longest, which are seldom
 * the common ones. Undefined for a text without a word.
 */
export function matchOf(words: readonly string[]): string | undefined {
  const chosen = words.length <= mostWords ? words : words.toSorted((a, b) => b.length - a.length).slice(0, mostWords)
  return chosen.length === 0 ? undefined : chosen.map((word) => `"${word}"`).join(' OR ')
}

/** A word without what an inflection adds: rough, for comparing only. */
export function stemOf(word: string): string {
  return word.length <= 4 ? word : word.slice(0, Math.max(4, word.length - 3))
}
