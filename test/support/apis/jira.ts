import { z } from 'zod'
import type { Json, JsonObject } from '../../../core/domain/json.ts'
import { type Api, type ApiAnswer, type ApiRequest, pageOf, type RoutedRequest, startApi } from './server.ts'

/** Source: developer.atlassian.com/cloud/jira/platform/rest/v3, asked by way of the gateway that API tokens with scopes need. */
export const jiraCloud = '11111111-2222-4333-8444-555555555555'
export const jiraBase = `https://api.atlassian.com/ex/jira/${jiraCloud}/rest/api/3`
export const jiraTokens = { full: 'octo@tides.example:ATATT-loopback', reading: 'octo@tides.example:ATATT-reading' }

const failed = (status: number, errorMessages: readonly string[], errors: JsonObject = {}): ApiAnswer => ({
  status,
  body: { errorMessages: [...errorMessages], errors },
})

export const jiraLimit: ApiAnswer = {
  ...{ status: 429, headers: { 'retry-after': '17', 'x-ratelimit-reset': '2026-01-01T00:00:00Z' } },
  body: { message: 'Rate limit exceeded.' },
}

const paragraph = z.object({
  type: z.literal('paragraph'),
  content: z.array(z.object({ type: z.literal('text'), text: z.string().min(1) })),
})
const doc = z.object({ type: z.literal('doc'), version: z.literal(1), content: z.array(paragraph) })
const fields = z.object({ summary: z.string().min(1), description: doc.optional() })
const newIssue = z.object({
  fields: fields.extend({ project: z.object({ key: z.string() }), issuetype: z.object({ name: z.string() }) }),
})
const change = z.object({ fields: fields.partial().strict() })

const octo = { accountId: '5b10', displayName: 'Octo', emailAddress: 'octo@tides.example' }
const statuses = new Map([
  ['11', 'To Do'],
  ['21', 'In Progress'],
  ['31', 'Done'],
])

/** 120 issues of the project ABC, the odd ones assigned, every third done; 60 projects. */
export function startJira(): Promise<Api> {
  const issues = Array.from({ length: 120 }, (_, at) => issueOf(at + 1))
  const withIssue = (request: RoutedRequest, then: (issue: Issue) => ApiAnswer): ApiAnswer => {
    const issue = issues.find(({ key }) => key === request.params.key)
    return issue === undefined
      ? failed(404, ['Issue does not exist or you do not have permission to see it.'])
      : then(issue)
  }

  const search = ({ query }: RoutedRequest): ApiAnswer => {
    const restriction = (query.jql ?? '').replace(/\s*ORDER BY .*$/, '')
    if (restriction === '') {
      return failed(400, ['Unbounded JQL queries are not allowed here. Please add a search restriction to your query.'])
    }
    const clauses = restriction.split(' AND ').map(clauseOf)
    const wrong = clauses.find((clause) => typeof clause === 'string')
    if (typeof wrong === 'string') return failed(400, [wrong])
    const hits = issues.filter((issue) => clauses.every((clause) => typeof clause !== 'string' && clause(issue)))
    const from = query.nextPageToken === undefined ? 0 : Number(/^page:(\d+)$/.exec(query.nextPageToken)?.[1])
    if (Number.isNaN(from)) return failed(400, ['The nextPageToken is invalid or has expired.'])
    const { rows, next } = pageOf(hits, from, Math.min(Number(query.maxResults ?? 50), 100))
    const shown = rows.map((issue) => shownOf(issue, query.fields ?? 'id'))
    return {
      status: 200,
      body: { issues: shown, isLast: next === undefined, ...(next !== undefined && { nextPageToken: `page:${next}` }) },
    }
  }
  const create = ({ body }: RoutedRequest): ApiAnswer => {
    const { data } = newIssue.safeParse(body)
    if (data === undefined) return failed(400, [], { summary: 'You must specify a summary of the issue.' })
    if (data.fields.project.key !== 'ABC') return failed(400, [], { project: 'valid project is required' })
    const { summary, description = null } = data.fields
    const issue = { ...issueOf(issues.length + 1), summary, description }
    issues.push(issue)
    return { status: 201, body: { id: issue.id, key: issue.key, self: `${jiraBase}/issue/${issue.id}` } }
  }
  const edit = (request: RoutedRequest) =>
    withIssue(request, (issue) => {
      const { data } = change.safeParse(request.body)
      if (data === undefined)
        return failed(400, [], { status: "Field 'status' cannot be set. It is not on the screen." })
      Object.assign(issue, data.fields)
      return { status: 204 }
    })
  const move = (request: RoutedRequest) =>
    withIssue(request, (issue) => {
      const { data } = z.object({ transition: z.object({ id: z.string() }) }).safeParse(request.body)
      const status = statuses.get(data?.transition.id ?? '')
      if (status === undefined) return failed(400, ["The transition is not valid for this issue's state."])
      issue.status = status
      return { status: 204 }
    })
  const comment = (request: RoutedRequest) =>
    withIssue(request, (issue) => {
      const { data } = z.object({ body: doc }).safeParse(request.body)
      if (data === undefined) return failed(400, [], { comment: 'Comment body is not valid!' })
      const made = { id: String(10_000 + issue.comments.length), author: octo, body: data.body }
      issue.comments.push(made)
      return { status: 201, body: made }
    })
  const assign = (request: RoutedRequest) =>
    withIssue(request, (issue) => {
      const { data } = z.object({ accountId: z.string().nullable() }).safeParse(request.body)
      if (data === undefined) return failed(400, ['accountId is required.'])
      if (data.accountId !== null && data.accountId !== octo.accountId) return failed(400, ['The user does not exist.'])
      issue.assignee = data.accountId === null ? null : octo
      return { status: 204 }
    })

  const at = `/ex/jira/${jiraCloud}/rest/api/3`
  return startApi({
    'https://api.atlassian.com': {
      gate,
      missing: () => failed(404, ['Not Found']),
      notJson: failed(400, ['There was an error parsing JSON. Check that your request body is valid.']),
      routes: {
        [`GET ${at}/search/jql`]: search,
        [`GET ${at}/issue/createmeta/ABC/issuetypes`]: () => ({
          status: 200,
          body: { startAt: 0, maxResults: 50, total: 1, issueTypes: [{ id: '1', name: 'Task', subtask: false }] },
        }),
        [`GET ${at}/issue/:key`]: (request) =>
          withIssue(request, (issue) => ({ status: 200, body: shownOf(issue, request.query.fields ?? '*all') })),
        [`GET ${at}/issue/:key/transitions`]: (request) =>
          withIssue(request, () => ({
            status: 200,
            body: { transitions: [...statuses].map(([id, name]) => ({ id, name: `To ${name}`, to: { name } })) },
          })),
        [`GET ${at}/project/search`]: projects,
        [`GET ${at}/user/search`]: ({ query }) => ({
          status: 200,
          body: octo.displayName.toLowerCase().includes((query.query ?? '').toLowerCase()) ? [octo] : [],
        }),
        [`POST ${at}/issue`]: create,
        [`PUT ${at}/issue/:key`]: edit,
        [`POST ${at}/issue/:key/transitions`]: move,
        [`POST ${at}/issue/:key/comment`]: comment,
        [`PUT ${at}/issue/:key/assignee`]: assign,
      },
    },
  })
}

