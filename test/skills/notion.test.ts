import { describe, expect, it } from 'vitest'
import { describeCalls, describeFormat } from '../support/apis/format.ts'
import {
  notionBase,
  notionConflict,
  notionIds,
  notionLimit,
  notionToken,
  notionVersion,
  startNotion,
} from '../support/apis/notion.ts'
import { begin, closeSandboxAtEnd, shippedSkill } from '../support/apis/skill.ts'

closeSandboxAtEnd()
const skill = shippedSkill('notion')
const secrets = { notion_token: notionToken }
const start = (given: Readonly<Record<string, string>> = secrets) =>
  begin({ skill: skill.file, start: startNotion, secrets: given })
const { page, hidden, database, source } = notionIds
const version = `headers={"notion-version": "${notionVersion}"}`
const title = '[{"type": "text", "text": {"content": "Ebb"}}]'
const paragraph = `{"type": "paragraph", "paragraph": {"rich_text": ${title}}}`

describeFormat(skill)

describeCalls({
  skill,
  base: notionBase,
  start: startNotion,
  secrets,
  rows: [
    [
      'POST /search',
      `http(method="POST", url="${notionBase}/search", ${version}, json={"query": "Gauges", "filter": {"property": "object", "value": "data_source"}})`,
      200,
      { results: [{ object: 'data_source', id: source }], has_more: false },
    ],
    [
      'GET /pages/{page_id}',
      `http(method="GET", url="${notionBase}/pages/${page}", ${version})`,
      200,
      { object: 'page', id: page, properties: { title: { type: 'title', title: [{ plain_text: 'Tide table 1' }] } } },
    ],
    [
      'GET /blocks/{block_id}/children?page_size=100',
      `http(method="GET", url="${notionBase}/blocks/${page}/children?page_size=100", ${version})`,
      200,
      (body) => {
        expect(body).toMatchObject({ has_more: true, results: { 0: { has_children: false } } })
        expect(body).toHaveProperty('results.length', 100)
      },
    ],
    [
      'PATCH /blocks/{block_id}/children',
      `http(method="PATCH", url="${notionBase}/blocks/${page}/children", ${version}, json={"children": [${paragraph}]})`,
      200,
      { results: [{ type: 'paragraph', paragraph: { rich_text: [{ plain_text: 'Ebb' }] } }] },
    ],
    [
      'GET /databases/{database_id}',
      `http(method="GET", url="${notionBase}/databases/${database}", ${version})`,
      200,
      { data_sources: [{ id: source, name: 'Gauges' }] },
    ],
    [
      'GET /data_sources/{data_source_id}',
      `http(method="GET", url="${notionBase}/data_sources/${source}", ${version})`,
      200,
      { properties: { Name: { type: 'title' }, Status: { type: 'status' } } },
    ],
    [
      'POST /data_sources/{data_source_id}/query',
      `http(method="POST", url="${notionBase}/data_sources/${source}/query", ${version}, json={"filter": {"property": "Status", "status": {"equals": "Done"}}, "page_size": 100})`,
      200,
      (body) => {
        expect(body).toMatchObject({
          has_more: false,
          results: { 0: { properties: { Status: { status: { name: 'Done' } } } } },
        })
        expect(body).toHaveProperty('results.length', 60)
      },
    ],
    [
      'POST /pages',
      `http(method="POST", url="${notionBase}/pages", ${version}, json={"parent": {"data_source_id": "${source}"}, "properties": {"Name": {"title": ${title}}, "Status": {"status": {"name": "Open"}}}, "children": [${paragraph}]})`,
      200,
      { object: 'page', parent: { data_source_id: source }, properties: { Name: { title: [{ plain_text: 'Ebb' }] } } },
    ],
    [
      'PATCH /pages/{page_id}',
      `http(method="PATCH", url="${notionBase}/pages/${page}", ${version}, json={"in_trash": True})`,
      200,
      { id: page, in_trash: true },
    ],
  ],
})

