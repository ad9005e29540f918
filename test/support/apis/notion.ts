import { z } from 'zod'
import { isJsonObject, type Json, type JsonObject } from '../../../core/domain/json.ts'
import { type Api, type ApiAnswer, type ApiRequest, pageOf, type RoutedRequest, startApi } from './server.ts'

/** Source: developers.notion.com/reference, version 2026-03-11. */
export const notionBase = 'https://api.notion.com/v1'
export const notionToken = 'ntn_loopback'
export const notionVersion = '2026-03-11'
export const notionIds = { page: idOf(1), hidden: idOf(999), database: idOf(500), source: idOf(501) }

const failed = (status: number, code: string, message: string): ApiAnswer => ({
  status,
  body: { object: 'error', status, code, message, request_id: idOf(0) },
})

export const notionLimit: ApiAnswer = {
  ...failed(429, 'rate_limited', 'You have been rate limited. Please try again in a few minutes.'),
  headers: { 'retry-after': '2' },
}
export const notionConflict = failed(409, 'conflict_error', 'Conflict occurred while saving. Please try again.')

const richText = z.array(z.object({ type: z.literal('text'), text: z.object({ content: z.string().max(2_000) }) }))
const block = z.object({ type: z.literal('paragraph'), paragraph: z.object({ rich_text: richText }) })
const children = z.array(block).max(100)
const values = z.record(
  z.string(),
  z.union([z.object({ title: richText }), z.object({ status: z.object({ name: z.string() }) })]),
)
const parent = z.union([z.object({ data_source_id: z.string() }), z.object({ page_id: z.string() })])
const newPage = z.object({ parent, properties: values, children: children.optional() })
const pageChange = z.strictObject({ properties: values.optional(), in_trash: z.boolean().optional() })
const searched = z.object({
  query: z.string().default(''),
  filter: z.object({ property: z.literal('object'), value: z.enum(['page', 'data_source']) }).optional(),
})
const queried = z.object({
  filter: z.object({ property: z.string(), status: z.object({ equals: z.string() }) }).optional(),
})

/** 130 pages about tides and one that is not shared; the database of gauges with one data source of 120 rows. */
export function startNotion(): Promise<Api> {
  const pages = new Map(Array.from({ length: 130 }, (_, at) => pageEntry(at + 1, { page_id: idOf(900) })))
  for (let at = 1; at <= 120; at += 1) pages.set(...pageEntry(600 + at, { data_source_id: notionIds.source }))
  const blocks = new Map([[notionIds.page, Array.from({ length: 110 }, (_, at) => blockOf(`Line ${at + 1}`))]])
  const pageAt = ({ params }: RoutedRequest) => pages.get(params.id ?? '')

  const search = (request: RoutedRequest): ApiAnswer => {
    const { data } = searched.safeParse(request.body)
    if (data === undefined) return invalid('body.filter.value should be `"page"` or `"data_source"`.')
    const all = [...pages.values(), source].filter(
      (each) =>
        each.object === (data.filter?.value ?? each.object) &&
        titleOf(each).toLowerCase().includes(data.query.toLowerCase()),
    )
    return paged(request, all)
  }
  const append = (request: RoutedRequest): ApiAnswer => {
    const id = request.params.id ?? ''
    if (!pages.has(id)) return notFound('block', id)
    const { data } = z.strictObject({ children }).safeParse(request.body)
    if (data === undefined) return invalid('body.children should be an array of at most `100` blocks.')
    const made = data.children.map(({ paragraph }) => blockOf(textOf(paragraph.rich_text)))
    blocks.set(id, [...(blocks.get(id) ?? []), ...made])
    return { status: 200, body: { object: 'list', results: made, has_more: false, next_cursor: null } }
  }
  const query = (request: RoutedRequest): ApiAnswer => {
    const { data } = queried.safeParse(request.body)
    const property = data?.filter?.property ?? 'Status'
    if (property !== 'Status') return invalid(`Could not find property with name or id: ${property}`)
    const wanted = data?.filter?.status.equals
    const rows = [...pages.values()].filter(
      (page) => 'data_source_id' in page.parent && (wanted === undefined || statusOf(page) === wanted),
    )
    return paged(request, rows)
  }
  const create = ({ body }: RoutedRequest): ApiAnswer => {
    const { data } = newPage.safeParse(body)
    if (data === undefined) return invalid('body.parent should be defined, instead was `undefined`.')
    const isRow = 'data_source_id' in data.parent
    const wrong = Object.keys(data.properties).find((name) => !(isRow ? ['Name', 'Status'] : ['title']).includes(name))
    if (wrong !== undefined) return invalid(`${wrong} is not a property that exists.`)
    const [id, page] = pageEntry(1_000 + pages.size, data.parent)
    Object.assign(page.properties, typed(data.properties))
    pages.set(id, page)
    blocks.set(
      id,
      (data.children ?? []).map(({ paragraph }) => blockOf(textOf(paragraph.rich_text))),
    )
    return { status: 200, body: page }
  }
  const change = (request: RoutedRequest): ApiAnswer => {
    const page = pageAt(request)
    if (page === undefined) return notFound('page', request.params.id)
    const { data } = pageChange.safeParse(request.body)
    if (data === undefined) return invalid('body.archived should be not present, instead was `true`.')
    Object.assign(page.properties, typed(data.properties ?? {}))
    if (data.in_trash !== undefined) page.in_trash = data.in_trash
    return { status: 200, body: page }
  }
  const content = (request: RoutedRequest): ApiAnswer => {
    const id = request.params.id ?? ''
    return pages.has(id) ? paged(request, blocks.get(id) ?? []) : notFound('block', id)
  }

  return startApi({
    'https://api.notion.com': {
      gate,
      missing: () => failed(400, 'invalid_request_url', 'Invalid request URL.'),
      notJson: failed(400, 'invalid_json', 'Error parsing JSON body.'),
      routes: {
        'GET /v1/users/me': () => ({ status: 200, body: { object: 'user', id: idOf(2), type: 'bot', name: 'Tides' } }),
        'POST /v1/search': search,
        'GET /v1/pages/:id': (request) => {
          const page = pageAt(request)
          return page === undefined ? notFound('page', request.params.id) : { status: 200, body: page }
        },
        'PATCH /v1/pages/:id': change,
        'POST /v1/pages': create,
        'GET /v1/blocks/:id/children': content,
        'PATCH /v1/blocks/:id/children': append,
        [`GET /v1/databases/${notionIds.database}`]: () => ({ status: 200, body: database }),
        'GET /v1/databases/:id': ({ params }) => notFound('database', params.id),
        [`GET /v1/data_sources/${notionIds.source}`]: () => ({ status: 200, body: source }),
        [`POST /v1/data_sources/${notionIds.source}/query`]: query,
        'POST /v1/data_sources/:id/query': ({ params }) => notFound('data_source', params.id),
      },
    },
  })
}

