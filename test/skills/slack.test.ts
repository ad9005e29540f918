import { describe, expect, it } from 'vitest'
import { describeCalls, describeFormat } from '../support/apis/format.ts'
import { begin, closeSandboxAtEnd, shippedSkill } from '../support/apis/skill.ts'
import { slackBase, slackLimit, slackTokens, startSlack } from '../support/apis/slack.ts'

closeSandboxAtEnd()
const skill = shippedSkill('slack')
const start = (token: string | null = slackTokens.bot) =>
  begin({ skill: skill.file, start: startSlack, secrets: token === null ? {} : { slack_bot_token: token } })
const first = '1767225600.000001'
const last = '1767225600.000150'

describeFormat(skill)

describeCalls({
  skill,
  base: slackBase,
  start: startSlack,
  secrets: { slack_bot_token: slackTokens.bot },
  rows: [
    [
      'POST /chat.postMessage',
      `http(method="POST", url="${slackBase}/chat.postMessage", json={"channel": "C1", "text": "Ebb", "thread_ts": "${first}"})`,
      200,
      { ok: true, channel: 'C1', ts: '1767225600.000151', message: { text: 'Ebb', thread_ts: first } },
    ],
    [
      'POST /chat.update',
      `http(method="POST", url="${slackBase}/chat.update", json={"channel": "C1", "ts": "${first}", "text": "Ebb"})`,
      200,
      { ok: true, channel: 'C1', ts: first, text: 'Ebb' },
    ],
    [
      'POST /chat.delete',
      `http(method="POST", url="${slackBase}/chat.delete", json={"channel": "C1", "ts": "${first}"})`,
      200,
      { ok: true, channel: 'C1', ts: first },
    ],
    [
      'GET /conversations.list?types=public_channel,private_channel&exclude_archived=true&limit=200',
      `http(method="GET", url="${slackBase}/conversations.list?types=public_channel,private_channel&exclude_archived=true&limit=200")`,
      200,
      (body) => {
        expect(body).toMatchObject({ ok: true, response_metadata: { next_cursor: expect.stringMatching(/./) } })
        expect(body).toHaveProperty('channels.length', 200)
        expect(body).toHaveProperty('channels.2.id', 'C4')
      },
    ],
    [
      'GET /conversations.history?channel=C…&limit=100&oldest={ts}',
      `http(method="GET", url="${slackBase}/conversations.history", query={"channel": "C1", "limit": 100, "oldest": "1767225600.000148"})`,
      200,
      { ok: true, messages: [{ ts: last, text: 'Tide 150' }, { text: 'Tide 149' }], has_more: false },
    ],
    [
      'GET /conversations.replies?channel=C…&ts={ts}',
      `http(method="GET", url="${slackBase}/conversations.replies", query={"channel": "C1", "ts": "${first}"})`,
      200,
      { ok: true, messages: [{ ts: first }] },
    ],
    [
      'POST /conversations.open',
      `http(method="POST", url="${slackBase}/conversations.open", json={"users": "U7"})`,
      200,
      { ok: true, channel: { id: 'D7' } },
    ],
    [
      'GET /users.list?limit=200',
      `http(method="GET", url="${slackBase}/users.list", query={"limit": 200})`,
      200,
      (body) => expect(body).toHaveProperty('members.length', 200),
    ],
    [
      'GET /users.lookupByEmail?email={email}',
      `http(method="GET", url="${slackBase}/users.lookupByEmail", query={"email": "mate7@tides.example"})`,
      200,
      { ok: true, user: { id: 'U7' } },
    ],
    [
      'GET /search.messages?query={words}&count=20&page=1',
      `http(method="GET", url="${slackBase}/search.messages", query={"query": "Tide", "count": 20, "page": 1})`,
      200,
      { ok: false, error: 'not_allowed_token_type' },
    ],
  ],
})

