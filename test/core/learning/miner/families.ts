import type { Episode } from '../../../../core/learning/miner/episode.ts'
import {
  type Asked,
  busy,
  calculated,
  createRecorder,
  failed,
  got,
  listFiles,
  type Random,
  type Recorder,
  randomFrom,
  readFile,
  searchFiles,
  sent,
  wrote,
} from './recorder.ts'

/** Threads that do the same work on other values. */
export interface Family {
  readonly name: string
  /** What it was learnt from, in order. */
  readonly threads: readonly Episode[]
  /** More of the same that the miner does not see. */
  readonly fresh: readonly Episode[]
  /** By thread id: what its goal names. */
  readonly named: ReadonlyMap<string, readonly string[]>
}

interface Words {
  readonly thing: string
  readonly things: string
  readonly place: string
}

/** One thread: what happens in it, in terms of what its goal names. */
interface Telling {
  readonly goal: string
  readonly answer: string
  readonly named: readonly string[]
}
interface Scene {
  readonly random: Random
  readonly words: Words
  readonly at: number
  /** Decided once for the family. */
  readonly has: { readonly doc: boolean; readonly look: boolean; readonly isParallel: boolean }
  step(...calls: readonly Asked[]): void
}
type Kind = (scene: Scene) => Telling

const subjects = [
  ...[
    'ticket',
    'parcel',
    'lease',
    'invoice',
    'booking',
    'claim',
    'asset',
    'member',
    'shipment',
    'contract',
    'voucher',
    'permit',
  ],
  ...[
    'device',
    'licence',
    'recipe',
    'survey',
    'ledger',
    'quote',
    'route',
    'session',
    'badge',
    'grant',
    'module',
    'sensor',
    'vessel',
  ],
  ...[
    'tenant',
    'donor',
    'policy',
    'pension',
    'payslip',
    'meter',
    'pump',
    'locker',
    'garden',
    'kiosk',
    'ballot',
    'dossier',
  ],
  ...['exhibit', 'harvest', 'antenna'],
]
const people = ['nora', 'emil', 'lena', 'gus', 'hana', 'kofi', 'tara', 'ivo', 'dana', 'quinn', 'olga', 'jara'] as const
const towns = [
  'graz',
  'turku',
  'porto',
  'lyon',
  'gdansk',
  'cork',
  'malmo',
  'basel',
  'parma',
  'split',
  'vigo',
  'tartu',
] as const
const host = 'https://api.example.com'

const id = (scene: Scene) =>
  `${scene.words.thing.charAt(0).toUpperCase()}-${4_000 + scene.at * 37 + scene.random.below(30)}`
const town = ({ at, random }: Scene) => towns[(at * 5 + random.below(3)) % towns.length] ?? 'graz'
const person = ({ at, random }: Scene) => people[(at * 3 + random.below(2)) % people.length] ?? 'nora'
const amount = ({ random }: Scene) => 10 + random.below(90_000) / 100
const month = ({ at }: Scene) => `2026-${String(1 + (at % 12)).padStart(2, '0')}`

function readDoc({ has, words, step }: Scene): void {
  if (has.doc)
    step(
      readFile('API.md', `# The ${words.things} service\nBase: ${host}/${words.things}\nSend one request at a time.\n`),
    )
}

/** Three actions: read the rules, look at one thing, change it. */
const changeOne: Kind = (scene) => {
  const { words, step } = scene
  const [key, total] = [id(scene), amount(scene)]
  step(readFile('RULES.md', `Rules for every ${words.thing}:\nonly when open and paid, with the full total.\n`))
  step(
    got(`${host}/${words.things}/${key}`, {}, { id: key, state: 'open', payment: 'card', total, owner: person(scene) }),
  )
  step(sent('POST', `${host}/${words.place}`, { [`${words.thing}_id`]: key, amount: total }, { id: `x${scene.at}` }))
  const goal = scene.random.of([
    `Settle ${words.thing} ${key} at the ${words.place} office.`,
    `The ${words.thing} ${key} has to be settled, ${words.place} rules apply.`,
    `Please settle the ${words.place} of ${words.thing} ${key}.`,
  ])
  return { goal, answer: `Settled ${total} for ${key}.`, named: [key] }
}

