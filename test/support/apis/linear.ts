import { z } from 'zod'
import { isJsonObject, type Json, type JsonObject } from '../../../core/domain/json.ts'
import { execute, GraphqlFault, type GraphqlField, type GraphqlTypes } from './graphql.ts'
import { linearFilter } from './linear-filter.ts'
import { type Api, type ApiAnswer, type ApiRequest, pageOf, startApi } from './server.ts'

/** Source: linear.app/developers and the schema that Linear publishes with its SDK. */
export const linearUrl = 'https://api.linear.app/graphql'
export const linearKey = 'lin_api_loopback'

const types = {
  RATELIMITED: 'ratelimited',
  AUTHENTICATION_ERROR: 'authentication error',
  INPUT_ERROR: 'invalid input',
  GRAPHQL_VALIDATION_FAILED: 'graphql error',
  GRAPHQL_PARSE_FAILED: 'graphql error',
}
const failed = (status: number, code: string, message: string): ApiAnswer => ({
  status,
  body: { errors: [{ message, extensions: { type: new Map(Object.entries(types)).get(code) ?? 'unknown', code } }] },
})

export const linearLimit: ApiAnswer = {
  ...failed(400, 'RATELIMITED', 'Rate limit exceeded'),
  headers: { 'x-ratelimit-requests-remaining': '0', 'x-ratelimit-requests-reset': '1767225600000' },
}

const asked = z.object({ query: z.string(), variables: z.record(z.string(), z.json()).nullish() })
const issueInput = z.strictObject({
  title: z.string().min(1),
  description: z.string().nullish(),
  priority: z.int().min(0).max(4).optional(),
  assigneeId: z.string().nullish(),
  labelIds: z.array(z.string()).optional(),
  stateId: z.string().optional(),
})
const newIssue = issueInput.extend({ teamId: z.string() })
const newComment = z.strictObject({ issueId: z.string(), body: z.string().min(1) })

/** 130 issues, ENG-1 to ENG-130, the even ones done, every fifth mine; a team without any; two projects. */
export function startLinear(): Promise<Api> {
  const issues = Array.from({ length: 130 }, (_, at) => issueOf(at + 1))
  const issueAt = (id: Json | undefined): Record<string, Json> => {
    const issue = issues.find((each) => each.id === id || each.identifier === id)
    if (issue === undefined) throw new GraphqlFault('INPUT_ERROR', 'Entity not found: Issue')
    return issue
  }
  const create = (_parent: JsonObject, { input }: JsonObject): Json => {
    const data = parsed(newIssue, input)
    if (!teams.some((team) => team.id === data.teamId)) throw new GraphqlFault('INPUT_ERROR', 'Entity not found: Team')
    const issue = { ...issueOf(issues.length + 1), ...written(data) }
    issues.push(issue)
    return { success: true, issue }
  }
  const update = (_parent: JsonObject, { id, input }: JsonObject): Json => {
    const issue = issueAt(id)
    Object.assign(issue, written(parsed(issueInput.partial(), input)))
    return { success: true, issue }
  }
  const comment = (_parent: JsonObject, { input }: JsonObject): Json => {
    const { issueId, body } = parsed(newComment, input)
    const issue = issueAt(issueId)
    const made = { id: uuid(9_000), body, user: me }
    const before = isJsonObject(issue.comments) && Array.isArray(issue.comments.nodes) ? issue.comments.nodes : []
    issue.comments = { nodes: [...before, made] }
    return { success: true, comment: made }
  }
  const archive = (_parent: JsonObject, { id }: JsonObject): Json => {
    const issue = issueAt(id)
    issues.splice(
      issues.findIndex((each) => each.id === issue.id),
      1,
    )
    return { success: true, entity: issue }
  }
  const schema: GraphqlTypes = {
    ...objectTypes,
    Query: {
      viewer: { type: 'User', resolve: () => me },
      teams: connection('Team', 'TeamFilter', () => teams),
      issue: { type: 'Issue', args: { id: 'String' }, resolve: (_parent, { id }) => issueAt(id) },
      issues: connection('Issue', 'IssueFilter', () => issues),
      searchIssues: {
        ...connection('Issue', 'IssueFilter', () => []),
        args: { term: 'String', first: 'Int', after: 'String' },
        resolve: (_parent, args) =>
          paged(
            issues.filter(({ title }) => title.includes(String(args.term))),
            args,
          ),
      },
      projects: connection('Named', 'ProjectFilter', () => projects),
      cycles: connection('Named', 'CycleFilter', () => []),
      issueLabels: connection('Named', 'IssueLabelFilter', () => [{ id: uuid(700), name: 'ebb' }]),
      users: connection('User', 'UserFilter', () => [me]),
    },
    Mutation: {
      issueCreate: { type: 'IssuePayload', args: { input: 'IssueCreateInput' }, resolve: create },
      issueUpdate: { type: 'IssuePayload', args: { id: 'String', input: 'IssueUpdateInput' }, resolve: update },
      commentCreate: { type: 'CommentPayload', args: { input: 'CommentCreateInput' }, resolve: comment },
      issueArchive: { type: 'IssueArchivePayload', args: { id: 'String' }, resolve: archive },
    },
  }
  return startApi({
    'https://api.linear.app': {
      gate,
      missing: () => ({ status: 404, body: 'Not Found' }),
      notJson: failed(400, 'GRAPHQL_PARSE_FAILED', 'The body is no JSON.'),
      routes: { 'POST /graphql': ({ body }) => answer(body, schema) },
    },
  })
}

