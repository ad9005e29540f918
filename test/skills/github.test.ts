import { describe, expect, it } from 'vitest'
import { describeCalls, describeFormat } from '../support/apis/format.ts'
import { githubLimit, githubOrigin, githubSlowDown, githubToken, startGithub } from '../support/apis/github.ts'
import { begin, closeSandboxAtEnd, shippedSkill } from '../support/apis/skill.ts'

closeSandboxAtEnd()
const skill = shippedSkill('github')
const secrets = { github_token: githubToken }
const place = `${githubOrigin}/repos/octo/tides`

const start = (given: Readonly<Record<string, string>> = secrets) =>
  begin({ skill: skill.file, start: startGithub, secrets: given })

describeFormat(skill)

describeCalls({
  skill,
  ...{ base: githubOrigin, start: startGithub, secrets },
  rows: [
    [
      'GET /repos/{owner}/{repo}/issues?state=open&per_page=100',
      `http(method="GET", url="${place}/issues", query={"state": "open", "per_page": 100})`,
      200,
      (rows) => expect(rows).toHaveLength(100),
    ],
    [
      'GET /repos/{owner}/{repo}/issues/{number}',
      `http(method="GET", url="${place}/issues/7", headers={"x-github-api-version": "2022-11-28"})`,
      200,
      { number: 7, state: 'open' },
    ],
    [
      'GET /repos/{owner}/{repo}/issues/{number}/comments',
      `http(method="GET", url="${place}/issues/7/comments")`,
      200,
      [{ id: 1, body: 'Seen at spring tide.' }],
    ],
    [
      'POST /repos/{owner}/{repo}/issues',
      `http(method="POST", url="${place}/issues", json={"title": "Ebb", "body": "Early.", "labels": ["ebb"]})`,
      201,
      { number: 231, title: 'Ebb', body: 'Early.', labels: [{ name: 'ebb' }] },
    ],
    [
      'PATCH /repos/{owner}/{repo}/issues/{number}',
      `http(method="PATCH", url="${place}/issues/7", json={"state": "closed", "state_reason": "completed"})`,
      200,
      { number: 7, state: 'closed', state_reason: 'completed' },
    ],
    [
      'POST /repos/{owner}/{repo}/issues/{number}/comments',
      `http(method="POST", url="${place}/issues/7/comments", json={"body": "Again."})`,
      201,
      { id: 2, body: 'Again.' },
    ],
    [
      'GET /repos/{owner}/{repo}/pulls?state=open',
      `http(method="GET", url="${place}/pulls", query={"state": "open"})`,
      200,
      (rows) => expect(rows).toHaveLength(23),
    ],
    [
      'GET /repos/{owner}/{repo}/pulls/{number}/files',
      `http(method="GET", url="${place}/pulls/10/files")`,
      200,
      [{ filename: 'README.md', status: 'modified' }],
    ],
    [
      'GET /repos/{owner}/{repo}/contents/{path}?ref={branch}',
      `http(method="GET", url="${place}/contents/docs/README.md?ref=main", headers={"accept": "application/vnd.github.raw+json"})`,
      200,
      '# Tides\n\nWhen is high water?\n',
    ],
    [
      'GET /search/issues?q={query}',
      `http(method="GET", url="${githubOrigin}/search/issues", query={"q": "repo:octo/tides is:issue is:open gauge 17"})`,
      200,
      (body) => expect(body).toMatchObject({ total_count: 12, incomplete_results: false }),
    ],
  ],
})

