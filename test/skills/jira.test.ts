import { describe, expect, it } from 'vitest'
import { describeCalls, describeFormat } from '../support/apis/format.ts'
import { jiraBase, jiraCloud, jiraLimit, jiraTokens, startJira } from '../support/apis/jira.ts'
import { begin, closeSandboxAtEnd, shippedSkill } from '../support/apis/skill.ts'

closeSandboxAtEnd()
const skill = shippedSkill('jira')
const secrets = { jira_api_token: jiraTokens.full }
const start = (given: Readonly<Record<string, string>> = secrets) =>
  begin({ skill: skill.file, start: startJira, secrets: given })
const doc =
  '{"type": "doc", "version": 1, "content": [{"type": "paragraph", "content": [{"type": "text", "text": "Ebb"}]}]}'
const get = (rest: string) => `http(method="GET", url="${jiraBase}${rest}")`

describeFormat(skill)

describeCalls({
  skill,
  base: jiraBase,
  start: startJira,
  secrets,
  rows: [
    [
      'GET /search/jql?jql={jql}&maxResults=50&fields=summary,status,assignee',
      `http(method="GET", url="${jiraBase}/search/jql", query={"jql": "project = ABC AND status != Done AND assignee = currentUser() AND updated >= -7d ORDER BY updated DESC", "maxResults": 50, "fields": "summary,status,assignee"})`,
      200,
      (body) => {
        expect(body).toMatchObject({ isLast: true, issues: { 1: { key: 'ABC-5', fields: { summary: 'Gauge 5' } } } })
        expect(body).toHaveProperty('issues.length', 40)
        expect(body).not.toHaveProperty('nextPageToken')
        expect(body).not.toHaveProperty('total')
      },
    ],
    [
      'GET /issue/{key}?fields=summary,description,status,comment',
      get('/issue/ABC-7?fields=summary,description,status,comment'),
      200,
      { key: 'ABC-7', fields: { summary: 'Gauge 7', status: { name: 'To Do' }, comment: { total: 0 } } },
    ],
    [
      'GET /project/search?startAt=0',
      get('/project/search?startAt=0'),
      200,
      (body) => {
        expect(body).toMatchObject({ isLast: false, values: { 0: { key: 'ABC' } } })
        expect(body).toHaveProperty('values.length', 50)
      },
    ],
    [
      'GET /issue/createmeta/{projectKey}/issuetypes',
      get('/issue/createmeta/ABC/issuetypes'),
      200,
      { issueTypes: [{ name: 'Task' }] },
    ],
    [
      'POST /issue',
      `http(method="POST", url="${jiraBase}/issue", json={"fields": {"project": {"key": "ABC"}, "issuetype": {"name": "Task"}, "summary": "Ebb", "description": ${doc}}})`,
      201,
      { key: 'ABC-121' },
    ],
    [
      'PUT /issue/{key}',
      `http(method="PUT", url="${jiraBase}/issue/ABC-7", json={"fields": {"summary": "Ebb"}})`,
      204,
      '',
    ],
    [
      'GET /issue/{key}/transitions',
      get('/issue/ABC-7/transitions'),
      200,
      { transitions: [{ id: '11' }, { id: '21' }, { id: '31', to: { name: 'Done' } }] },
    ],
    [
      'POST /issue/{key}/transitions',
      `http(method="POST", url="${jiraBase}/issue/ABC-7/transitions", json={"transition": {"id": "31"}})`,
      204,
      '',
    ],
    [
      'POST /issue/{key}/comment',
      `http(method="POST", url="${jiraBase}/issue/ABC-7/comment", json={"body": ${doc}})`,
      201,
      { id: '10000', body: { type: 'doc' } },
    ],
    [
      'GET /user/search?query={name}',
      get('/user/search?query=octo'),
      200,
      [{ accountId: '5b10', displayName: 'Octo' }],
    ],
    [
      'PUT /issue/{key}/assignee',
      `http(method="PUT", url="${jiraBase}/issue/ABC-8/assignee", json={"accountId": "5b10"})`,
      204,
      '',
    ],
  ],
})

