import { z } from 'zod'
import type { Json, JsonObject } from '../../../core/domain/json.ts'
import { type ApiAnswer, type ApiRequest, pageOf, type RoutedRequest, startApi } from './server.ts'

/** Source: docs.github.com/rest, version 2022-11-28. */
export const githubOrigin = 'https://api.github.com'
export const githubToken = 'github_pat_loopback'

const docs = 'https://docs.github.com/rest'
const failed = (status: number, message: string, more: JsonObject = {}): ApiAnswer => ({
  status,
  body: { message, ...more, documentation_url: docs, status: String(status) },
})

/** The primary limit is used up: 403, nothing remaining, and when it begins anew. */
export const githubLimit: ApiAnswer = {
  ...failed(403, 'API rate limit exceeded for user ID 1.'),
  headers: { 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1767225600' },
}

/** The secondary limit: too much at once. */
export const githubSlowDown: ApiAnswer = {
  ...failed(429, 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.'),
  headers: { 'retry-after': '60' },
}

const newIssue = z.object({
  title: z.string().min(1),
  body: z.string().nullish(),
  labels: z.array(z.string()).default([]),
})
const issueChange = z.object({
  title: z.string().min(1).optional(),
  state: z.enum(['open', 'closed']).optional(),
  state_reason: z.enum(['completed', 'not_planned', 'duplicate', 'reopened']).nullish(),
})
const newComment = z.object({ body: z.string().min(1) })

const file = '# Tides\n\nWhen is high water?\n'

/** The public repository octo/tides with 230 open issues, every tenth a pull request; octo/quiet has its issues switched off. */
export function startGithub() {
  const issues = Array.from({ length: 230 }, (_, at) => issueOf(230 - at))
  const comments = new Map<string, JsonObject[]>([['7', [commentOf(1, 'Seen at spring tide.')]]])

  const list = (request: RoutedRequest) => {
    if (request.params.repo === 'quiet') return failed(410, 'Issues has been disabled in this repository.')
    if (request.params.repo !== 'tides') return notFound()
    const { state = 'open' } = request.query
    return paged(
      request,
      issues.filter((issue) => state === 'all' || issue.state === state),
    )
  }
  const issueAt = ({ params }: RoutedRequest) => issues.find((issue) => String(issue.number) === params.number)
  const create = (request: RoutedRequest): ApiAnswer => {
    const { data } = newIssue.safeParse(request.body)
    if (data === undefined) return invalid('Issue', 'title', 'missing_field')
    const labels = data.labels.map((name) => ({ name }))
    const issue = { ...issueOf(issues.length + 1), ...{ title: data.title, body: data.body ?? null, labels } }
    issues.unshift(issue)
    return { status: 201, headers: { location: issue.url }, body: issue }
  }
  const change = (request: RoutedRequest): ApiAnswer => {
    const issue = issueAt(request)
    if (issue === undefined) return notFound()
    const { data } = issueChange.safeParse(request.body)
    if (data === undefined) return invalid('Issue', 'state', 'invalid')
    Object.assign(issue, data)
    return { status: 200, body: issue }
  }
  const comment = (request: RoutedRequest): ApiAnswer => {
    if (issueAt(request) === undefined) return notFound()
    const { data } = newComment.safeParse(request.body)
    if (data === undefined) return invalid('IssueComment', 'body', 'missing_field')
    const before = comments.get(request.params.number ?? '') ?? []
    const made = commentOf(before.length + 1, data.body)
    comments.set(request.params.number ?? '', [...before, made])
    return { status: 201, body: made }
  }
  const search = ({ query, ...request }: RoutedRequest): ApiAnswer => {
    const words = (query.q ?? '').split(' ')
    if (!words.includes('is:issue') && !words.includes('is:pull-request')) {
      return failed(422, "Query must include 'is:issue' or 'is:pull-request'")
    }
    const plain = words.filter((word) => !word.includes(':'))
    const hits = issues.filter(
      (issue) =>
        'pull_request' in issue === words.includes('is:pull-request') &&
        (!words.includes('is:open') || issue.state === 'open') &&
        plain.every((word) => issue.title.includes(word)),
    )
    const { rows, headers } = page({ query, ...request }, hits)
    return { status: 200, headers, body: { total_count: hits.length, incomplete_results: false, items: rows } }
  }

  return startApi({
    [githubOrigin]: {
      gate,
      missing: notFound,
      notJson: failed(400, 'Problems parsing JSON'),
      routes: {
        'GET /user': () => ({ status: 200, body: { login: 'octo', id: 1, type: 'User' } }),
        'GET /repos/octo/:repo/issues': list,
        'POST /repos/octo/tides/issues': create,
        'GET /repos/octo/tides/issues/:number': (request) => found(issueAt(request)),
        'PATCH /repos/octo/tides/issues/:number': change,
        'GET /repos/octo/tides/issues/:number/comments': (request) =>
          issueAt(request) === undefined ? notFound() : paged(request, comments.get(request.params.number ?? '') ?? []),
        'POST /repos/octo/tides/issues/:number/comments': comment,
        'GET /repos/octo/tides/pulls': (request) =>
          paged(
            request,
            issues.filter((issue) => 'pull_request' in issue && issue.state === (request.query.state ?? 'open')),
          ),
        'GET /repos/octo/tides/pulls/:number/files': (request) =>
          issueAt(request) === undefined ? notFound() : paged(request, [changedFile]),
        'GET /repos/octo/tides/contents/:path*': contents,
        'GET /search/issues': search,
      },
    },
  })
}

/** Without a token what is public can be read; writing and the user's own data cannot. */
function gate({ method, path, headers }: ApiRequest): ApiAnswer | undefined {
  if (headers['user-agent'] === undefined) return { status: 403, body: 'Request forbidden by administrative rules.' }
  if (headers.authorization === undefined) {
    return method === 'GET' && path !== '/user' ? undefined : failed(401, 'Requires authentication')
  }
  return headers.authorization === `Bearer ${githubToken}` ? undefined : failed(401, 'Bad credentials')
}

function issueOf(number: number) {
  const place = `repos/octo/tides/issues/${number}`
  const state: string = 'open'
  return {
    ...{ id: 9_000 + number, number, state, title: `High water at gauge ${number}`, body: null as Json },
    ...{ url: `${githubOrigin}/${place}`, html_url: `https://github.com/octo/tides/issues/${number}` },
    ...{ labels: number % 2 === 0 ? [{ name: 'even' }] : [], user: { login: 'octo' }, comments: 0 },
    updated_at: '2026-01-05T12:00:00Z',
    ...(number % 10 === 0 && { pull_request: { url: `${githubOrigin}/repos/octo/tides/pulls/${number}` } }),
  }
}

const commentOf = (id: number, body: string): JsonObject => ({ id, body, user: { login: 'octo' } })
const changedFile = { filename: 'README.md', status: 'modified', additions: 2, deletions: 1, patch: '@@ -1 +1,2 @@' }
const notFound = () => failed(404, 'Not Found')
const found = (body: JsonObject | undefined): ApiAnswer => (body === undefined ? notFound() : { status: 200, body })
const invalid = (resource: string, field: string, code: string) =>
  failed(422, 'Validation Failed', { errors: [{ resource, field, code }] })

function contents({ params, query, headers }: RoutedRequest): ApiAnswer {
  if (params.path !== 'docs/README.md' || (query.ref ?? 'main') !== 'main') return notFound()
  if (headers.accept === 'application/vnd.github.raw+json') {
    return { status: 200, headers: { 'content-type': 'application/vnd.github.raw+json; charset=utf-8' }, body: file }
  }
  const content = Buffer.from(file).toString('base64')
  return { status: 200, body: { type: 'file', path: params.path, size: file.length, encoding: 'base64', content } }
}

function paged(request: ApiRequest, rows: readonly JsonObject[]): ApiAnswer {
  const found = page(request, rows)
  return { status: 200, headers: found.headers, body: found.rows }
}

function page({ path, query }: Pick<ApiRequest, 'path' | 'query'>, rows: readonly JsonObject[]) {
  const size = Math.min(Number(query.per_page ?? 30), 100)
  const at = Number(query.page ?? 1)
  const part = pageOf(rows, (at - 1) * size, size)
  const last = Math.ceil(rows.length / size)
  const link = (to: number, rel: string) =>
    `<${githubOrigin}${path}?${new URLSearchParams({ ...query, page: String(to) })}>; rel="${rel}"`
  const links = [
    ...(at > 1 ? [link(at - 1, 'prev'), link(1, 'first')] : []),
    ...(part.next === undefined ? [] : [link(at + 1, 'next'), link(last, 'last')]),
  ]
  return { rows: part.rows, headers: links.length === 0 ? {} : { link: links.join(', ') } }
}