describe('github_issues', () => {
  it('follows the link header to the last page and leaves pull requests out', async () => {
    const { api, run } = await start()
    const issues = await run('github_issues("octo", "tides", most=1000)')
    expect(issues).toHaveLength(207)
    expect(issues).toMatchObject({ 0: { number: 229, title: 'High water at gauge 229', state: 'open', labels: [] } })
    expect(api.requests.map(({ query }) => query.page)).toEqual([undefined, '2', '3'])
    expect(api.requests.every(({ headers }) => headers.authorization === `Bearer ${githubToken}`)).toBe(true)
  })

  it('asks for no more pages than it needs', async () => {
    const { api, run } = await start()
    expect(await run('github_issues("octo", "tides", most=50)')).toHaveLength(50)
    expect(api.requests).toHaveLength(1)
  })

  it('finds what is closed', async () => {
    const { run } = await start()
    expect(await run('github_issues("octo", "tides", state="closed")')).toEqual([])
    await run(`http(method="PATCH", url="${place}/issues/7", json={"state": "closed"})`)
    expect(await run('github_issues("octo", "tides", state="closed")')).toMatchObject([{ number: 7, state: 'closed' }])
  })

  it.each([
    ['a repository that is not there or not to be seen', 'nowhere', { error: 404, message: { message: 'Not Found' } }],
    ['issues that are switched off', 'quiet', { error: 410 }],
  ])('says so of %s', async (_what, repo, error) => {
    const { run } = await start()
    expect(await run(`github_issues("octo", "${repo}")`)).toMatchObject(error)
  })

  it('says until when to wait at the primary limit, in the middle of the pages too', async () => {
    const { api, run } = await start()
    api.answerAt(1, githubLimit)
    expect(await run('github_issues("octo", "tides")')).toMatchObject({
      error: 403,
      retry_after: null,
      reset: '1767225600',
    })
    expect(api.requests).toHaveLength(2)
  })

  it('says how long to wait at the secondary limit', async () => {
    const { api, run } = await start()
    api.answerAt(0, githubSlowDown)
    expect(await run('github_issues("octo", "tides")')).toMatchObject({ error: 429, retry_after: '60' })
  })
})

describe('github_create_issue', () => {
  it('opens an issue that is then listed', async () => {
    const { api, run } = await start()
    expect(await run('github_create_issue("octo", "tides", "Ebb", labels=["ebb"])')).toEqual({
      number: 231,
      url: 'https://github.com/octo/tides/issues/231',
    })
    expect(api.requests[0]).toMatchObject({ body: { title: 'Ebb', body: '', labels: ['ebb'] } })
    expect(await run('github_issues("octo", "tides", most=1)')).toMatchObject([{ number: 231, title: 'Ebb' }])
  })

  it('gives back the field that is missing', async () => {
    const { run } = await start()
    const errors = [{ resource: 'Issue', field: 'title', code: 'missing_field' }]
    expect(await run('github_create_issue("octo", "tides", "")')).toMatchObject({
      error: 422,
      message: { message: 'Validation Failed', errors },
    })
  })

  it.each([
    ['without a token', {}, 'Requires authentication'],
    ['with a token that is refused', { github_token: 'gone' }, 'Bad credentials'],
  ])('writes nothing %s', async (_how, given, message) => {
    const { run } = await start(given)
    expect(await run('github_create_issue("octo", "tides", "Ebb")')).toMatchObject({ error: 401, message: { message } })
  })
})

describe('what else the text says', () => {
  it('a search without is:issue or is:pull-request is refused', async () => {
    const { run } = await start()
    expect(await run(`http(method="GET", url="${githubOrigin}/search/issues", query={"q": "gauge"})`)).toMatchObject({
      status: 422,
    })
  })

  it('the token can be tried out', async () => {
    const url = skill.file.credentials[0]?.test_url
    const call = `http(method="GET", url="${url}")`
    expect(await (await start()).run(call)).toMatchObject({ status: 200, body: { login: 'octo' } })
    expect(await (await start({})).run(call)).toMatchObject({ status: 401 })
  })

  it('without a connection the code reads a RuntimeError', async () => {
    const { run } = await start()
    const code = [
      'try:',
      '    http(method="GET", url="https://api.github.example/user")',
      'except RuntimeError as error:',
      '    found = str(error)',
      'found',
    ]
    expect(await run(code.join('\n'))).toContain('api.github.example')
  })
})
