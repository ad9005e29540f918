import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../core/domain/json.ts'
import { describeFormat } from '../support/apis/format.ts'
import { linearDone, linearKey, linearLimit, linearTeam, linearUrl, startLinear } from '../support/apis/linear.ts'
import { begin, closeSandboxAtEnd, documentedCalls, shippedSkill } from '../support/apis/skill.ts'

closeSandboxAtEnd()
const skill = shippedSkill('linear')
const secrets = { linear_api_key: linearKey }
const start = (given: Readonly<Record<string, string>> = secrets) =>
  begin({ skill: skill.file, start: startLinear, secrets: given })

const ask = (query: string, variables: JsonObject = {}) =>
  `http(method="POST", url="${linearUrl}", json={"query": ${JSON.stringify(query)}, "variables": ${python(variables)}})`
const python = (value: JsonObject) =>
  JSON.stringify(value)
    .replace(/\btrue\b/g, 'True')
    .replace(/\bnull\b/g, 'None')

describeFormat(skill)

/** The second column of its tables: what is asked stands there as it is sent. */
const documented = [...skill.file.body.matchAll(/^\|[^|]*\| `([^`]+)`/gm)].flatMap(([, each]) => each ?? [])
const reads: readonly (readonly [string, JsonObject])[] = [
  ['viewer { id name }', { viewer: { name: 'Octo' } }],
  [
    'teams(filter: {key: {eq: "ENG"}}) { nodes { id name states { nodes { id name type } } } }',
    { teams: { nodes: [{ name: 'Engineering', states: { nodes: [{ type: 'unstarted' }, { name: 'Done' }] } }] } },
  ],
  [
    'issue(id: "ENG-123") { id title description state { name } comments { nodes { body user { name } } } }',
    { issue: { title: 'Gauge 123 shows words', state: { name: 'Todo' }, comments: { nodes: [{ body: 'Seen.' }] } } },
  ],
  [
    'issues(first: 50, filter: {}) { nodes { identifier title } pageInfo { hasNextPage endCursor } }',
    { issues: { nodes: { 49: { identifier: 'ENG-50' } }, pageInfo: { hasNextPage: true } } },
  ],
  [
    'searchIssues(term: "words", first: 20) { nodes { identifier title } }',
    { searchIssues: { nodes: { 19: { identifier: 'ENG-20' } } } },
  ],
  ['projects { nodes { id name } }', { projects: { nodes: [{ name: 'Harbour' }, { name: 'Estuary' }] } }],
]
const writes: readonly (readonly [string, string, JsonObject, JsonObject])[] = [
  [
    'issueCreate(input: $input) { success issue { identifier url } }',
    '$input: IssueCreateInput!',
    {
      input: {
        teamId: linearTeam,
        title: 'Ebb',
        description: '**Early**',
        priority: 2,
        labelIds: [],
        stateId: linearDone,
      },
    },
    { issueCreate: { success: true, issue: { identifier: 'ENG-131' } } },
  ],
  [
    'issueUpdate(id: $id, input: $input) { success issue { identifier } }',
    '$id: String!, $input: IssueUpdateInput!',
    { id: 'ENG-1', input: { stateId: linearDone } },
    { issueUpdate: { success: true, issue: { identifier: 'ENG-1' } } },
  ],
  [
    'commentCreate(input: $input) { success comment { id } }',
    '$input: CommentCreateInput!',
    { input: { issueId: 'ENG-1', body: 'Seen.' } },
    { commentCreate: { success: true, comment: { id: expect.any(String) } } },
  ],
  ['issueArchive(id: $id) { success }', '$id: String!', { id: 'ENG-1' }, { issueArchive: { success: true } }],
]

describe('the calls of the text', () => {
  it('are all made here', () => {
    expect(documentedCalls(skill.file)).toEqual([`POST ${linearUrl}`])
    expect(documented).toEqual([...reads, ...writes].map(([asked]) => asked))
  })

  it.each(reads)('query { %s }', async (asked, data) => {
    const { api, run } = await start()
    expect(await run(ask(`query { ${asked} }`))).toMatchObject({ status: 200, body: { data } })
    expect(api.requests[0]).toMatchObject({ method: 'POST', path: '/graphql', headers: { authorization: linearKey } })
  })

  it.each(writes)('mutation { %s }', async (asked, declared, variables, data) => {
    const { run } = await start()
    expect(await run(ask(`mutation(${declared}) { ${asked} }`, variables))).toMatchObject({
      status: 200,
      body: { data },
    })
  })

  it.each(['cycles', 'issueLabels', 'users'])('%s are read as projects are', async (name) => {
    const { run } = await start()
    const body = { data: { [name]: { nodes: expect.any(Array) } } }
    expect(await run(ask(`query { ${name} { nodes { id name } } }`))).toMatchObject({ status: 200, body })
  })

  it('what was written is there', async () => {
    const { run } = await start()
    await run(
      ask('mutation($id: String!, $input: IssueUpdateInput!) { issueUpdate(id: $id, input: $input) { success } }', {
        id: 'ENG-1',
        input: { stateId: linearDone },
      }),
    )
    await run(
      ask('mutation($input: CommentCreateInput!) { commentCreate(input: $input) { success } }', {
        input: { issueId: 'ENG-1', body: 'Seen.' },
      }),
    )
    const issue = { state: { name: 'Done' }, comments: { nodes: [{ body: 'Seen.' }] } }
    const asked = 'query { issue(id: "ENG-1") { state { name } comments { nodes { body } } } }'
    expect(await run(ask(asked))).toMatchObject({ body: { data: { issue } } })
    await run(ask('mutation { issueArchive(id: "ENG-1") { success } }'))
    expect(await run(ask(asked))).toMatchObject({
      status: 200,
      body: { errors: [{ extensions: { code: 'INPUT_ERROR' } }] },
    })
  })
})

describe('linear_issues', () => {
  it('walks all pages', async () => {
    const { api, run } = await start()
    const found = await run('linear_issues(most=1000)')
    expect(found).toHaveLength(130)
    expect(found).toMatchObject({
      129: { identifier: 'ENG-130', state: { type: 'completed' }, assignee: { name: 'Octo' } },
    })
    const after = api.requests.map(({ body }) => body)
    expect(after).toMatchObject([
      { variables: { after: null } },
      { variables: { after: expect.stringMatching(/50$/) } },
      { variables: { after: expect.stringMatching(/100$/) } },
    ])
  })

  it('takes the filter of the text', async () => {
    const [, filter = ''] = /comparators: `([^`]+)`/.exec(skill.file.body) ?? []
    const { run } = await start()
    const found = await run(`linear_issues(${filter.replace('true', 'True')})`)
    expect(found).toEqual([])
    const mine = filter.replace('true', 'True').replace(/"priority": \{[^}]*\}, /, '')
    expect(await run(`linear_issues(${mine})`)).toMatchObject([
      { identifier: 'ENG-105' },
      { identifier: 'ENG-115' },
      { identifier: 'ENG-125' },
    ])
  })

  it('takes either of several', async () => {
    const { run } = await start()
    const found = await run(
      'linear_issues({"or": [{"priority": {"eq": 1}}, {"assignee": {"isMe": {"eq": True}}}]}, most=3)',
    )
    expect(found).toMatchObject([{ identifier: 'ENG-1' }, { identifier: 'ENG-5' }, { identifier: 'ENG-6' }])
  })

  it('gives back what is wrong with a filter', async () => {
    const { run } = await start()
    const message = { errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] }
    expect(await run('linear_issues({"status": {"eq": "Done"}})')).toMatchObject({ error: 400, message })
  })

  it.each([
    ['without a key', {}],
    ['with a key that is refused', { linear_api_key: 'gone' }],
  ])('is refused %s', async (_how, given) => {
    const { run } = await start(given)
    const message = { errors: [{ extensions: { code: 'AUTHENTICATION_ERROR' } }] }
    expect(await run('linear_issues()')).toMatchObject({ error: 401, message })
  })

  it('says until when to wait, in the middle of the pages too', async () => {
    const { api, run } = await start()
    api.answerAt(1, linearLimit)
    const message = { errors: [{ extensions: { code: 'RATELIMITED' } }] }
    expect(await run('linear_issues(most=1000)')).toMatchObject({ error: 400, message, reset: '1767225600000' })
  })

  it('gives back a breakdown that is no JSON', async () => {
    const { api, run } = await start()
    api.answerAt(0, { status: 502, body: 'Bad gateway' })
    expect(await run('linear_issues()')).toMatchObject({ error: 502, message: 'Bad gateway' })
  })
})

