import { z } from 'zod'
import type { EffectType } from '../../domain/action.ts'
import type { Change } from '../../domain/approval.ts'
import { AppError } from '../../domain/error.ts'
import type { Json, JsonObject } from '../../domain/json.ts'
import type { Redactor } from '../../domain/leaks/redactor.ts'
import { limits } from '../../domain/limits.ts'
import {
  type Action,
  type ActionContext,
  defineAction,
  type Preflight,
  type PreflightContext,
  type Review,
} from '../action.ts'
import type { HttpAccess } from '../http/access.ts'
import { answerOf } from '../http/answer.ts'
import { withCredential } from '../http/credential.ts'
import { refuseLeaks } from '../http/leak.ts'
import {
  type HttpMethod,
  type HttpParameters,
  httpParameters,
  isSafe,
  type Outgoing,
  outgoingOf,
} from '../http/outgoing.ts'
import { type Place, placeOf, scopeKeyFor } from '../http/place.ts'
import { encodedBody, readUploads, type Upload } from '../http/upload.ts'
import type { Network, NetworkAnswer } from '../network/network.ts'
import { openProject } from '../paths.ts'
import { findTarget } from '../write-paths.ts'
import { askToWrite, fileResource } from './files/ask.ts'
import { readGuard, stale } from './files/guard.ts'
import { previewRewrite, type Rewrite, rewriteFile } from './files/replace-file.ts'
import { summaryText } from './parameters.ts'
import { refusal } from './refusal.ts'

interface HttpParts {
  readonly access: HttpAccess
  readonly network: Network
  readonly redactor: Redactor
}

/**
 * The one action for every service: a skill says how its API is called, the credential is added here, at the boundary, after
 * everything that the model wrote was looked at. Source: seed E, Integration Scaling Strategy.
 */
export function createHttpAction(parts: HttpParts): Action<typeof httpParameters> {
  const { access } = parts
  return defineAction({
    name: 'http',
    description:
      'Sends one HTTP request and returns {status, headers, body, url}; JSON comes as data, any status is an answer. Credentials of active skills are added by themselves: never write one.',
    parameters: httpParameters,
    effects: ['ReadLocal', 'ReadExternal', 'WriteLocal', 'WriteExternal', 'CredentialedNetwork'],
    isIdempotent: false,
    source: ({ url }, ended) => (ended.ok ? { kind: 'api', name: hostIn(url) } : null),
    rate: { perMinute: limits.httpPerMinute, perHour: limits.httpPerHour },
    timeoutMs: ({ timeout_seconds }) => timeout_seconds * 1_000 + endingMs,
    review: (asked, context) => reviewOf(asked, placed(asked, context, access)),
    preflight: (asked, context) => preflight(asked, context, parts),
    resource: ({ save_to }) => (save_to === undefined ? null : fileResource(save_to)),
    summarize: ({ method, url }) => summaryText(`${method} ${shortUrl(url)}`),
    run: (asked, context) => run(asked, context, parts),
  })
}

/** What people call a request, by what its method means. */
const verbsOf: Readonly<Record<HttpMethod, readonly string[]>> = {
  GET: [
    'read',
    'get',
    'fetch',
    'list',
    'look',
    'find',
    'search',
    'show',
    'check',
    'download',
    'query',
    'count',
    'tell',
  ],
  HEAD: ['check', 'look', 'read', 'get'],
  POST: [
    ...['post', 'send', 'create', 'open', 'file', 'add', 'make', 'write', 'comment', 'reply', 'answer', 'publish'],
    ...['upload', 'submit', 'register', 'book', 'invite', 'query', 'search'],
  ],
  PUT: ['put', 'update', 'change', 'edit', 'set', 'replace', 'upload', 'save', 'store', 'merge'],
  PATCH: [
    ...[
      'update',
      'change',
      'edit',
      'set',
      'move',
      'assign',
      'label',
      'rename',
      'close',
      'reopen',
      'resolve',
      'archive',
    ],
    ...['mark', 'complete', 'finish', 'add', 'remove'],
  ],
  DELETE: ['delete', 'remove', 'cancel', 'clear', 'erase', 'archive', 'revoke'],
}