/** The gateway itself answers 401, for a token that lacks a scope as well. */
function gate({ method, headers }: ApiRequest): ApiAnswer | undefined {
  const [kind, encoded = ''] = (headers.authorization ?? '').split(' ')
  const pair = kind === 'Basic' ? Buffer.from(encoded, 'base64').toString() : ''
  if (pair === jiraTokens.full || (pair === jiraTokens.reading && method === 'GET')) return undefined
  const message = pair === jiraTokens.reading ? 'Unauthorized; scope does not match' : 'Unauthorized'
  return { status: 401, body: { code: 401, message } }
}

interface Issue {
  readonly id: string
  readonly key: string
  summary: string
  description: Json
  status: string
  assignee: JsonObject | null
  readonly comments: JsonObject[]
}

function issueOf(at: number): Issue {
  return {
    ...{ id: String(10_000 + at), key: `ABC-${at}`, summary: `Gauge ${at}`, description: null, comments: [] },
    ...{ status: at % 3 === 0 ? 'Done' : 'To Do', assignee: at % 2 === 1 ? octo : null },
  }
}

function shownOf({ id, key, summary, description, status, assignee, comments }: Issue, wanted: string): JsonObject {
  if (wanted === 'id') return { id }
  const comment = { comments, total: comments.length }
  const all = {
    summary,
    description,
    assignee,
    comment,
    status: { name: status },
    updated: '2026-01-05T12:00:00.000+0000',
  }
  const names = wanted.split(',')
  const shown = Object.entries(all).filter(([name]) => wanted === '*all' || names.includes(name))
  return { id, key, fields: Object.fromEntries(shown) }
}

/** As much of JQL as the text names; a sentence where it is none. */
function clauseOf(clause: string): ((issue: Issue) => boolean) | string {
  if (clause === 'assignee = currentUser()') return ({ assignee }) => assignee?.accountId === octo.accountId
  const [, field, operator, quoted] = /^(project|status|text|updated) (=|!=|~|>=) (.+)$/.exec(clause) ?? []
  if (quoted === undefined) return `Error in the JQL Query: Expecting operator but got '${clause}'.`
  const value = quoted.replace(/^"(.*)"$/, '$1')
  if (field === 'project') {
    return value === 'ABC' ? () => true : `The value '${value}' does not exist for the field 'project'.`
  }
  if (field === 'updated') return () => true
  if (field === 'text') return ({ summary }) => summary.includes(value)
  return ({ status }) => (status === value) === (operator === '=')
}

function projects({ query }: RoutedRequest): ApiAnswer {
  const all = Array.from({ length: 60 }, (_, at) => ({
    id: String(at),
    key: at === 0 ? 'ABC' : `P${at}`,
    name: `Harbour ${at}`,
  }))
  const startAt = Number(query.startAt ?? 0)
  const { rows, next } = pageOf(all, startAt, Math.min(Number(query.maxResults ?? 50), 50))
  return { status: 200, body: { startAt, maxResults: 50, total: all.length, isLast: next === undefined, values: rows } }
}