describe('notion_search', () => {
  it('walks all pages and gives each title', async () => {
    const { api, run } = await start()
    const found = await run('notion_search("Tide table", most=1000)')
    expect(found).toHaveLength(250)
    expect(found).toMatchObject({
      0: { id: page, kind: 'page', title: 'Tide table 1', url: 'https://www.notion.so/1' },
      249: { title: 'Tide table 720' },
    })
    expect(api.requests).toHaveLength(5)
    expect(api.requests[4]).toMatchObject({ body: { start_cursor: expect.any(String), page_size: 50 } })
    expect(api.requests.every(({ headers }) => headers['notion-version'] === notionVersion)).toBe(true)
  })

  it('finds data sources alone', async () => {
    const { run } = await start()
    const found = [{ id: source, kind: 'data_source', title: 'Gauges of the harbour', url: null }]
    expect(await run('notion_search("harbour", kind="data_source")')).toEqual(found)
  })

  it('stops at what was asked for', async () => {
    const { api, run } = await start()
    expect(await run('notion_search("Tide table", most=60)')).toHaveLength(60)
    expect(api.requests).toHaveLength(2)
  })

  it('gives back a filter that is none', async () => {
    const { run } = await start()
    const message = { code: 'validation_error' }
    expect(await run('notion_search("tide", kind="database")')).toMatchObject({ error: 400, message })
  })

  it.each([
    ['without a token', {}],
    ['with a token that is refused', { notion_token: 'gone' }],
  ])('is refused %s', async (_how, given) => {
    const { run } = await start(given)
    const message = { object: 'error', status: 401, code: 'unauthorized', message: 'API token is invalid.' }
    expect(await run('notion_search("tide")')).toMatchObject({ error: 401, message })
  })

  it('says how long to wait, in the middle of the pages too', async () => {
    const { api, run } = await start()
    api.answerAt(2, notionLimit)
    const message = { code: 'rate_limited' }
    expect(await run('notion_search("tide", most=1000)')).toMatchObject({ error: 429, message, retry_after: '2' })
  })
})

describe('notion_append', () => {
  it('appends what is then the end of the page, a hundred at a time', async () => {
    const { api, run } = await start()
    expect(await run(`notion_append("${page}", [f"Ebb {n}" for n in range(120)])`)).toEqual({ added: 120 })
    expect(api.requests).toHaveLength(2)
    const call = (cursor: string) =>
      `http(method="GET", url="${notionBase}/blocks/${page}/children${cursor}", ${version})`
    const second = `${call('')}["body"]["next_cursor"]`
    const cursor = await run(second)
    const third = await run(`${call(`?start_cursor=${cursor}`)}["body"]["next_cursor"]`)
    const end = await run(
      `${call(`?start_cursor=${third}`)}["body"]["results"][-1]["paragraph"]["rich_text"][0]["plain_text"]`,
    )
    expect(end).toBe('Ebb 119')
  })

  it('cuts a text at what one may hold', async () => {
    const { run } = await start()
    expect(await run(`notion_append("${page}", ["a" * 3000])`)).toEqual({ added: 1 })
  })

  it('says so of a page that is not shared', async () => {
    const { run } = await start()
    const message = { code: 'object_not_found' }
    expect(await run(`notion_append("${hidden}", ["Ebb"])`)).toMatchObject({ error: 404, message, added: 0 })
  })

  it('says what was added before somebody else wrote too', async () => {
    const { api, run } = await start()
    api.answerAt(1, notionConflict)
    const error = await run(`notion_append("${page}", ["Ebb"] * 150)`)
    expect(error).toMatchObject({ error: 409, message: { code: 'conflict_error' }, added: 100 })
  })
})

describe('what else the text says', () => {
  it('a request without its version is refused', async () => {
    const { run } = await start()
    const body = { code: 'missing_version' }
    expect(await run(`http(method="GET", url="${notionBase}/pages/${page}")`)).toMatchObject({ status: 400, body })
  })

  it('a page below a page has its title alone', async () => {
    const { run } = await start()
    const made = (name: string) =>
      `http(method="POST", url="${notionBase}/pages", ${version}, json={"parent": {"page_id": "${page}"}, "properties": {"${name}": {"title": ${title}}}})`
    const properties = { title: { title: [{ plain_text: 'Ebb' }] } }
    expect(await run(made('title'))).toMatchObject({ status: 200, body: { parent: { page_id: page }, properties } })
    expect(await run(made('Name'))).toMatchObject({ status: 400, body: { code: 'validation_error' } })
  })

  it('the token can be tried out, with the version', async () => {
    const [credential] = skill.file.credentials
    expect(credential?.test_headers).toEqual({ 'notion-version': notionVersion })
    const call = `http(method="GET", url="${credential?.test_url}", ${version})`
    expect(await (await start()).run(call)).toMatchObject({ status: 200, body: { type: 'bot' } })
    expect(await (await start({})).run(call)).toMatchObject({ status: 401 })
  })
})