function hostIn(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}

/** After its time a request says itself that it was too slow. */
const endingMs = 5_000

/** Without what a query may hold, and without a user's name. */
function shortUrl(typed: string): string {
  if (!URL.canParse(typed)) return typed.replace(/[?#].*$/s, '')
  const { protocol, host, pathname } = new URL(typed)
  // Without encryption is what a person should see of it.
  return `${protocol === 'https:' ? '' : `${protocol}//`}${host}${pathname === '/' ? '' : pathname}`
}

interface Placed {
  readonly request: Outgoing
  readonly place: Place
}

function placed(asked: HttpParameters, { threadId }: PreflightContext, access: HttpAccess): Placed {
  const request = outgoingOf(asked)
  return { request, place: placeOf(request, threadId, access) }
}

function reviewOf({ save_to, method }: HttpParameters, { request, place }: Placed): Review {
  const { credential, isListed } = place
  const effects: readonly EffectType[] = [
    isSafe(method) ? 'ReadExternal' : 'WriteExternal',
    ...(credential === null ? [] : (['CredentialedNetwork'] as const)),
    ...(request.files.length === 0 ? [] : (['ReadLocal'] as const)),
    ...(save_to === undefined ? [] : (['ReadLocal', 'WriteLocal'] as const)),
  ]
  const isIdempotent = isSafe(method) && save_to === undefined
  const reasons = [
    ...(isListed ? [] : [`${request.url.host} is named by no active skill and not among the hosts that you allow.`]),
    ...(isSafe(method) ? [] : [`${method} may change something at ${request.url.host}.`]),
    ...(credential === null ? [] : [`It uses your ${credential.name}, of the skill ${credential.skill}.`]),
    ...(request.files.length === 0 ? [] : ['It sends files of the project.']),
  ]
  const saving = save_to === undefined ? undefined : askToWrite('save', 'It writes a file of the project.', [save_to])
  if (saving?.verdict === 'ask') reasons.push(saving.reason)
  const known = isListed ? [request.url.host, request.url.protocol.slice(0, -1)] : []
  const facts = { effects, isIdempotent, known, askedFor: verbsOf[method] }
  if (reasons.length === 0) return { verdict: 'allow', ...facts }
  const isEachTime = request.files.length > 0 || (saving?.verdict === 'ask' && saving.scopeKey === null)
  const scopeKey = isEachTime
    ? null
    : `${scopeKeyFor(request, credential !== null)}${save_to === undefined ? '' : ' > file'}`
  return { verdict: 'ask', reason: reasons.join(' '), scopeKey, ...facts }
}

/** Where it goes, with what, and what it sends: must still hold when it runs. */
const guardShape = z.strictObject({
  origin: z.string(),
  credential: z.string().nullable(),
  files: z.array(z.string()),
  replaces: z.string().nullable(),
})

async function preflight(
  asked: HttpParameters,
  context: PreflightContext,
  { access, redactor }: HttpParts,
): Promise<Preflight> {
  const { request, place } = placed(asked, context, access)
  const uploads = await readUploads(request.files, context)
  await refuseLeaks(request, uploads, redactor)
  // Before anybody is asked: without it the request would only be refused.
  if (place.credential !== null) await access.value(place.credential)
  const replaces = asked.save_to === undefined ? null : await shaOfTarget(asked, asked.save_to, context)
  const guard = guardOf(place, uploads, replaces)
  return { change: changeOf(asked, { request, place }, uploads), guard, undo: undoOf(asked) }
}

function guardOf({ url, credential }: Place, uploads: readonly Upload[], replaces: string | null) {
  const name = credential === null ? null : `${credential.skill}/${credential.name}`
  return { origin: url.origin, credential: name, files: uploads.map(({ sha256 }) => sha256), replaces }
}

/** SHA-256 of what `save_to` would replace; null where nothing is there. */
async function shaOfTarget(asked: HttpParameters, saveTo: string, context: PreflightContext): Promise<string | null> {
  const root = await openProject(context)
  const { stats } = await findTarget(root, saveTo, 'file')
  if (stats === undefined) return null
  const found = await previewRewrite(saveTo, context, rewriteOf(asked, Buffer.alloc(0)))
  const guard = z.object({ sha256: z.string().nullable() }).parse(found.guard)
  return guard.sha256
}

function rewriteOf({ overwrite }: HttpParameters, bytes: Buffer): Rewrite {
  return (before, path) => {
    if (before === undefined || overwrite) return bytes
    throw refusal(
      'action.conflict',
      `"${path}" exists already. Pass overwrite: true to replace it, or name another file.`,
      { path },
    )
  }
}

function changeOf({ save_to }: HttpParameters, { request, place }: Placed, uploads: readonly Upload[]): Change {
  const { method, url, headers, body, form } = request
  const { credential } = place
  const encoded = body ?? formBody(form)
  return {
    kind: 'request',
    method,
    url: url.href,
    host: url.host,
    address: place.address,
    credential:
      credential === null ? null : { name: credential.name, provider: credential.provider, skill: credential.skill },
    headers: Object.entries(headers).filter(([name]) => name !== 'user-agent'),
    body: encoded && { ...encoded, bytes: Buffer.byteLength(encoded.text), text: shownText(encoded.text) },
    files: uploads.map(({ file, bytes, sha256 }) => ({
      field: file.field,
      path: file.path,
      bytes: bytes.length,
      sha256,
    })),
    saveTo: save_to ?? null,
  }
}

function formBody(form: Outgoing['form']): Outgoing['body'] {
  if (form.length === 0) return null
  return { text: form.map(([name, value]) => `${name}: ${value}`).join('\n'), type: 'form' }
}

function shownText(text: string): string {
  return text.length <= limits.changeCharacters ? text : `${text.slice(0, limits.changeCharacters).toWellFormed()}…`
}

function undoOf({ method, save_to }: HttpParameters): string {
  if (save_to !== undefined && isSafe(method)) return 'Undo takes the saved file away, or puts back what it replaced.'
  return isSafe(method) ? 'It only reads.' : 'What the other side does with it cannot be undone from here.'
}

async function run(asked: HttpParameters, context: ActionContext, parts: HttpParts): Promise<Json> {
  const { access, redactor } = parts
  const { request, place } = placed(asked, context, access)
  const uploads = await readUploads(request.files, context)
  await refuseLeaks(request, uploads, redactor)
  const guard = readGuard(guardShape, context)
  const now = guardOf(place, uploads, guard.replaces)
  if (JSON.stringify(now) !== JSON.stringify(guard)) throw stale(request.url.host)
  const answer = await send({ asked, request, place, uploads }, context, parts)
  const told = toldOf(answer, place)
  if (asked.save_to !== undefined && answer.status < 400) {
    const saving = { asked, path: asked.save_to, answer, replaces: guard.replaces }
    return { ...told, ...(await saved(saving, context, redactor)) }
  }
  const { url: _sent, ...shown } = answerOf(answer, context.resultCharacters - spareCharacters)
  return { ...told, ...shown }
}
/** Of a result, for everything beside the body. */
const spareCharacters = 20_000

interface Sending extends Placed {
  readonly asked: HttpParameters
  readonly uploads: readonly Upload[]
}

async function send(
  { asked, request, place, uploads }: Sending,
  context: ActionContext,
  { access, network }: HttpParts,
): Promise<NetworkAnswer> {
  const encoded = encodedBody(request, uploads)
  const { 'content-type': _written, ...headers } = request.headers
  // Of files the type names the boundary between them, which nobody knows beforehand.
  const typed =
    encoded === undefined
      ? request.headers
      : encoded.type === null
        ? headers
        : { ...headers, 'content-type': encoded.type }
  const plain = { url: place.url.href, headers: typed }
  const { credential } = place
  const value = credential === null ? null : await access.value(credential)
  // Meanwhile the person may have named another server: the value of one is not sent to the other.
  const { place: now } = placed(asked, context, access)
  if (now.url.href !== place.url.href) throw stale(request.url.host)
  const whole = credential === null || value === null ? plain : withCredential(plain, credential, value)
  const answer = await network.send({
    ...{ method: request.method, ...whole, signal: context.signal, timeoutMs: asked.timeout_seconds * 1_000 },
    ...(encoded && { body: encoded.body }),
    maxBytes: asked.save_to === undefined ? limits.httpResponseBytes : limits.httpFileBytes,
    mayFollow: (url) => isListed(url, place, { access, threadId: context.threadId }),
  })
  if (!answer.ok) throw refusal('http.refused', answer.reason, { code: answer.code })
  if (credential !== null && answer.hops.length === 1) access.answered(credential, answer.status)
  return answer
}

/** A redirect leads on by itself only to where a request could have gone without asking. */
function isListed(
  url: URL,
  place: Place,
  { access, threadId }: { readonly access: HttpAccess; readonly threadId: string },
): boolean {
  const isSame = url.origin === place.url.origin
  const { credential } = place
  // It holds the paths that the key is for, and a server could repeat a key of the query in an address elsewhere.
  if (credential !== null && credential.pathPrefixes.length > 0) return false
  if (credential?.location.type === 'query' && !isSame) return false
  if (isSame || access.origins().includes(url.origin)) return true
  if (url.protocol !== 'https:' || url.port !== '') return false
  return access
    .ofThread(threadId)
    .some(({ openHosts, credentials }) =>
      [...openHosts, ...credentials.flatMap(({ hosts }) => hosts)].includes(url.hostname),
    )
}

/** The facts of a request that a person looks for: never the URL that was sent, which may hold a credential. */
function toldOf({ status, headers, url, hops }: NetworkAnswer, { credential, address }: Place): JsonObject {
  const used = credential === null ? {} : { credential: `${credential.skill}/${credential.name}` }
  const isRefused = credential !== null && status === 401
  return {
    url: credential?.location.type === 'query' ? withoutParameter(url, credential.location.name) : url,
    ...used,
    ...(address !== null && { sent_to: address }),
    ...(hops.length > 1 && { redirects: hops.length - 1 }),
    ...(status >= 300 && status < 400 && headers.location !== undefined && { redirect_not_followed: headers.location }),
    ...(isRefused && {
      problem: `${credential.name} was refused. The user can enter a new one under Integrations; trying again does not help.`,
    }),
  }
}

function withoutParameter(url: string, name: string): string {
  const shown = new URL(url)
  shown.searchParams.delete(name)
  return shown.href
}

interface Saving {
  readonly asked: HttpParameters
  readonly path: string
  readonly answer: NetworkAnswer
  readonly replaces: string | null
}

/** What was sent was sent: that its answer could not be kept is a fact of the result, or it would be sent again. */
async function saved(saving: Saving, context: ActionContext, redactor: Redactor): Promise<JsonObject> {
  try {
    return await save(saving, context, redactor)
  } catch (error) {
    if (isSafe(saving.asked.method) || !(error instanceof AppError)) throw error
    return { status: saving.answer.status, not_saved: `The request was sent. ${error.message}` }
  }
}

async function save(
  { asked, path, answer, replaces }: Saving,
  context: ActionContext,
  redactor: Redactor,
): Promise<JsonObject> {
  const { body, isCut, status, headers } = answer
  if (redactor.known.some(({ value }) => value.length >= 8 && Buffer.from(body).includes(value))) {
    throw refusal('http.leak', `The answer repeats a key that is kept here, so "${path}" was not written.`)
  }
  if (isCut) {
    throw refusal(
      'http.too_large',
      `The answer has more than ${limits.httpFileBytes} bytes, so "${path}" was not written.`,
      { limit: limits.httpFileBytes },
    )
  }
  const rewrite = rewriteOf(asked, Buffer.from(body))
  const found = await previewRewrite(path, context, rewrite)
  const { sha256 } = z.object({ sha256: z.string().nullable() }).parse(found.guard)
  if (sha256 !== replaces) throw stale(path)
  const written = await rewriteFile(path, { ...context, guard: found.guard }, rewrite)
  return { status, saved: written.path, bytes: written.bytes, type: headers['content-type'] ?? '' }
}