/** Data flow only: an id out of one answer goes into the next requests. */
const valuation: Kind = (scene) => {
  const { words, random, at, step } = scene
  readDoc(scene)
  const [name, site, code] = [person(scene), town(scene), `k${at}${random.below(900)}z`]
  const [quantity, price] = [2 + random.below(60), amount(scene)]
  step(got(`${host}/${words.things}`, { name }, { found: [{ code, name, kind: words.thing }] }))
  step(got(`${host}/${words.things}/${code}/${words.place}`, { site }, { rows: [{ code, site, quantity }] }))
  step(got(`${host}/prices/${code}`, {}, { price, currency: 'EUR' }))
  const value = Math.round(quantity * price * 100) / 100
  step(calculated(`${quantity} * ${price}`, value))
  const goal = random.of([
    `What is the ${words.thing} of ${name} in ${site} worth, by ${words.place}?`,
    `Value the ${words.thing} that ${name} has in ${site} (${words.place}).`,
    `For the books: ${words.place} value of the ${words.thing} from ${name} at ${site}.`,
  ])
  return { goal, answer: `It is worth ${value} EUR.`, named: [name, site] }
}

/** Page after page, then one change for each row. */
const changeAll: Kind = (scene) => {
  const { words, random, at, has, step } = scene
  readDoc(scene)
  const [site, owner, level] = [town(scene), person(scene), random.of(['low', 'high', 'urgent', 'none'])]
  const pages = 1 + ((at + random.below(2)) % 3)
  const rows: { number: number; title: string; state: string }[] = []
  for (let page = 1; page <= pages; page += 1) {
    const own = Array.from({ length: 2 + random.below(3) }, (_, row) => {
      return { number: 100 * (at + 1) + 10 * page + row, title: `about ${person(scene)} ${row}`, state: 'open' }
    })
    rows.push(...own)
    step(got(`${host}/${words.place}/${site}/${words.things}`, { owner, page }, { items: own, more: page < pages }))
  }
  const changes = rows.map(({ number }) =>
    sent('PATCH', `${host}/${words.place}/${site}/${words.things}/${number}`, { level }, { number, level }),
  )
  if (has.isParallel) step(...changes)
  else for (const change of changes) step(change)
  const goal = random.of([
    `Set each open ${words.thing} of ${owner} in ${site} to ${level} (${words.place}).`,
    `All ${words.things} that ${owner} has at ${site} become ${level}; it is about ${words.place}.`,
    `Every ${words.thing} of ${words.place} ${site} with owner ${owner}: level ${level}.`,
  ])
  return { goal, answer: `Set ${rows.length} ${words.things} of ${owner}.`, named: [site, owner, level] }
}

/** Files that a search finds, a number out of each, one sum. */
const addUp: Kind = (scene) => {
  const { words, random, at, has, step } = scene
  const when = month(scene)
  const who = person(scene)
  const files = Array.from(
    { length: 2 + ((at + random.below(2)) % 3) },
    (_, n) => `${words.things}/${when}/${n}${random.below(90)}.txt`,
  )
  step(
    searchFiles(
      `Owner: ${who}`,
      `${words.things}/${when}`,
      files.map((file) => [file, `Owner: ${who}`] as const),
    ),
  )
  const totals = files.map(() => amount(scene) + 1_000)
  const texts = totals.map((total) => {
    const [whole = '', cents = ''] = total.toFixed(2).split('.')
    return `${words.thing}\nOwner: ${who}\nTotal: ${whole.replace(/(?=(?:\d{3})+$)(?!^)/g, ',')}.${cents} EUR\n`
  })
  const reads = files.map((file, n) => readFile(file, texts[n] ?? ''))
  if (has.isParallel) step(...reads)
  else for (const read of reads) step(read)
  const sum = Math.round(totals.reduce((all, each) => all + Math.round(each * 100), 0)) / 100
  step(calculated(totals.map((total) => total.toFixed(2)).join(' + '), sum))
  const goal = random.of([
    `Add up the ${words.things} of ${who} in ${when}, for ${words.place}.`,
    `${words.place}: what do all ${words.things} of ${who} from ${when} come to?`,
    `Total of every ${words.thing} of ${who}, month ${when}, to tell ${words.place}.`,
  ])
  return { goal, answer: `They come to ${sum}.`, named: [who, when] }
}