describe('jira_search', () => {
  it('walks all pages by their tokens', async () => {
    const { api, run } = await start()
    const found = await run(`jira_search("${jiraCloud}", "project = ABC", most=1000)`)
    expect(found).toHaveLength(120)
    expect(found).toMatchObject({
      0: {
        key: 'ABC-1',
        summary: 'Gauge 1',
        status: 'To Do',
        assignee: 'Octo',
        updated: '2026-01-05T12:00:00.000+0000',
      },
      119: { key: 'ABC-120', status: 'Done', assignee: null },
    })
    expect(api.requests.map(({ query }) => query.nextPageToken)).toEqual([undefined, 'page:50', 'page:100'])
    const basic = `Basic ${Buffer.from(jiraTokens.full).toString('base64')}`
    expect(api.requests.every(({ headers }) => headers.authorization === basic)).toBe(true)
  })

  it('finds by words in quotes', async () => {
    const { run } = await start()
    const code = `jira_search("${jiraCloud}", 'project = ABC AND text ~ "Gauge 119"')`
    expect(await run(code)).toMatchObject([{ key: 'ABC-119' }])
  })

  it.each([
    ['ORDER BY updated DESC', 'Unbounded JQL queries'],
    ['project = SEA', "The value 'SEA' does not exist"],
    ['gauges please', 'Error in the JQL Query'],
  ])('gives back why "%s" is refused', async (jql, said) => {
    const { run } = await start()
    const message = { errorMessages: [expect.stringContaining(said)] }
    expect(await run(`jira_search("${jiraCloud}", "${jql}")`)).toMatchObject({ error: 400, message })
  })

  it.each([
    ['without a token', {}],
    ['with a token that is refused', { jira_api_token: 'octo@tides.example:gone' }],
  ])('is refused %s', async (_how, given) => {
    const { run } = await start(given)
    const message = { code: 401, message: 'Unauthorized' }
    expect(await run(`jira_search("${jiraCloud}", "project = ABC")`)).toMatchObject({ error: 401, message })
  })

  it('says how long to wait, in the middle of the pages too', async () => {
    const { api, run } = await start()
    api.answerAt(2, jiraLimit)
    const error = await run(`jira_search("${jiraCloud}", "project = ABC", most=1000)`)
    expect(error).toMatchObject({ error: 429, retry_after: '17' })
  })
})

describe('jira_comment', () => {
  it('adds a comment, a paragraph for each line, that then stands at the issue', async () => {
    const { run } = await start()
    expect(await run(`jira_comment("${jiraCloud}", "ABC-7", "Ebb\\n\\nFlow")`)).toEqual({ id: '10000' })
    const content = ['Ebb', 'Flow'].map((text) => ({ type: 'paragraph', content: [{ type: 'text', text }] }))
    const fields = { comment: { total: 1, comments: [{ body: { content } }] } }
    expect(await run(get('/issue/ABC-7?fields=comment'))).toMatchObject({ body: { fields } })
  })

  it('says so of an issue that is not there or not to be seen', async () => {
    const { run } = await start()
    expect(await run(`jira_comment("${jiraCloud}", "ABC-999", "Ebb")`)).toMatchObject({ error: 404 })
  })

  it('says that the token lacks a scope, which is a 401', async () => {
    const { run } = await start({ jira_api_token: jiraTokens.reading })
    const message = { message: 'Unauthorized; scope does not match' }
    expect(await run(`jira_comment("${jiraCloud}", "ABC-7", "Ebb")`)).toMatchObject({ error: 401, message })
  })
})

describe('what else the text says', () => {
  it('a status changes by a transition, and not otherwise', async () => {
    const { run } = await start()
    const set = `http(method="PUT", url="${jiraBase}/issue/ABC-7", json={"fields": {"status": {"name": "Done"}}})`
    expect(await run(set)).toMatchObject({ status: 400, body: { errors: { status: expect.any(String) } } })
    await run(`http(method="POST", url="${jiraBase}/issue/ABC-7/transitions", json={"transition": {"id": "31"}})`)
    expect(await run(get('/issue/ABC-7?fields=status'))).toMatchObject({
      body: { fields: { status: { name: 'Done' } } },
    })
  })

  it('null takes an assignee away', async () => {
    const { run } = await start()
    const assign = `http(method="PUT", url="${jiraBase}/issue/ABC-7/assignee", json={"accountId": None})`
    expect(await run(assign)).toMatchObject({ status: 204 })
    expect(await run(get('/issue/ABC-7'))).toMatchObject({ body: { fields: { assignee: null } } })
  })

  it('a search without fields gives ids only', async () => {
    const { run } = await start()
    const found = await run(
      `http(method="GET", url="${jiraBase}/search/jql", query={"jql": "project = ABC", "maxResults": 1})`,
    )
    expect(found).toMatchObject({ body: { issues: [{ id: '10001' }] } })
    expect(found).not.toHaveProperty('body.issues.0.key')
  })

  it('projects go on at startAt', async () => {
    const { run } = await start()
    expect(await run(get('/project/search?startAt=50'))).toMatchObject({
      body: { isLast: true, values: { 9: { key: 'P59' } } },
    })
  })

  it('a field that is missing is named', async () => {
    const { run } = await start()
    const made = `http(method="POST", url="${jiraBase}/issue", json={"fields": {"project": {"key": "ABC"}, "issuetype": {"name": "Task"}}})`
    expect(await run(made)).toMatchObject({ status: 400, body: { errors: { summary: expect.any(String) } } })
  })
})
