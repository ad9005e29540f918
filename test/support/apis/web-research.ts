import type { Json, JsonObject } from '../../../core/domain/json.ts'
import { type Api, type ApiAnswer, type ApiRequest, pageOf, type RoutedRequest, startApi } from './server.ts'

/** Sources: mediawiki.org/wiki/API, wikidata.org/w/api.php and api.crossref.org, by the documentation of each. */
export const wikipedia = 'https://en.wikipedia.org/w/api.php'
export const wikidata = 'https://www.wikidata.org/w/api.php'
export const crossref = 'https://api.crossref.org'

const wikiFailed = (code: string, info: string, headers: Record<string, string> = {}): ApiAnswer => ({
  ...{ status: 200, headers: { 'mediawiki-api-error': code, ...headers } },
  body: { error: { code, info, docref: 'See https://en.wikipedia.org/w/api.php for API usage.' } },
})
export const wikiLag = wikiFailed('maxlag', 'Waiting for a database server: 6.1 seconds lagged.', {
  'retry-after': '5',
})

export const crossrefLimit: ApiAnswer = {
  ...{ status: 429, headers: { 'x-rate-limit-limit': '5', 'x-rate-limit-interval': '1s' } },
  body: 'Too many requests.',
}

/** 120 articles about tides, 210 papers, and one thing: the tide, Q23384. */
export function startWebResearch(): Promise<Api> {
  const wikiMissing = () => ({ status: 404, body: 'Not Found' })
  return startApi({
    'https://en.wikipedia.org': {
      gate: wikiGate,
      missing: wikiMissing,
      routes: { 'GET /w/api.php': (request) => ofModule(request, articleModules) },
    },
    'https://www.wikidata.org': {
      gate: wikiGate,
      missing: wikiMissing,
      routes: { 'GET /w/api.php': (request) => ofModule(request, thingModules) },
    },
    'https://api.crossref.org': {
      missing: () => ({ status: 404, body: 'Resource not found.' }),
      routes: { 'GET /works': findWorks, 'GET /works/:doi*': oneWork },
    },
  })
}

/** Wikimedia refuses callers that do not say who they are. */
function wikiGate({ headers }: ApiRequest): ApiAnswer | undefined {
  return headers['user-agent'] === undefined ? { status: 403, body: 'Please set a user-agent.' } : undefined
}

type Modules = Readonly<Record<string, (query: RoutedRequest['query']) => ApiAnswer>>

/** Without `format=json` an answer is a page for people; without the second version its lists are maps. */
function ofModule({ query }: RoutedRequest, modules: Modules): ApiAnswer {
  if (query.format !== 'json') return { status: 200, headers: { 'content-type': 'text/html' }, body: '<html></html>' }
  if (query.formatversion !== '2') return wikiFailed('badformatversion', 'The text asks for version 2.')
  const name = [query.action, query.list ?? query.prop].filter((each) => each !== undefined).join(' ')
  const module = modules[name.startsWith('wb') ? (query.action ?? '') : name]
  return module?.(query) ?? wikiFailed('badvalue', `Unrecognized value for parameter "action": ${query.action}.`)
}

const titleOf = (at: number) => `Tide ${at}`
const articles = Array.from({ length: 120 }, (_, at) => ({
  ...{ ns: 0, title: titleOf(at + 1), pageid: 1_000 + at + 1, size: 4_000, wordcount: 600 + at },
  ...{ snippet: 'The <span class="searchmatch">tide</span> rises', timestamp: '2026-01-05T12:00:00Z' },
}))

const articleModules: Modules = {
  'query search'({ srsearch, srlimit = '10', sroffset = '0' }) {
    if (srsearch === undefined) return wikiFailed('missingparam', 'The "srsearch" parameter must be set.')
    const wanted = srsearch.toLowerCase()
    const hits = articles.filter(({ title }) => title.toLowerCase().includes(wanted))
    const { rows, next } = pageOf(hits, Number(sroffset), Math.min(Number(srlimit), 500))
    const going = next !== undefined && { continue: { sroffset: next, continue: '-||' } }
    return {
      status: 200,
      body: { batchcomplete: true, ...going, query: { searchinfo: { totalhits: hits.length }, search: rows } },
    }
  },
  'query extracts'({ titles = '', explaintext, exintro, redirects }) {
    const title = redirects !== undefined && titles === 'Flood tide' ? titleOf(1) : titles
    const whole = exintro === undefined ? 'Tides rise and fall.\n\n== Causes ==\nThe Moon.' : 'Tides rise and fall.'
    const text = explaintext === undefined ? `<p>${whole}</p>` : whole
    return pagesOf(title, { extract: text })
  },
  'query extlinks': ({ titles = '' }) => pagesOf(titles, { extlinks: [{ url: 'https://tides.example/source' }] }),
}

function pagesOf(title: string, more: JsonObject): ApiAnswer {
  const article = articles.find((each) => each.title === title)
  const page =
    article === undefined ? { ns: 0, title, missing: true } : { ns: 0, title, pageid: article.pageid, ...more }
  return { status: 200, body: { batchcomplete: true, query: { pages: [page] } } }
}

