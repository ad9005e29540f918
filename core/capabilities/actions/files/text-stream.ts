import type { OpenedFile } from '../../paths.ts'
import { refusal } from '../refusal.ts'
import { type Content, detectContent, type Encoding, headBytes, singleByteGuess } from './encoding.ts'

const chunkBytes = 256 * 1_024

/** What the file is, by its first bytes. */
export async function contentOf(file: OpenedFile): Promise<Content> {
  const head = Buffer.alloc(Math.min(headBytes, Math.max(file.bytes, 1)))
  const { bytesRead } = await file.handle.read(head, 0, head.length, 0)
  return detectContent(head.subarray(0, bytesRead), bytesRead >= file.bytes)
}

/** The text encoding of a file. Throws action.binary or action.encoding where it holds no text that we can read. */
export async function encodingOf(file: OpenedFile): Promise<{ encoding: Encoding; bomBytes: number }> {
  const content = await contentOf(file)
  if (content.kind === 'text') return content
  const facts = { path: file.path, bytes: file.bytes }
  if (content.kind === 'binary') {
    throw refusal('action.binary', `"${file.path}" is ${content.type} of ${file.bytes} bytes, not text.`, facts)
  }
  throw notUtf8(file, content.looksLike)
}

/** Throws action.too_large with `instead`, which says what to use, when the file is over `maxBytes`. */
export function refuseLarge(file: OpenedFile, maxBytes: number, instead: string): void {
  if (file.bytes <= maxBytes) return
  throw refusal(
    'action.too_large',
    `"${file.path}" has ${file.bytes} bytes; at most ${maxBytes} are read here. ${instead}`,
    { path: file.path, bytes: file.bytes, maxBytes },
  )
}

/** The bytes of a file, in order. The buffer is used again: take what you need before the next one. */
export async function* readChunks(file: OpenedFile, signal: AbortSignal, from = 0): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, Math.max(file.bytes - from, 1)))
  // A file that grows while it is read ends where it ended when it was opened.
  for (let position = from; position < file.bytes; ) {
    signal.throwIfAborted()
    const wanted = Math.min(buffer.length, file.bytes - position)
    const { bytesRead } = await file.handle.read(buffer, 0, wanted, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** The text of a file in pieces, without its byte order mark. Throws as `encodingOf`. */
export async function* readText(file: OpenedFile, signal: AbortSignal): AsyncGenerator<string> {
  const { encoding, bomBytes } = await encodingOf(file)
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true })
  for await (const chunk of readChunks(file, signal, bomBytes)) {
    const text = decode(file, decoder, chunk)
    if (text !== '') yield text
  }
  decode(file, decoder, undefined)
}

/** The lines of a file in batches, without line ends (\n or \r\n). A last line without an end counts when it holds text. */
export async function* readLines(file: OpenedFile, signal: AbortSignal): AsyncGenerator<readonly string[]> {
  // A long line arrives in many pieces: they are joined once, at its end.
  let pieces: string[] = []
  for await (const text of readText(file, signal)) {
    const lines = text.split('\n')
    const rest = lines.pop() ?? ''
    const first = lines[0]
    if (first !== undefined) {
      lines[0] = [...pieces, first].join('')
      pieces = []
      yield lines.map(withoutReturn)
    }
    if (rest !== '') pieces.push(rest)
  }
  const last = pieces.join('')
  if (last !== '') yield [withoutReturn(last)]
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}

function decode(file: OpenedFile, decoder: TextDecoder, chunk: Buffer | undefined): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true })
  } catch {
    throw notUtf8(file, decoder.encoding === 'utf-8' ? singleByteGuess : `damaged ${decoder.encoding.toUpperCase()}`)
  }
}

function notUtf8(file: OpenedFile, looksLike: string): Error {
  return refusal(
    'action.encoding',
    `"${file.path}" is text, but not UTF-8: it looks like ${looksLike}. Save it as UTF-8 to have it read.`,
    { path: file.path, looksLike },
  )
}
