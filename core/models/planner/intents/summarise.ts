import { amount, code, paragraphs, quote } from '../answer.ts'
import { extensionOf, loadCatalogue } from '../files/catalogue.ts'
import { chooseOne } from '../files/choose.ts'
import { describeFile } from '../files/describe.ts'
import { keySentences } from '../files/extract.ts'
import { glimpseAll, glimpseText } from '../files/glimpse.ts'
import { headingOf, prose, sentencesOf } from '../files/prose.ts'
import { targetOf, unknownNames } from '../files/target.ts'
import type { IntentFamily } from '../intent.ts'
import { has, leftOver, unitsOf } from '../language/grammar.ts'
import type { Reading } from '../language/reading.ts'
import { type Answer, answered, declined, type Plan } from '../plan.ts'
import { fileFacts, readFile, table } from '../results.ts'
import { rowsText } from '../tables/show.ts'
import { scopeSlots } from './files-list.ts'

const sentencesShown = 5
const filesDescribed = 60

/** "Summarise the meeting notes", "what is report.md about?", "key points of every file in docs". */
export const summarise: IntentFamily = {
  name: 'summarise',
  read(reading) {
    const isNamed = reading.units.some((u) => ['open', 'path', 'quoted', 'fileKind'].includes(u.kind))
    if (!has(reading, 'summarise', 'about', 'overview') || !isNamed) return []
    const concepts = [
      'summarise',
      'about',
      'overview',
      'show',
      'which',
      'file',
      'folder',
      'each',
      'and',
      'find',
      'contain',
      'line',
      'word',
      'list',
      'first',
      'top',
      'with',
      'sum',
    ] as const
    if (leftOver(reading, { concepts, kinds: ['open', 'path', 'quoted', 'fileKind', 'number'] }).length > 0) return []
    const sentences = Number(unitsOf(reading, 'number')[0]?.value ?? sentencesShown)
    const slots = { sentences, ...scopeSlots(reading) }
    return [
      {
        intent: 'summarise',
        score: has(reading, 'summarise', 'about') ? 0.8 : 0.55,
        slots,
        plan: () => plan(reading, sentences),
      },
    ]
  },
}

const sentenceWords = new Set(['sentence', 'point', 'bullet', 'paragraph'])

function* plan(reading: Reading, sentences: number): Plan<Answer> {
  const catalogue = yield* loadCatalogue()
  const target = targetOf(reading, catalogue)
  const unknown = target.unknown.filter((u) => !sentenceWords.has(u.tokens[0]?.lemma ?? ''))
  if (unknown.length > 0) return unknownNames(unknown)
  const files = target.mentions.filter((m) => m.files.length > 0 && m.folders.length === 0)
  const folder = target.mentions.flatMap((m) => m.folders)[0]
  if (files.length === 0) {
    const kinds = unitsOf(reading, 'fileKind').flatMap((u) => u.extensions)
    const prefix = folder ? `${folder.path}/` : ''
    if (!folder && kinds.length === 0) return declined('It is not clear which file is meant.')
    const wanted = catalogue.files.filter(
      (f) => f.path.startsWith(prefix) && (kinds.length === 0 || kinds.includes(extensionOf(f.path))),
    )
    const glimpses = yield* glimpseAll(wanted.slice(0, filesDescribed).map((f) => f.path))
    if (glimpses.length === 0) return declined('There are no such files here.')
    return answered(
      paragraphs('What each file says about itself (its own words, not a rewriting):', glimpseText(glimpses)),
    )
  }
  const texts: string[] = []
  for (const mention of files) {
    const choice = chooseOne(mention.files, ['.md', '.txt'])
    if (choice && 'question' in choice) return answered(choice.question)
    if (!choice) continue
    const text = yield* summaryText(choice.file.path, sentences)
    if (text === undefined) return declined(`${code(choice.file.path)} holds no text to summarise.`)
    texts.push(text)
  }
  return answered(paragraphs(...texts))
}

/** Undefined for a file without text. */
function* summaryText(path: string, wanted: number): Plan<string | undefined> {
  if (/^\.(csv|tsv|jsonl|ndjson)$/.test(extensionOf(path))) return rowsText(yield* table.one({ path, limit: 5 }), path)
  const facts = yield* fileFacts.one({ paths: [path], hash: false })
  const fact = facts.files[0]
  if (!fact || fact.type === 'binary') return undefined
  if (fact.bytes === 0) return `${code(path)} is ${describeFile({ fact })}.`
  const reading = yield* readFile.one({ path })
  const sentences = sentencesOf(prose(path, reading.text))
  const chosen = keySentences(sentences, wanted)
  const [glimpse] = chosen.length === 0 ? yield* glimpseAll([path]) : []
  if (glimpse) return `${code(path)} holds no sentences to choose from. It is ${describeFile(glimpse)}.`
  const heading = headingOf(path, reading.text)
  const head = `Summary of ${code(path)}${heading ? ` (${quote(heading)})` : ''}, ${amount(chosen.length, 'sentence')} taken word for word from its ${amount(reading.totalLines, 'line')}:`
  const cut = !reading.complete && `Only lines ${reading.fromLine} to ${reading.toLine} were looked at.`
  return paragraphs(head, chosen.map((s) => `- ${quote(s.text, 400)}`).join('\n'), cut)
}
