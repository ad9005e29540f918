import { z } from 'zod'
import type { JsonObject } from '../../../core/domain/json.ts'
import { type Api, type ApiAnswer, type ApiRequest, pageOf, type RoutedRequest, startApi } from './server.ts'

/** Source: docs.slack.dev/reference/methods. */
export const slackBase = 'https://slack.com/api'
export const slackTokens = {
  bot: 'xoxb-loopback',
  /** Without groups:read. */
  narrow: 'xoxb-narrow',
  user: 'xoxp-loopback',
}

const ok = (body: JsonObject): ApiAnswer => ({ status: 200, body: { ok: true, ...body } })
const failed = (error: string, more: JsonObject = {}): ApiAnswer => ({
  status: 200,
  body: { ok: false, error, ...more },
})

export const slackLimit: ApiAnswer = {
  ...{ status: 429, headers: { 'retry-after': '30' } },
  body: { ok: false, error: 'ratelimited' },
}

const newMessage = z.object({ channel: z.string(), text: z.string().default(''), thread_ts: z.string().optional() })
const messageAt = z.object({ channel: z.string(), ts: z.string(), text: z.string().optional() })

interface Message {
  readonly ts: string
  readonly thread_ts?: string
  text: string
}

/** 450 channels, of which C449 is a private one and the bot is in all but C2; C1 holds 150 messages; 230 people. */
export function startSlack(): Promise<Api> {
  const channels = Array.from({ length: 450 }, (_, at) => channelOf(at + 1))
  const people = Array.from({ length: 230 }, (_, at) => personOf(at + 1))
  const messages = Array.from({ length: 150 }, (_, at): Message => ({ ts: stamp(at + 1), text: `Tide ${at + 1}` }))
  const inC1 = (channel: string) => (channel === 'C1' ? undefined : refusalOf(channel))

  const post = ({ body }: RoutedRequest): ApiAnswer => {
    const { data } = newMessage.safeParse(body)
    if (data === undefined) return failed('invalid_arguments')
    const refusal = refusalOf(data.channel)
    if (refusal !== undefined) return refusal
    if (data.text === '') return failed('no_text')
    const message: Message = {
      ...{ ts: stamp(messages.length + 1), text: data.text },
      ...(data.thread_ts !== undefined && { thread_ts: data.thread_ts }),
    }
    messages.push(message)
    return ok({ channel: data.channel, ts: message.ts, message: { type: 'message', ...message } })
  }
  const change = (request: RoutedRequest, then: (at: number, text: string) => void): ApiAnswer => {
    const { data } = messageAt.safeParse(request.body)
    if (data === undefined) return failed('invalid_arguments')
    const at = messages.findIndex(({ ts }) => ts === data.ts)
    const refusal = inC1(data.channel) ?? (at < 0 ? failed('message_not_found') : undefined)
    if (refusal !== undefined) return refusal
    then(at, data.text ?? '')
    return ok({ channel: data.channel, ts: data.ts, ...(data.text !== undefined && { text: data.text }) })
  }
  const update = (request: RoutedRequest) =>
    change(request, (at, text) => {
      const message = messages[at]
      if (message !== undefined) message.text = text
    })
  const history = (request: RoutedRequest): ApiAnswer => {
    const { channel = '', oldest = '0' } = request.query
    const said = messages.filter(({ ts, thread_ts }) => thread_ts === undefined && Number(ts) > Number(oldest))
    return inC1(channel) ?? paged(request, 'messages', said.toReversed().map(shown))
  }
  const replies = (request: RoutedRequest): ApiAnswer => {
    const { channel = '', ts } = request.query
    const thread = messages.filter((message) => message.ts === ts || message.thread_ts === ts)
    return (
      inC1(channel) ??
      (thread.length === 0 ? failed('thread_not_found') : paged(request, 'messages', thread.map(shown)))
    )
  }
  const open = ({ body }: RoutedRequest): ApiAnswer => {
    const { data } = z.object({ users: z.string() }).safeParse(body)
    const at = people.findIndex(({ id }) => id === data?.users)
    return at < 0 ? failed('user_not_found') : ok({ channel: { id: `D${at + 1}` } })
  }
  const list = (request: RoutedRequest): ApiAnswer => {
    const types = (request.query.types ?? 'public_channel').split(',')
    if (types.includes('private_channel') && request.headers.authorization === `Bearer ${slackTokens.narrow}`) {
      return failed('missing_scope', { needed: 'groups:read', provided: 'channels:read,chat:write' })
    }
    const isShown = (channel: ReturnType<typeof channelOf>) =>
      types.includes(channel.is_private ? 'private_channel' : 'public_channel') &&
      !(request.query.exclude_archived === 'true' && channel.is_archived)
    return paged(request, 'channels', channels.filter(isShown))
  }
  const search = ({ query, headers }: RoutedRequest): ApiAnswer => {
    if (headers.authorization !== `Bearer ${slackTokens.user}`) return failed('not_allowed_token_type')
    const found = messages.filter(({ text }) => text.includes(query.query ?? '')).map(shown)
    const count = Number(query.count ?? 20)
    const page = Number(query.page ?? 1)
    const paging = { count, total: found.length, page, pages: Math.ceil(found.length / count) }
    return ok({
      query: query.query ?? '',
      messages: { paging, matches: pageOf(found, (page - 1) * count, count).rows },
    })
  }
  const lookUp = ({ query }: RoutedRequest): ApiAnswer => {
    const user = people.find(({ profile }) => profile.email === query.email)
    return user === undefined ? failed('users_not_found') : ok({ user })
  }

  return startApi({
    'https://slack.com': {
      gate,
      missing: () => failed('unknown_method'),
      notJson: failed('invalid_json'),
      routes: {
        'GET /api/auth.test': () => ok({ url: 'https://tides.slack.com/', team: 'Tides', user: 'bot', user_id: 'U1' }),
        'POST /api/chat.postMessage': post,
        'POST /api/chat.update': update,
        'POST /api/chat.delete': (request) => change(request, (at) => messages.splice(at, 1)),
        'GET /api/conversations.list': list,
        'GET /api/conversations.history': history,
        'GET /api/conversations.replies': replies,
        'POST /api/conversations.open': open,
        'GET /api/users.list': (request) => paged(request, 'members', people),
        'GET /api/users.lookupByEmail': lookUp,
        'GET /api/search.messages': search,
      },
    },
  })
}

