import type { EffectType } from '../../domain/action.ts'
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../../domain/json.ts'
import type { Episode, EpisodeCall } from './episode.ts'
import { isList } from './json-path.ts'

/** A call that had its effect, in the one form in which calls are compared. */
export interface Call {
  readonly threadId: string
  readonly stepId: string
  readonly callId: string
  readonly action: string
  readonly args: JsonObject
  readonly result: Json
  readonly effects: readonly EffectType[]
  readonly isWrite: boolean
  /** It was made again after an answer that said "later". */
  readonly isRetried: boolean
  /** Action and arguments as text: equal for equal calls. */
  readonly key: string
}

/** The calls of a thread without failures and repeats. Source: learning 3.2. */
export function callsOf(episode: Episode): readonly Call[] {
  const tried = episode.steps.flatMap(({ stepId, calls }) =>
    calls.map((call) => ({ stepId, call, ...canonicalCall(call) })),
  )
  const busyKeys = new Set<string>()
  const calls: Call[] = []
  for (const { stepId, call, args, key } of tried) {
    if (call.ok && isLater(call.result)) busyKeys.add(key)
    if (!call.ok || isLater(call.result)) continue
    const { action, result, effects, callId } = call
    const isRetried = busyKeys.delete(key)
    const place = { threadId: episode.threadId, stepId, callId }
    calls.push({ ...place, action, args, result, effects, isWrite: isWriting(effects), isRetried, key })
  }
  return calls
}

const writing: ReadonlySet<EffectType> = new Set(['WriteLocal', 'WriteExternal', 'Financial'])

function isWriting(effects: readonly EffectType[]): boolean {
  return effects.some((effect) => writing.has(effect))
}

/** A service that is busy: the same request is sent again. */
function isLater(result: Json): boolean {
  return isJsonObject(result) && (result.status === 429 || result.status === 503)
}

export function canonicalCall({ action, args }: Pick<EpisodeCall, 'action' | 'args'>) {
  const canonical = action === 'http' ? canonicalRequest(args) : withPlainPaths(args)
  return { args: canonical, key: `${action} ${canonicalJson(withTextQuery(canonical))}` }
}

/** The query in the URL and the one beside it are the same thing. */
function canonicalRequest(args: JsonObject): JsonObject {
  const { url, method, query, ...others } = args
  const asked = typeof method === 'string' ? method.toUpperCase() : 'GET'
  if (typeof url !== 'string' || !URL.canParse(url)) return { ...args, method: asked }
  const [bare = url, search] = splitOnce(url.replace(/#.*$/s, ''), '?')
  const inUrl = Object.fromEntries(new URLSearchParams(search ?? ''))
  const all = { ...inUrl, ...(isJsonObject(query) && query) }
  return { ...others, method: asked, url: bare, ...(Object.keys(all).length > 0 && { query: all }) }
}

/** What a query holds is text once it is sent. */
function withTextQuery(args: JsonObject): JsonObject {
  if (!isJsonObject(args.query)) return args
  const pairs = Object.entries(args.query).flatMap(([key, value]) =>
    value === null ? [] : [[key, textOf(value)] as const],
  )
  return { ...args, query: Object.fromEntries(pairs) }
}

function textOf(value: Json): Json {
  return isList(value) ? value.map(textOf) : typeof value === 'object' ? value : String(value)
}

const pathKeys = ['path', 'from', 'to']

function withPlainPaths(args: JsonObject): JsonObject {
  const plain = Object.entries(args).map(([key, value]) =>
    pathKeys.includes(key) && typeof value === 'string' ? ([key, plainPath(value)] as const) : ([key, value] as const),
  )
  return Object.fromEntries(plain)
}

function plainPath(path: string): string {
  const plain = path.replaceAll('\\', '/').replace(/^(?:\.\/)+(?=.)/, '')
  let end = plain.length
  while (end > 1 && plain[end - 1] === '/') end -= 1
  return plain.slice(0, end)
}

export function splitOnce(text: string, separator: string): readonly [string, string | undefined] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)]
}