describe('slack_channel_id', () => {
  it.each([
    ['gauge-1', 'C1', 1],
    ['#gauge-449', 'C449', 3],
    ['gauge-3', null, 3],
  ])('%s is %s after %i pages', async (name, id, pages) => {
    const { api, run } = await start()
    expect(await run(`slack_channel_id("${name}")`)).toBe(id)
    expect(api.requests).toHaveLength(pages)
    expect(api.requests.map(({ query }) => query.cursor)).toEqual(
      [undefined, 'bmV4dDoyMDA=', 'bmV4dDo0MDA='].slice(0, pages),
    )
  })

  it.each([
    ['a right that is missing', slackTokens.narrow, { error: 'missing_scope', needed: 'groups:read' }],
    ['a token that is refused', 'xoxb-gone', { error: 'invalid_auth', needed: null }],
    ['a token that is missing', null, { error: 'not_authed', needed: null }],
  ])('says so of %s, which comes with HTTP 200', async (_what, token, error) => {
    expect(await (await start(token)).run('slack_channel_id("gauge-1")')).toEqual(error)
  })

  it('says how long to wait, in the middle of the pages too', async () => {
    const { api, run } = await start()
    api.answerAt(1, slackLimit)
    expect(await run('slack_channel_id("gauge-449")')).toMatchObject({ error: 429, retry_after: '30' })
  })

  it('gives back a breakdown that is no JSON', async () => {
    const { api, run } = await start()
    api.answerAt(0, { status: 503, body: 'upstream connect error' })
    expect(await run('slack_channel_id("gauge-1")')).toMatchObject({ error: 503, message: 'upstream connect error' })
  })
})

describe('slack_post', () => {
  it('posts what is then the newest message', async () => {
    const { api, run } = await start()
    expect(await run('slack_post("C1", "Ebb")')).toEqual({ channel: 'C1', ts: '1767225600.000151' })
    expect(api.requests[0]).toMatchObject({ body: { channel: 'C1', text: 'Ebb' } })
    const history = await run(`http(method="GET", url="${slackBase}/conversations.history", query={"channel": "C1"})`)
    expect(history).toMatchObject({ body: { messages: { 0: { text: 'Ebb' } }, has_more: true } })
  })

  it('answers in a thread', async () => {
    const { run } = await start()
    await run(`slack_post("C1", "Ebb", thread_ts="${first}")`)
    const thread = `http(method="GET", url="${slackBase}/conversations.replies", query={"channel": "C1", "ts": "${first}"})`
    expect(await run(thread)).toMatchObject({ body: { messages: [{ ts: first }, { text: 'Ebb', thread_ts: first }] } })
  })

  it.each([
    ['C2', 'Ebb', 'not_in_channel'],
    ['C900', 'Ebb', 'channel_not_found'],
    ['general', 'Ebb', 'channel_not_found'],
    ['C1', '', 'no_text'],
  ])('to %s with the text "%s" is %s', async (channel, text, error) => {
    const { run } = await start()
    expect(await run(`slack_post("${channel}", "${text}")`)).toEqual({ error, needed: null })
  })

  it('says how long to wait', async () => {
    const { api, run } = await start()
    api.answerAt(0, slackLimit)
    expect(await run('slack_post("C1", "Ebb")')).toMatchObject({ error: 429, retry_after: '30' })
  })
})

describe('what else the text says', () => {
  it('what was said has pages', async () => {
    const { run } = await start()
    const call = (cursor: string) =>
      `http(method="GET", url="${slackBase}/conversations.history", query={"channel": "C1", "limit": 100, "cursor": "${cursor}"})`
    expect(await run(call(''))).toMatchObject({ body: { has_more: true, messages: { 99: { text: 'Tide 51' } } } })
    const next = { messages: { 49: { text: 'Tide 1' } }, response_metadata: { next_cursor: '' } }
    expect(await run(call('bmV4dDoxMDA='))).toMatchObject({ body: next })
    expect(await run(call('guessed'))).toMatchObject({ body: { ok: false, error: 'invalid_cursor' } })
  })

  it('a user token searches, page by page', async () => {
    const { run } = await start(slackTokens.user)
    const call = `http(method="GET", url="${slackBase}/search.messages", query={"query": "Tide", "count": 100, "page": 2})`
    const paging = { count: 100, total: 150, page: 2, pages: 2 }
    expect(await run(call)).toMatchObject({
      body: { ok: true, messages: { paging, matches: { 0: { text: 'Tide 101' } } } },
    })
  })

  it('the token can be tried out: whether it is good stands in the answer, not in the status', async () => {
    const call = `http(method="GET", url="${skill.file.credentials[0]?.test_url}")`
    expect(await (await start()).run(call)).toMatchObject({ status: 200, body: { ok: true, team: 'Tides' } })
    expect(await (await start('gone')).run(call)).toMatchObject({
      status: 200,
      body: { ok: false, error: 'invalid_auth' },
    })
  })
})