function gate({ headers }: ApiRequest): ApiAnswer | undefined {
  if (headers.authorization === undefined) return failed('not_authed')
  const isKnown = Object.values(slackTokens).some((token) => headers.authorization === `Bearer ${token}`)
  return isKnown ? undefined : failed('invalid_auth')
}

function refusalOf(channel: string): ApiAnswer | undefined {
  if (channel === 'C2') return failed('not_in_channel')
  return /^C[1-9]\d*$/.test(channel) && Number(channel.slice(1)) <= 450 ? undefined : failed('channel_not_found')
}

const channelOf = (at: number) => ({ id: `C${at}`, name: `gauge-${at}`, is_private: at === 449, is_archived: at === 3 })
const personOf = (at: number) => ({ id: `U${at}`, name: `mate${at}`, profile: { email: `mate${at}@tides.example` } })
const stamp = (at: number) => `1767225600.${String(at).padStart(6, '0')}`
const shown = (message: Message): JsonObject => ({ type: 'message', user: 'U1', ...message })

/** The cursor is opaque; one that this server never gave is refused. */
function paged({ query }: ApiRequest, name: string, rows: readonly JsonObject[]): ApiAnswer {
  const size = Number(query.limit ?? 100)
  if (!Number.isInteger(size) || size < 1 || size > 1_000) return failed('invalid_limit')
  const [, from] = /^next:(\d+)$/.exec(Buffer.from(query.cursor ?? '', 'base64').toString()) ?? []
  if (query.cursor !== undefined && query.cursor !== '' && from === undefined) return failed('invalid_cursor')
  const { rows: page, next } = pageOf(rows, Number(from ?? 0), size)
  const cursor = next === undefined ? '' : Buffer.from(`next:${next}`).toString('base64')
  return ok({ [name]: page, has_more: next !== undefined, response_metadata: { next_cursor: cursor } })
}