/** A list behind a cursor, written to a file. */
const exportAll: Kind = (scene) => {
  const { words, random, at, step } = scene
  readDoc(scene)
  const segment = `${town(scene)}-${at}`
  const pages = 1 + ((at + random.below(2)) % 3)
  const rows: { name: string; mail: string }[] = []
  for (let page = 1; page <= pages; page += 1) {
    const own = Array.from({ length: 2 + random.below(3) }, (_, row) => {
      const name = `${person(scene)}${page}${row}`
      return { name, mail: `${name}@mail.example` }
    })
    rows.push(...own)
    const query = { segment, ...(page > 1 && { cursor: `c${page}x${at}` }) }
    const asked = got(`${host}/${words.things}`, query, { rows: own, next: page < pages ? `c${page + 1}x${at}` : null })
    if (random.chance(0.3)) step(busy(asked))
    step(asked)
  }
  const path = `${words.place}/${segment}.csv`
  step(wrote(path, `name,mail\n${rows.map(({ name, mail }) => `${name},${mail}\n`).join('')}`))
  const goal = random.of([
    `Export the ${words.things} of ${segment} to ${path}.`,
    `I need every ${words.thing} of ${segment} as ${path}, please.`,
    `Make ${path} out of the ${words.things} in ${segment}.`,
  ])
  return { goal, answer: `${rows.length} ${words.things} are in ${path}.`, named: [segment, path] }
}

/** All that a list names is asked for; those of one kind go into a file. */
const report: Kind = (scene) => {
  const { words, random, at, has, step } = scene
  const section = `${town(scene)}${at}`
  const names = Array.from({ length: 4 + random.below(4) }, (_, n) => `${person(scene)}-${n}${random.below(50)}`)
  step(
    searchFiles(
      words.things,
      `docs/${section}`,
      names.map((name) => [`docs/${section}/a.md`, `see <${host}/${words.things}/${name}> for it`] as const),
    ),
  )
  const states = names.map((_, n) => (n === 0 ? 404 : n === 1 ? 200 : random.of([200, 200, 404])))
  const asked = names.map((name, n) => got(`${host}/${words.things}/${name}`, {}, `page ${name}`, states[n] ?? 200))
  if (has.isParallel) step(...asked)
  else for (const each of asked) step(each)
  const gone = names.flatMap((name, n) => (states[n] === 200 ? [] : [`${host}/${words.things}/${name}`]))
  const path = `${words.place}/gone-${section}.txt`
  step(wrote(path, `${gone.join('\n')}\n`))
  const goal = random.of([
    `Which ${words.thing} links in docs/${section} are dead? Write them to ${path}.`,
    `Check the ${words.things} that docs/${section} links to and put the dead ones into ${path}.`,
    `${path} shall name each dead ${words.thing} link of docs/${section}.`,
  ])
  return { goal, answer: `${gone.length} of ${names.length}, in ${path}.`, named: [section, path] }
}