describe('linear_create_issue', () => {
  it('creates an issue that is then found', async () => {
    const { run } = await start()
    const made = { identifier: 'ENG-131', url: 'https://linear.app/tides/issue/ENG-131' }
    expect(await run('linear_create_issue("ENG", "Ebb", "Early.")')).toEqual(made)
    const issue = { title: 'Ebb', description: 'Early.' }
    expect(await run(ask('query { issue(id: "ENG-131") { title description } }'))).toMatchObject({
      body: { data: { issue } },
    })
  })

  it('says that there is no such team', async () => {
    const { run } = await start()
    expect(await run('linear_create_issue("SEA", "Ebb")')).toEqual({ error: 'no such team', message: 'SEA' })
  })

  it('gives back the field that is refused, which comes with HTTP 200', async () => {
    const { run } = await start()
    const message = { errors: [{ message: expect.stringContaining('title'), extensions: { code: 'INPUT_ERROR' } }] }
    expect(await run('linear_create_issue("ENG", "")')).toMatchObject({ error: 200, message })
  })
})

describe('what else the text says', () => {
  it.each([
    ['a name that is wrong', 'query { issue(id: "ENG-1") { name } }', 400, 'GRAPHQL_VALIDATION_FAILED'],
    ['an issue that is not there', 'query { issue(id: "ENG-999") { title } }', 200, 'INPUT_ERROR'],
    ['a page that is too large', 'query { issues(first: 251) { nodes { title } } }', 200, 'INPUT_ERROR'],
  ])('%s is told', async (_what, query, status, code) => {
    const { run } = await start()
    expect(await run(ask(query))).toMatchObject({ status, body: { errors: [{ extensions: { code } }] } })
  })

  it('lists multiply by first: too much is told, less is answered', async () => {
    const { run } = await start()
    const query = (first: number) =>
      `query { issues(first: ${first}) { nodes { title comments { nodes { body user { name } } } } } }`
    expect(await run(ask(query(250)))).toMatchObject({
      status: 400,
      body: { errors: [{ message: 'Query too complex' }] },
    })
    expect(await run(ask(query(50)))).toMatchObject({ status: 200, body: { data: { issues: { nodes: { 49: {} } } } } })
  })
})
