import { isJsonObject, type Json } from '../../../domain/json.ts'
import { code, inWords, paragraphs, valueText } from '../answer.ts'
import { extensionOf, loadCatalogue } from '../files/catalogue.ts'
import { chooseOne } from '../files/choose.ts'
import { mentionsIn } from '../files/mentions.ts'
import type { IntentFamily } from '../intent.ts'
import { has, leftOver } from '../language/grammar.ts'
import { wordsOf } from '../language/lemma.ts'
import { isConcept, type Reading } from '../language/reading.ts'
import { type Answer, answered, declined, type Plan } from '../plan.ts'
import { json } from '../results.ts'
import { scopeSlots } from './files-list.ts'

/** "Which keys does config.json have?", "what is the version in package.json?" */
export const jsonFiles: IntentFamily = {
  name: 'json',
  read(reading) {
    const isNamed = reading.units.some(
      (u) => (u.kind === 'path' && /\.json$/i.test(u.text)) || (u.kind === 'fileKind' && u.label === 'JSON'),
    )
    const concepts = [
      'which',
      'show',
      'list',
      'key',
      'value',
      'column',
      'name',
      'count',
      'find',
      'contain',
      'file',
      'type',
      'size',
      'item',
      'with',
      'sum',
      'each',
      'define',
      'time',
      'line',
      'first',
      'last',
      'where',
      'who',
      'when',
      'and',
      'about',
      'level',
      'top',
      'folder',
    ] as const
    const isLookup =
      has(reading, 'key', 'column') ||
      reading.units.some((u) => u.kind === 'open' || u.kind === 'quoted' || isConcept(u, 'name', 'type', 'size'))
    if (!isLookup || leftOver(reading, { concepts, kinds: ['open', 'path', 'quoted', 'fileKind'] }).length > 0)
      return []
    const score = isNamed ? (has(reading, 'key') ? 0.86 : 0.62) : has(reading, 'key') ? 0.5 : 0.4
    return [
      {
        intent: 'json',
        score,
        slots: { keys: has(reading, 'key'), ...scopeSlots(reading) },
        plan: () => plan(reading),
      },
    ]
  },
}

function* plan(reading: Reading): Plan<Answer> {
  const catalogue = yield* loadCatalogue()
  const jsons = { ...catalogue, files: catalogue.files.filter((f) => extensionOf(f.path) === '.json'), folders: [] }
  const mentions = mentionsIn(reading, jsons).filter((m) => m.files.length > 0)
  const files =
    mentions.length > 0
      ? mentions.flatMap((m) => m.files)
      : reading.units.some((u) => u.kind === 'fileKind')
        ? jsons.files
        : []
  if (files.length === 0)
    return yield* anywhere(
      reading,
      jsons.files.map((f) => f.path),
    )
  const choice = chooseOne([...new Set(files)])
  if (!choice) return declined('There is no JSON file in this folder that fits.')
  if ('question' in choice) return answered(choice.question)
  const { path } = choice.file
  const open = reading.units.filter((unit, at) => {
    const isWord =
      unit.kind === 'open' || unit.kind === 'quoted' || isConcept(unit, 'name', 'type', 'size', 'time', 'value')
    return isWord && !mentions.some((m) => m.from <= at && at < m.to)
  })
  const words = open.filter((u) => !isConcept(u, 'value')).flatMap((u) => u.tokens.flatMap((t) => wordsOf(t.text)))
  if (words.length === 0) return yield* keysAnswer(path)
  const whole = yield* json.one({ op: 'get', path })
  const found = whole.value === undefined ? [] : placesOf(whole.value, words)
  if (found.length === 0)
    return declined(`${code(path)} has no key that fits ${inWords(open.map((u) => `"${u.text}"`))}.`)
  const values = yield* json.all(found.slice(0, 20).map((at) => ({ op: 'get', path, at })))
  const lines = values.map(
    (v, at) => `- ${code(found[at] ?? '')}: **${v.ok ? valueText(v.value.value).slice(0, 400) : v.message}**`,
  )
  return answered(paragraphs(`In ${code(path)}:`, lines.join('\n')))
}

const filesTried = 8

/** A key that no file was named for: looked up in every JSON file, taken where only one has it. */
function* anywhere(reading: Reading, paths: readonly string[]): Plan<Answer> {
  const words = reading.units
    .filter((u) => u.kind === 'open' || u.kind === 'quoted')
    .flatMap((u) => u.tokens.flatMap((t) => wordsOf(t.text)))
  const tried = paths.slice(0, filesTried)
  const wholes = words.length === 0 ? [] : yield* json.all(tried.map((path) => ({ op: 'get', path })))
  const found = wholes.flatMap((w, at) =>
    w.ok && w.value.value !== undefined
      ? placesOf(w.value.value, words).map((place) => ({ path: tried[at] ?? '', place }))
      : [],
  )
  const [only, other] = found
  if (!only || other) return declined('There is no JSON file in this folder that fits.')
  const { value } = yield* json.one({ op: 'get', path: only.path, at: only.place })
  return answered(`In ${code(only.path)}, ${code(only.place)} is **${valueText(value).slice(0, 400)}**.`)
}

function* keysAnswer(path: string): Plan<Answer> {
  const [keys] = yield* json.all([{ op: 'keys', path }])
  if (!keys?.ok) return declined(`${code(path)}: ${keys?.message ?? 'it could not be read'}`)
  const names = keys.value.keys ?? []
  const { length } = yield* json.one({ op: 'length', path })
  return answered(`${code(path)} has **${length}** keys at its top: ${inWords(names.map(code))}.`)
}

/** Where the keys stand whose name is these words; the last one may follow its parents ("tax settings"). */
function placesOf(value: Json, words: readonly string[], at = '', parents: readonly string[] = []): readonly string[] {
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const place = at === '' ? key : `${at}.${key}`
    const own = wordsOf(key)
    const all = [...parents, ...own]
    const isIt =
      own.join(' ') === words.join(' ') || (own.some((w) => words.includes(w)) && words.every((w) => all.includes(w)))
    const here = isIt && /^[\w-]+$/.test(key) ? [place] : []
    return [...here, ...(here.length > 0 ? [] : placesOf(inner, words, place, all))]
  })
}