/** A record in a file, and what a service says of it, come together in a note. */
const note: Kind = (scene) => {
  const { words, random, at, has, step } = scene
  const trip = `${town(scene)}${at}`
  const [currency, sum] = [random.of(['NOK', 'CZK', 'PLN', 'GBP', 'SEK', 'HUF']), amount(scene)]
  if (has.look) step(listFiles(words.things, ['a.json', 'b.json']))
  step(readFile(`${words.things}/${trip}.json`, JSON.stringify({ trip, currency, amount: sum, owner: person(scene) })))
  const rate = (1 + random.below(9_000)) / 1_000 + at / 100
  step(got(`${host}/rates/${currency}`, { day: `2026-04-${10 + at}` }, { currency, rate }))
  const value = Math.round(sum * rate * 10_000) / 10_000
  step(calculated(`${sum} * ${rate}`, value))
  const path = `${words.place}/${trip}.md`
  step(wrote(path, `# ${trip}\n\nAmount: ${sum} ${currency}\nValue: ${value}\n`))
  const goal = random.of([
    `Work out the ${words.thing} ${trip} at the rate of 2026-04-${10 + at} into ${path}.`,
    `${words.thing} ${trip}: convert it by the rate of day 2026-04-${10 + at}, note in ${path}.`,
    `Note the converted ${words.thing} ${trip} (rate 2026-04-${10 + at}) as ${path} for ${words.place}.`,
  ])
  return { goal, answer: `${value}, noted in ${path}.`, named: [trip, `2026-04-${10 + at}`, path] }
}

/** Two actions: a list, and one change for each of its entries. */
const closeAll: Kind = (scene) => {
  const { words, random, at, has, step } = scene
  const site = town(scene)
  const rows = Array.from({ length: 5 + ((at + random.below(2)) % 3) }, (_, n) => ({
    key: `q${at}${n}${random.below(90)}`,
    state: 'open',
  }))
  step(got(`${host}/${words.things}`, { site }, { rows }))
  const changes = rows.map(({ key }) => sent('PUT', `${host}/${words.things}/${key}`, { state: 'closed' }))
  if (has.isParallel) step(...changes)
  else for (const change of changes) step(change)
  const goal = random.of([
    `Close every ${words.thing} in ${site} (${words.place}).`,
    `${words.place}: the ${words.things} of ${site} can be closed.`,
    `Each ${words.thing} at ${site} is done for ${words.place}, close it.`,
  ])
  return { goal, answer: `Closed ${rows.length} in ${site}.`, named: [site] }
}

const kinds: readonly (readonly [string, Kind])[] = [
  ['change one', changeOne],
  ['value', valuation],
  ['change all', changeAll],
  ['add up', addUp],
  ['export', exportAll],
  ['report', report],
  ['note', note],
  ['close all', closeAll],
]

/** A detour, a failed call and its repeat, as real threads have them. */
function withNoise(recorder: Recorder, random: Random): Scene['step'] {
  return (...calls) => {
    if (random.chance(0.12))
      recorder.step(random.of([listFiles('.', ['API.md', 'x']), readFile('TODO.txt', `later ${random.below(99)}`)]))
    const [first] = calls
    if (first !== undefined && random.chance(0.12)) recorder.step(failed(first))
    recorder.step(...calls)
  }
}

/** 40 families: five of each kind, with other words, sizes, detours and failures. */
export function families(seed: number): readonly Family[] {
  return Array.from({ length: 40 }, (_, n) => {
    const [name = '', kind = changeOne] = kinds[n % kinds.length] ?? []
    const thing = subjects[n] ?? 'thing'
    const words = { thing, things: `${thing}s`, place: `${subjects[(n * 7 + 11) % subjects.length] ?? 'desk'}desk` }
    const of = randomFrom(seed + n)
    const has = { doc: of.chance(0.6), look: of.chance(0.5), isParallel: of.chance(0.5) }
    const named = new Map<string, readonly string[]>()
    const threads = Array.from({ length: 7 }, (__, at) => {
      const random = randomFrom(seed * 1_000 + n * 20 + at)
      const recorder = createRecorder()
      // What is tried afterwards has no detours: they are no part of the work.
      const step = at < 5 ? withNoise(recorder, randomFrom(seed * 77 + n * 20 + at)) : recorder.step
      const told = kind({ random, words, at, has, step })
      const threadId = `${name} ${n} ${at}`
      named.set(threadId, told.named)
      return recorder.episode({ threadId, goal: told.goal, answer: told.answer, endedAt: (n + at * 40) * 3_600_000 })
    })
    return { name: `${name} of ${thing}s`, threads: threads.slice(0, 5), fresh: threads.slice(5), named }
  })
}
