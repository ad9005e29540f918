import type { Sentence } from './prose.ts'

const stopWords = new Set(
  'the a an and or but of to in on at for with by from as is are was were be been it its this that these those we you they he she i our your their not no can will would should has have had do does did if then than so which who what when where how all any each more most other some such only own same too very just also into over under out up down about after before between'.split(
    ' ',
  ),
)

const wordsIn = (text: string): readonly string[] =>
  (text.toLowerCase().match(/\p{L}[\p{L}'-]{2,}/gu) ?? []).filter((word) => !stopWords.has(word))

/**
 * The sentences that hold most of a text's frequent words, in the order in which they stand. Sentences early in the text
 * and of middling length count a little more. Nothing is written anew.
 */
export function keySentences(sentences: readonly Sentence[], wanted: number): readonly Sentence[] {
  const frequency = new Map<string, number>()
  for (const { text } of sentences)
    for (const word of new Set(wordsIn(text))) frequency.set(word, (frequency.get(word) ?? 0) + 1)
  const weigh = ({ text, order }: Sentence): number => {
    const words = wordsIn(text)
    if (words.length === 0) return 0
    const sum = [...new Set(words)].reduce((total, word) => total + (frequency.get(word) ?? 0), 0)
    const length = words.length < 4 ? 0.6 : words.length > 40 ? 0.7 : 1
    return (sum / Math.sqrt(words.length)) * length * (order === 0 ? 1.6 : order < 3 ? 1.2 : 1)
  }
  return [...sentences]
    .map((sentence) => ({ sentence, weight: weigh(sentence) }))
    .sort((a, b) => b.weight - a.weight || a.sentence.order - b.sentence.order)
    .slice(0, wanted)
    .map(({ sentence }) => sentence)
    .sort((a, b) => a.order - b.order)
}
