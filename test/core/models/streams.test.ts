import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { createAccumulator } from '../../../core/models/accumulator.ts'
import { refusal } from '../../../core/models/classify.ts'
import { type ReplayResult, replayStream } from '../../../core/models/models.ts'
import { ollamaReader } from '../../../core/models/providers/ollama.ts'
import { chatReader } from '../../../core/models/providers/openai-compatible.ts'

interface Recording {
  readonly file: string
  readonly contents: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly chunks: readonly Buffer[]
  readonly body: Buffer
  readonly expected: Readonly<Record<string, unknown>>
}

const folder = path.join(import.meta.dirname, 'streams')
const recordings = fs.readdirSync(folder).sort().map(readRecording)
const context = { title: 'Server', address: 'http://127.0.0.1', model: 'm', key: undefined }

function readRecording(file: string): Recording {
  const contents = fs.readFileSync(path.join(folder, file), 'utf8')
  const { http_status, headers, chunks, expected } = JSON.parse(contents)
  const buffers: Buffer[] = chunks.map((chunk: string | { base64: string }) =>
    typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk.base64, 'base64'),
  )
  return { file, contents, status: http_status, headers, chunks: buffers, body: Buffer.concat(buffers), expected }
}

/** The corpus marks ids that only have to be unique, and messages that must be free of HTML. */
function expectMatch(result: ReplayResult, expected: Recording['expected']): void {
  const wantedError = expected.error
  if (typeof wantedError === 'object' && wantedError !== null) {
    const { toolCallsRun, messageNoHtml, ...fields } = { toolCallsRun: 0, messageNoHtml: false, ...wantedError }
    expect(result).toMatchObject({ error: fields, toolCallsRun })
    if (messageNoHtml) expect(JSON.stringify(result)).not.toMatch(/<\/?[a-z]/i)
    return
  }
  if ('error' in result) expect(result).toEqual(expected)
  else {
    const ids = result.toolCalls.map((call) => call.id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).not.toContain('')
    const wantedCalls = Array.isArray(expected.toolCalls) ? expected.toolCalls : []
    const toolCalls = wantedCalls.map((call, n) => {
      const { id_unique, ...fields } = call
      return id_unique ? { id: ids[n], ...fields } : fields
    })
    expect(result).toEqual({ ...expected, toolCalls })
  }
}

type Parsed = { readonly result: unknown } | { readonly error: string; readonly partialText: string; readonly calls: 0 }

/** The parser without the sockets. `lost`: the connection broke instead of ending. */
function parse(recording: Recording, chunks: readonly Buffer[], lost = false): Parsed {
  let ids = 0
  const accumulator = createAccumulator({
    onDelta: () => {},
    newId: () => {
      ids += 1
      return `new_${ids}`
    },
  })
  const readerOf = /ndjson/.test(recording.headers['content-type'] ?? '') ? ollamaReader : chatReader
  const failed = (error: unknown): Parsed => ({ error: `${error}`, partialText: accumulator.partialText(), calls: 0 })
  try {
    if (recording.status !== 200) {
      const body = Buffer.concat(chunks).toString()
      throw refusal({ status: recording.status, contentType: '', retryAfter: null, location: null, body }, 0, context)
    }
    const reader = readerOf(accumulator, context)
    for (const chunk of chunks) reader.push(chunk)
    if (!lost) reader.end()
  } catch (error) {
    return failed(error)
  }
  const result = accumulator.completion()
  return result === null ? failed('truncated') : { result }
}

const cutAt = (body: Buffer, cuts: readonly number[]): readonly Buffer[] => {
  const ends = [...cuts].sort((a, b) => a - b)
  return [...ends, body.length].map((end, n) => body.subarray(ends[n - 1] ?? 0, end))
}

/** A fixed sequence: the same cuts in every run. */
function sequence(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

describe('the recorded streams', () => {
  it('are all 36 here', () => {
    expect(recordings).toHaveLength(36)
  })

  it.each(recordings)('$file gives its expected result through complete()', async ({ contents, expected }) => {
    expectMatch(await replayStream(contents), expected)
  })

  it.each(recordings)('$file gives the same one byte at a time over a socket', async ({ contents, expected }) => {
    expectMatch(await replayStream(contents, { chunkBytes: 1 }), expected)
  })

  it.each(recordings)('$file gives the same however its bytes are cut', (recording) => {
    const { body, chunks } = recording
    const whole = parse(recording, chunks)
    const random = sequence(body.length + 1)
    const cuts = [
      [...body.keys()],
      [],
      ...[...body.keys()].map((at) => [at]),
      ...Array.from({ length: 40 }, () => Array.from({ length: 5 }, () => Math.floor(random() * body.length))),
    ]
    for (const cut of cuts) expect(parse(recording, cutAt(body, cut)), `cut at ${cut}`).toEqual(whole)
  })
})

describe('a connection lost after any byte', () => {
  it.each(recordings)('$file: the full result, or an error with a beginning of the text and no call', (recording) => {
    const whole = parse(recording, recording.chunks)
    const fullText = textOf(whole)
    for (const at of recording.body.keys()) {
      for (const lost of [true, false]) {
        const cut = parse(recording, [recording.body.subarray(0, at)], lost)
        if ('error' in cut) expect(fullText.startsWith(cut.partialText), `cut at ${at}`).toBe(true)
        else expect(withoutUsage(cut.result), `cut at ${at}`).toEqual('result' in whole && withoutUsage(whole.result))
      }
    }
  })

  it.each(recordings.filter((_, n) => n % 5 === 0))(
    '$file: the same over sockets, at every seventh byte',
    async (recording) => {
      const whole = await replayStream(recording.contents)
      const fullText = 'error' in whole ? whole.error.partialText : whole.text
      for (let at = 0; at < recording.body.length; at += 7) {
        const cut = await replayStream(recording.contents, { cutAt: at })
        if ('error' in cut) {
          expect(fullText.startsWith(cut.error.partialText)).toBe(true)
          expect(cut.toolCallsRun).toBe(0)
        } else expect(withoutUsage(cut)).toEqual(withoutUsage(whole))
      }
    },
  )

  it('before the first byte is a truncated stream and not an empty answer', async () => {
    const [first] = recordings
    const result = await replayStream(first?.contents ?? '', { cutAt: 0 })
    expect(result).toMatchObject({ error: { code: 'E_STREAM_TRUNCATED', partialText: '', retryable: true } })
  })
})

it('a file that is no recording is refused by name', async () => {
  await expect(replayStream('{"chunks": 3}')).rejects.toMatchObject({ code: 'api.input' })
  await expect(replayStream('nonsense')).rejects.toMatchObject({ code: 'api.input' })
})

function textOf(parsed: Parsed): string {
  if ('error' in parsed) return parsed.partialText
  const { result } = parsed
  return typeof result === 'object' && result !== null && 'text' in result ? String(result.text) : ''
}

/** After the finish reason the figures may be missing. */
function withoutUsage(result: unknown): unknown {
  return typeof result === 'object' && result !== null ? { ...result, usage: undefined } : result
}
