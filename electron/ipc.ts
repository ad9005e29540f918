import { AppError, type ErrorBody, errorBody } from '../core/domain/error.ts'
import { limits } from '../core/domain/limits.ts'
import { appOrigin } from './protocol.ts'

/** Who asks, as Electron tells it. `frame` is null when it is gone before we look. */
export interface Sender {
  readonly isOurWindow: boolean
  readonly frame: { readonly url: string; readonly isMain: boolean } | null
}

/** An error crosses as its body: a class would not survive. */
export type CallReply =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: ErrorBody }

export interface CallRoutes {
  /** Names that begin `shell.`. */
  readonly shell: (name: string, input: unknown) => Promise<unknown>
  readonly engine: (name: string, input: unknown) => Promise<unknown>
}

/** One call of the window. */
export interface WindowCall {
  readonly sender: Sender
  readonly name: unknown
  readonly input: unknown
}

/** Checks who asks and how much, then asks the shell or the engine. Never rejects. `devOrigin` only from a checkout. */
export async function answerCall(call: WindowCall, routes: CallRoutes, devOrigin: string | null): Promise<CallReply> {
  try {
    if (!isTrustedSender(call.sender, devOrigin)) throw untrusted(call.sender)
    const name = parseName(call.name)
    const input = boundedInput(call.input)
    const route = name.startsWith('shell.') ? routes.shell : routes.engine
    return { ok: true, value: await route(name, input) }
  } catch (error) {
    return { ok: false, error: errorBody(error) }
  }
}

/** Only the top frame of our own window, showing the app's own page, may ask anything. */
export function isTrustedSender(sender: Sender, devOrigin: string | null): boolean {
  if (!sender.isOurWindow || !sender.frame?.isMain) return false
  return isAppAddress(sender.frame.url, devOrigin)
}

/** True for the app's own pages, and for those of the dev server in a checkout. */
export function isAppAddress(address: string, devOrigin: string | null): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, host } = new URL(address)
  const origin = `${protocol}//${host}`
  return origin === appOrigin || (devOrigin !== null && origin === devOrigin)
}

function untrusted(sender: Sender): AppError {
  return new AppError('api.sender', {
    message: `a call from ${sender.frame?.url ?? 'a frame that is gone'}`,
    userMessage: 'Something other than the Threadsmith window asked for this. It was refused and nothing was done.',
  })
}

function parseName(name: unknown): string {
  if (typeof name === 'string' && name.length <= 64) return name
  throw new AppError('api.unknown', {
    message: 'the name of a call is a short string',
    userMessage: 'The window asked for something that does not exist. Nothing was done.',
  })
}

/** The input as plain JSON: structured clone would let through what no schema expects (cycles, maps, buffers). */
function boundedInput(input: unknown): unknown {
  const text = jsonText(input)
  if (text.length <= limits.windowCallCharacters) return JSON.parse(text)
  throw new AppError('api.input', {
    message: `the input has ${text.length} characters of at most ${limits.windowCallCharacters}`,
    userMessage: 'That is too much to send at once. Nothing was done; send a shorter text.',
    data: { characters: text.length, limit: limits.windowCallCharacters },
  })
}
function jsonText(input: unknown): string {
  try {
    return JSON.stringify(input ?? {})
  } catch (cause) {
    throw new AppError('api.input', {
      message: 'the input is not plain JSON',
      userMessage: 'The window sent something that cannot be read. Nothing was done.',
      cause,
    })
  }
}