const height = {
  mainsnak: { property: 'P2048', datavalue: { value: { amount: '+16.3' }, type: 'quantity' } },
  rank: 'normal',
}
const thingModules: Modules = {
  wbsearchentities: ({ search = '', language }) => {
    if (language === undefined) return wikiFailed('missingparam', 'The "language" parameter must be set.')
    const hits = 'tide'.startsWith(search.toLowerCase())
      ? [{ id: 'Q23384', label: 'tide', description: 'rise and fall' }]
      : []
    return { status: 200, body: { searchinfo: { search }, search: hits, success: 1 } }
  },
  wbgetentities({ ids = '', props = '' }) {
    const unknown = ids.split('|').find((id) => id !== 'Q23384')
    if (unknown !== undefined) return wikiFailed('no-such-entity', `Could not find an entity with the ID "${unknown}".`)
    const parts = { claims: { P2048: [height] }, labels: { en: { language: 'en', value: 'tide' } } }
    const shown = Object.entries(parts).filter(([name]) => props.split('|').includes(name))
    return {
      status: 200,
      body: { entities: { Q23384: { type: 'item', id: 'Q23384', ...Object.fromEntries(shown) } }, success: 1 },
    }
  },
}

const works = Array.from({ length: 210 }, (_, at): JsonObject => workOf(at + 1))

function workOf(at: number): JsonObject {
  // What publishers leave out is left out here too.
  const author: Json =
    at === 2 ? [{ name: 'Tide Gauge Group' }] : [{ given: 'Ada', family: `Ebb${at}`, sequence: 'first' }]
  return {
    ...{ DOI: `10.5555/tides.${at}`, title: at === 3 ? [] : [`On tides, part ${at}`], type: 'journal-article' },
    ...(at !== 4 && { author }),
    issued: { 'date-parts': [[at === 5 ? null : 1_990 + (at % 30)]] },
    ...{ 'is-referenced-by-count': at, 'container-title': ['Tides'] },
  }
}

const selectable: ReadonlySet<string> = new Set([...Object.keys(workOf(1)), 'abstract', 'URL', 'publisher'])

function findWorks({ query }: RoutedRequest): ApiAnswer {
  const rows = Number(query.rows ?? 20)
  if (!(rows >= 0 && rows <= 1_000))
    return refused('rows', query.rows, 'Integer specified as must be less than or equal to 1000.')
  const select = query.select?.split(',')
  const strange = select?.find((name) => !selectable.has(name))
  if (strange !== undefined)
    return refused('select', strange, `Select ${strange} specified but there is no such select.`)
  const [, since] = /(?:^|,)from-pub-date:(\d{4})/.exec(query.filter ?? '') ?? []
  if (query.filter !== undefined && since === undefined)
    return refused('filter', query.filter, 'There is no such filter.')
  const words = (query['query.bibliographic'] ?? '').toLowerCase().split(' ')
  const hits = works.filter(
    (work) =>
      words.some((word) => JSON.stringify(work).toLowerCase().includes(word)) && yearOf(work) >= Number(since ?? 0),
  )
  const ordered = query.sort === 'is-referenced-by-count' && query.order === 'desc' ? hits.toReversed() : hits
  const from = query.cursor === undefined || query.cursor === '*' ? 0 : Number(/^at:(\d+)$/.exec(query.cursor)?.[1])
  if (Number.isNaN(from)) return refused('cursor', query.cursor, 'Cursor is not valid.')
  const items = ordered.slice(from, from + rows).map((work) => (select === undefined ? work : selected(work, select)))
  // A cursor always comes back: that there are no more is seen by what it leads to.
  const cursor = query.cursor === undefined ? {} : { 'next-cursor': `at:${from + items.length}` }
  return answer('work-list', { 'total-results': hits.length, 'items-per-page': rows, items, ...cursor })
}

function oneWork({ params }: RoutedRequest): ApiAnswer {
  const work = works.find(({ DOI }) => DOI === params.doi)
  return work === undefined ? { status: 404, body: 'Resource not found.' } : answer('work', work)
}

const answer = (type: string, message: JsonObject): ApiAnswer => ({
  ...{ status: 200, headers: { 'x-rate-limit-limit': '5', 'x-rate-limit-interval': '1s', 'x-api-pool': 'public' } },
  body: { status: 'ok', 'message-type': type, 'message-version': '1.0.0', message },
})
const refused = (type: string, value: string | undefined, message: string): ApiAnswer => ({
  status: 400,
  body: {
    ...{ status: 'failed', 'message-type': 'validation-failure' },
    message: [{ type: 'parameter-not-allowed', value: `${type}: ${value}`, message }],
  },
})
const selected = (work: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(work).filter(([name]) => names.includes(name)))

function yearOf({ DOI }: JsonObject): number {
  return 1_990 + (Number(String(DOI).split('.').at(-1)) % 30)
}