function gate({ headers }: ApiRequest): ApiAnswer | undefined {
  if (headers.authorization !== `Bearer ${notionToken}`) return failed(401, 'unauthorized', 'API token is invalid.')
  const version = headers['notion-version']
  if (version === notionVersion) return undefined
  const what = `Notion-Version header should be defined, instead was \`${version}\`.`
  return failed(400, 'missing_version', `Notion-Version header failed validation: ${what}`)
}

const invalid = (message: string) => failed(400, 'validation_error', `body failed validation: ${message}`)
const notFound = (kind: string, id = '') =>
  failed(
    404,
    'object_not_found',
    `Could not find ${kind} with ID: ${id}. Make sure the relevant pages and databases are shared with your integration.`,
  )

function idOf(at: number): string {
  return `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`
}

const text = (content: string) => [{ type: 'text', text: { content }, plain_text: content }]
const textOf = (parts: z.infer<typeof richText>) => parts.map((part) => part.text.content).join('')
const blockOf = (content: string): JsonObject => ({
  ...{ object: 'block', type: 'paragraph', has_children: false, in_trash: false },
  paragraph: { rich_text: text(content) },
})

function pageEntry(at: number, under: JsonObject) {
  const isRow = 'data_source_id' in under
  const title = { id: 'title', type: 'title', title: text(`Tide table ${at}`) }
  const status = { id: 'st', type: 'status', status: { name: at % 2 === 0 ? 'Done' : 'Open' } }
  const properties: Record<string, Json> = isRow ? { Name: title, Status: status } : { title }
  const page = {
    object: 'page',
    id: idOf(at),
    parent: under,
    in_trash: false,
    properties,
    url: `https://www.notion.so/${at}`,
  }
  return [idOf(at), page] as const
}
type Page = ReturnType<typeof pageEntry>[1]

const source = {
  ...{ object: 'data_source', id: notionIds.source, title: text('Gauges of the harbour'), in_trash: false },
  properties: { Name: { id: 'title', type: 'title', title: {} }, Status: { id: 'st', type: 'status', status: {} } },
  parent: { type: 'database_id', database_id: notionIds.database },
}
const database = {
  ...{ object: 'database', id: notionIds.database, title: text('Gauges'), in_trash: false },
  data_sources: [{ id: notionIds.source, name: 'Gauges' }],
}

function titleOf(each: Page | typeof source): string {
  if ('title' in each) return each.title.map((part) => part.plain_text).join('')
  const value = each.properties.title ?? each.properties.Name
  return isJsonObject(value) ? JSON.stringify(value.title) : ''
}

function statusOf({ properties: { Status } }: Page): Json | undefined {
  const status = isJsonObject(Status) ? Status.status : undefined
  return isJsonObject(status) ? status.name : undefined
}

/** As a page shows them again: with their type, and text with what it reads as. */
function typed(properties: z.infer<typeof values>): Record<string, Json> {
  const shown = Object.entries(properties).map(([name, value]): [string, Json] => [
    name,
    'title' in value
      ? { type: 'title', title: text(textOf(value.title)) }
      : { type: 'status', status: { name: value.status.name } },
  ])
  return Object.fromEntries(shown)
}

/** `start_cursor` and `page_size` stand in the body of a POST and in the query of a GET. */
function paged({ method, query, body }: ApiRequest, rows: readonly JsonObject[]): ApiAnswer {
  const given = method === 'GET' ? query : isJsonObject(body) ? body : {}
  const size = Number(given.page_size ?? 100)
  if (size > 100) return invalid('body.page_size should be ≤ `100`.')
  const at = given.start_cursor === undefined ? 0 : rows.findIndex((row, n) => cursorOf(row, n) === given.start_cursor)
  if (at < 0) return invalid(`The start_cursor provided is invalid: ${given.start_cursor}`)
  const page = pageOf(rows, at, size)
  const next = page.next === undefined ? null : cursorOf(rows[page.next], page.next)
  return { status: 200, body: { object: 'list', results: page.rows, has_more: next !== null, next_cursor: next } }
}

const cursorOf = (row: JsonObject | undefined, at: number) => (typeof row?.id === 'string' ? row.id : idOf(at))
