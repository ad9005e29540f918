import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as breathe } from 'node:timers/promises'
import { z } from 'zod'
import { AppError } from '../domain/error.ts'
import type { JsonObject } from '../domain/json.ts'
import type { FinishReason, InvalidArguments, ProviderSettings, ToolCall } from '../domain/model.ts'
import { defaultSettings } from '../domain/settings.ts'
import type { Completed } from './complete.ts'
import { createModelsWith } from './create-models.ts'

/** A recorded answer: status, headers and the pieces in which it came. */
const recording = z.object({
  http_status: z.number().int().min(200).max(599),
  headers: z.record(z.string(), z.string()).default({}),
  end: z.enum(['close', 'reset']).default('close'),
  chunks: z.array(z.union([z.string(), z.object({ base64: z.base64() })])),
})
type Recording = z.infer<typeof recording>

interface ReplayOptions {
  /** Send the bytes in pieces of this size instead of the recorded ones. */
  readonly chunkBytes?: number
  /** Reset the connection after this many bytes of the body. */
  readonly cutAt?: number
  readonly signal?: AbortSignal
}

type ReplayedCall =
  | { readonly id: string; readonly name: string; readonly arguments: JsonObject }
  | { readonly id: string; readonly name: string; readonly arguments_raw: string; readonly invalid: InvalidArguments }

/** What one recorded answer comes to. Source: CLI.md `model replay`; the codes are a closed list of their own (RULES 31). */
export type ReplayResult =
  | {
      readonly text: string
      readonly reasoning?: string
      readonly toolCalls: readonly ReplayedCall[]
      readonly finishReason: FinishReason
      readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number }
    }
  | {
      readonly error: {
        readonly code: string
        readonly retryable: boolean
        readonly message: string
        readonly partialText: string
        readonly retryAfterMs?: number
      }
      readonly toolCallsRun: 0
    }

/**
 * Serves a recorded answer on a loopback port and reads it through `complete()`, transport and all. Nothing is sent again
 * and no call is run. Throws `api.input` when the text is no recording, `cancelled`.
 */
export async function replayStream(contents: string, options: ReplayOptions = {}): Promise<ReplayResult> {
  const recorded = parseRecording(contents)
  const server = createServer((request, response) => {
    request.resume()
    void serve(recorded, response, options).catch((error: unknown) => response.destroy(toError(error)))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  try {
    return await readFrom(portOf(server.address()), recorded, options)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

async function readFrom(port: number, recorded: Recording, options: ReplayOptions): Promise<ReplayResult> {
  const isNdjson = /ndjson/i.test(recorded.headers['content-type'] ?? '')
  const provider: ProviderSettings = {
    id: 'replay',
    kind: isNdjson ? 'ollama' : 'openai-compatible',
    title: 'The recorded server',
    baseUrl: `http://127.0.0.1:${port}`,
    keyName: null,
  }
  let served = 0
  const models = createModelsWith(
    {
      settings: () => ({ ...defaultSettings, providers: [provider] }),
      secrets: { get: async () => undefined },
      embedded: {},
      clock: { now: () => Date.parse(recorded.headers.date ?? '') || 0, monotonic: () => 0 },
      random: () => {
        served += 1
        return served / 36 ** 4
      },
    },
    0,
  )
  try {
    const completed = await models.complete(
      { ref: { providerId: provider.id, model: 'replay' }, messages: [{ role: 'user', content: 'replay' }], tools: [] },
      { signal: options.signal ?? new AbortController().signal },
    )
    return answered(completed)
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'cancelled') throw error
    return failed(error)
  } finally {
    await models.close()
  }
}

function answered({ completion }: Completed): ReplayResult {
  const { text, reasoning, toolCalls, finishReason, usage } = completion
  const counted = { prompt_tokens: usage.inputTokens, completion_tokens: usage.outputTokens }
  return {
    text,
    ...(reasoning !== undefined && { reasoning }),
    toolCalls: toolCalls.map(replayedCall),
    finishReason,
    // Only what the server counted: an estimate is no part of the recording.
    ...(usage.estimated !== true && { usage: counted }),
  }
}

function replayedCall(call: ToolCall): ReplayedCall {
  if (!('invalid' in call)) return { id: call.id, name: call.name, arguments: call.arguments }
  return { id: call.id, name: call.name, arguments_raw: call.argumentsRaw, invalid: call.invalid }
}

function failed({ data, retryable, message }: AppError): ReplayResult {
  const { streamCode, partialText, retryAfterMs } = data ?? {}
  return {
    error: {
      code: typeof streamCode === 'string' ? streamCode : 'E_PROVIDER_STREAM',
      retryable,
      message,
      partialText: typeof partialText === 'string' ? partialText : '',
      ...(typeof retryAfterMs === 'number' && { retryAfterMs }),
    },
    toolCallsRun: 0,
  }
}

function parseRecording(contents: string): Recording {
  try {
    return recording.parse(JSON.parse(contents))
  } catch (cause) {
    throw new AppError('api.input', {
      message: `not a recorded stream: ${cause instanceof z.ZodError ? z.prettifyError(cause) : 'not JSON'}`,
      userMessage:
        'This file is not a recorded model answer; nothing was sent. It must be JSON with http_status, headers and chunks.',
      cause,
    })
  }
}

/** The body in the pieces in which it is sent, up to the cut. */
function pieces(
  { chunks }: Recording,
  { chunkBytes, cutAt = Number.POSITIVE_INFINITY }: ReplayOptions,
): readonly Buffer[] {
  const recorded = chunks.map((chunk) =>
    typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk.base64, 'base64'),
  )
  const body = Buffer.concat(recorded)
  const ends = chunkBytes === undefined ? runningEnds(recorded) : evenEnds(body.length, chunkBytes)
  const cuts = ends.map((end) => Math.min(end, cutAt))
  return cuts.map((end, position) => body.subarray(cuts[position - 1] ?? 0, end)).filter((piece) => piece.length > 0)
}

function runningEnds(parts: readonly Buffer[]): readonly number[] {
  let end = 0
  return parts.map((part) => {
    end += part.length
    return end
  })
}

function evenEnds(total: number, size: number): readonly number[] {
  return Array.from({ length: Math.ceil(total / size) }, (_, position) => Math.min((position + 1) * size, total))
}

/** Framing is ours, not the recording's: its own length would no longer fit. */
const framing: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding', 'connection', 'content-encoding'])

async function serve(recorded: Recording, response: ServerResponse, options: ReplayOptions): Promise<void> {
  const headers = Object.entries(recorded.headers).filter(([name]) => !framing.has(name.toLowerCase()))
  response.writeHead(recorded.http_status, Object.fromEntries(headers))
  response.flushHeaders()
  response.socket?.setNoDelay(true)
  for (const piece of pieces(recorded, options)) {
    await new Promise<void>((resolve, reject) => {
      response.write(piece, (error) => (error ? reject(error) : resolve()))
    })
    await breathe()
  }
  const isCut = options.cutAt !== undefined && options.cutAt < bodyLength(recorded)
  if (isCut || recorded.end === 'reset') response.socket?.resetAndDestroy()
  else response.end()
}

function bodyLength(recorded: Recording): number {
  return pieces(recorded, {}).reduce((total, piece) => total + piece.length, 0)
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new TypeError('the replay server has no port')
  return address.port
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error('the replay broke off', { cause: error })
}