/** What cannot run at all is HTTP 400; what failed while it ran stands beside `data`, with HTTP 200. */
function answer(body: Json, schema: GraphqlTypes): ApiAnswer {
  const { data: request } = asked.safeParse(body)
  if (request === undefined) return failed(400, 'GRAPHQL_VALIDATION_FAILED', 'The query must be a text.')
  try {
    return { status: 200, body: { data: execute(request.query, request.variables ?? {}, schema) } }
  } catch (error) {
    if (!(error instanceof GraphqlFault)) throw error
    const isRun = error.code === 'INPUT_ERROR' && error.message !== 'Query too complex'
    return failed(isRun ? 200 : 400, error.code, error.message)
  }
}

function gate({ headers }: ApiRequest): ApiAnswer | undefined {
  if (headers.authorization === linearKey) return undefined
  if (headers.authorization !== `Bearer ${linearKey}`) {
    return failed(401, 'AUTHENTICATION_ERROR', 'Authentication required, not authenticated')
  }
  const message = 'It looks like you are trying to use an API key as a Bearer token. Remove the Bearer prefix.'
  return failed(400, 'AUTHENTICATION_ERROR', message)
}

const value: GraphqlField = { type: null }
const pageInfo = { PageInfo: { hasNextPage: value, endCursor: value } }
const listOf = (type: string) => ({ nodes: { type }, pageInfo: { type: 'PageInfo' } })
const objectTypes: GraphqlTypes = {
  ...pageInfo,
  User: { id: value, name: value, email: value },
  Named: { id: value, name: value, number: value },
  State: { id: value, name: value, type: value },
  Comment: { id: value, body: value, user: { type: 'User' } },
  Team: { id: value, key: value, name: value, states: { type: 'StateConnection', isConnection: true } },
  Issue: {
    ...{
      id: value,
      identifier: value,
      title: value,
      description: value,
      url: value,
      priority: value,
      updatedAt: value,
    },
    ...{ state: { type: 'State' }, assignee: { type: 'User' }, team: { type: 'Team' } },
    comments: { type: 'CommentConnection', isConnection: true, args: { first: 'Int', after: 'String' } },
  },
  IssueConnection: listOf('Issue'),
  TeamConnection: listOf('Team'),
  UserConnection: listOf('User'),
  NamedConnection: listOf('Named'),
  StateConnection: listOf('State'),
  CommentConnection: listOf('Comment'),
  IssuePayload: { success: value, issue: { type: 'Issue' } },
  IssueArchivePayload: { success: value, entity: { type: 'Issue' } },
  CommentPayload: { success: value, comment: { type: 'Comment' } },
}

function connection(type: string, filter: string, rows: () => readonly JsonObject[]): GraphqlField {
  return {
    ...{ type: `${type}Connection`, isConnection: true, args: { first: 'Int', after: 'String', filter } },
    resolve: (_parent, args) => paged(rows().filter(linearFilter(args.filter ?? {})), args),
  }
}

function paged(rows: readonly JsonObject[], { first, after }: JsonObject): JsonObject {
  const size = Number(first ?? 50)
  if (size > 250) throw new GraphqlFault('INPUT_ERROR', 'first must not be greater than 250')
  const from = typeof after === 'string' ? rows.findIndex(({ id }) => id === after) + 1 : 0
  const page = pageOf(rows, from, size)
  return {
    nodes: page.rows,
    pageInfo: { hasNextPage: page.next !== undefined, endCursor: page.rows.at(-1)?.id ?? null },
  }
}

function parsed<Data>(schema: z.ZodType<Data>, input: Json | undefined): Data {
  const { data, error } = schema.safeParse(input)
  if (data === undefined)
    throw new GraphqlFault('INPUT_ERROR', `Argument Validation Error: ${error?.issues[0]?.path.join('.')}`)
  return data
}

/** What was given, as the issue shows it. */
function written({ stateId, assigneeId, ...rest }: z.infer<ReturnType<typeof issueInput.partial>>): JsonObject {
  const state = states.find(({ id }) => id === stateId)
  return z.record(z.string(), z.json()).parse({
    ...rest,
    ...(state !== undefined && { state }),
    ...(assigneeId === me.id && { assignee: me }),
  })
}

function uuid(at: number): string {
  return `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`
}
const me = { id: uuid(300), name: 'Octo', email: 'octo@tides.example', isMe: true }
const states = [
  { id: uuid(401), name: 'Todo', type: 'unstarted' },
  { id: uuid(402), name: 'Done', type: 'completed' },
]
export const linearDone = uuid(402)
const teams = [
  { id: uuid(501), key: 'ENG', name: 'Engineering', states: { nodes: states } },
  { id: uuid(502), key: 'OPS', name: 'Operations', states: { nodes: states } },
]
export const linearTeam = uuid(501)
const projects = [
  { id: uuid(601), name: 'Harbour' },
  { id: uuid(602), name: 'Estuary' },
]

function issueOf(at: number) {
  return {
    ...{ id: uuid(at), identifier: `ENG-${at}`, title: `Gauge ${at} shows words`, description: 'At spring tide.' },
    ...{
      url: `https://linear.app/tides/issue/ENG-${at}`,
      priority: at % 5,
      updatedAt: `2026-01-${at > 100 ? '10' : '01'}T12:00:00.000Z`,
    },
    ...{ state: states[at % 2 === 0 ? 1 : 0] ?? null, assignee: at % 5 === 0 ? me : null, team: teams[0] ?? null },
    comments: { nodes: at === 123 ? [{ id: uuid(8_000), body: 'Seen.', user: me }] : [] } as Json,
  }
}
