import fs from 'node:fs/promises'
import { z } from 'zod'
import { AppError } from '../../domain/error.ts'
import type { LocalModel } from '../../domain/local.ts'
import { localModel } from '../../domain/settings.ts'
import { createHeaderReader, type HeaderReader, HeaderTruncated, HeaderUnreadable } from './gguf-reader.ts'

/** What the settings keep of a header: whatever it says, only what they take leaves this file. */
const kept = localModel
  .pick({ bytes: true, architecture: true, purpose: true, trainedTokens: true, cacheBytesPerToken: true })
  .readonly()

/** What the header of a GGUF file says. Source: the GGUF specification, versions 2 and 3. */
export interface GgufFacts extends z.infer<typeof kept> {
  readonly title: string | null
}

/**
 * Reads the header and checks that all tensors are there. It reads no weights: a few MB of any file.
 * @throws AppError local.file, with what is wrong with it in words.
 */
export async function readGguf(file: string): Promise<GgufFacts> {
  const handle = await opened(file)
  try {
    const { size } = await handle.stat()
    return await factsOf(createHeaderReader(handle, size), size)
  } catch (error) {
    if (error instanceof HeaderTruncated) throw truncated(file)
    if (error instanceof HeaderUnreadable) throw badFile(file, error.message, 'Its header cannot be read.', error)
    throw error instanceof Refused ? badFile(file, error.message, error.words) : error
  } finally {
    await handle.close()
  }
}

/** A file that is read well and still cannot be used; `words` are for the person. */
class Refused extends Error {
  readonly words: string
  constructor(message: string, words: string) {
    super(message)
    this.words = words
  }
}

async function opened(file: string): Promise<fs.FileHandle> {
  try {
    // A pipe would never end, and opening one may never begin.
    if (!(await fs.stat(file)).isFile()) throw badFile(file, 'not a regular file', 'It is not a file.')
    return await fs.open(file)
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw fileUnreachable(file, cause)
  }
}

/** Why the file cannot be opened: gone, not permitted, or another reason of the system. */
export function fileUnreachable(file: string, cause: unknown): AppError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  if (code === 'ENOENT') {
    return badFile(file, 'no such file', 'The file is not there any more: it was moved, renamed or deleted.', cause)
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return badFile(file, 'no permission', 'Threadsmith has no permission to read it.', cause)
  }
  return badFile(file, cause instanceof Error ? cause.message : String(cause), 'It cannot be read.', cause)
}

function badFile(file: string, message: string, words: string, cause?: unknown): AppError {
  return new AppError('local.file', {
    message: `${file}: ${message}`,
    userMessage: `This model file cannot be used: ${file}. ${words} Nothing was changed. Choose another GGUF file.`,
    cause,
  })
}

function truncated(file: string): AppError {
  return badFile(
    file,
    'the file ends before its tensors do',
    'Its end is missing, as after a download that broke off. Download it again.',
  )
}

async function factsOf(reader: HeaderReader, size: number): Promise<GgufFacts> {
  const { version, values } = await reader.metadata()
  if (version < 2)
    throw new Refused(`GGUF version ${version}`, 'It is of the first GGUF version, which is not in use any more.')
  if (version > 3)
    throw new Refused(`GGUF version ${version}`, `It is of GGUF version ${version}, which is newer than this app.`)
  const architecture = textOf(values.get('general.architecture')) ?? ''
  refuseParts(values, architecture)
  await reader.checkTensors(numberOf(values.get('general.alignment')) ?? 32)
  const own = (key: string) => values.get(`${architecture}.${key}`)
  const embeddingLength = numberOf(own('embedding_length')) ?? 0
  if (embeddingLength < 1) throw new Refused('no embedding_length', 'It holds no language model.')
  const facts = kept.safeParse({
    bytes: size,
    architecture,
    purpose: purposeOf(architecture, numberOf(own('pooling_type'))),
    trainedTokens: numberOf(own('context_length')),
    cacheBytesPerToken: cacheBytesPerToken(own, embeddingLength),
  })
  if (!facts.success) throw new Refused(z.prettifyError(facts.error), impossibleWords)
  return { title: textOf(values.get('general.name')), ...facts.data }
}

const impossibleWords = 'Its header says what no model can have: it is damaged, or was written by a faulty program.'

const splitWords =
  'It is one part of a model that was split into several files. Choose a model in one file, or join the parts with llama-gguf-split --merge.'
const projectorWords =
  'It is the picture part (mmproj) of a model, not the model itself. Choose the file without “mmproj” in its name.'

/** Files that are GGUF and no whole language model. */
function refuseParts(values: ReadonlyMap<string, unknown>, architecture: string): void {
  const kind = textOf(values.get('general.type'))
  if ((numberOf(values.get('split.count')) ?? 0) > 1) throw new Refused('a split file', splitWords)
  if (architecture === 'clip' || kind === 'mmproj') throw new Refused('an mmproj file', projectorWords)
  if (kind === 'adapter') throw new Refused('an adapter', 'It is an adapter (LoRA), which changes a model and is none.')
  if (architecture === '') throw new Refused('no architecture', 'It does not say what kind of model it holds.')
}

const encoders = /bert|^t5encoder$|embedding/
/** As llama.cpp counts them: 0 none, 1 mean, 2 first token, 3 last token, 4 rank. */
const ranking = 4

function purposeOf(architecture: string, pooling: number | null): LocalModel['purpose'] {
  if (pooling === ranking) {
    throw new Refused('a reranker', 'It ranks texts (a reranker): it can neither chat nor find notes.')
  }
  return (pooling ?? 0) > 0 || encoders.test(architecture) ? 'embedding' : 'chat'
}

/** Keys and values of each layer, two bytes a number. Layers that keep less make it an upper bound. */
function cacheBytesPerToken(own: (key: string) => unknown, embeddingLength: number): number {
  const layers = numberOf(own('block_count')) ?? 0
  const heads = mostOf(own('attention.head_count')) ?? 1
  const headsKept = mostOf(own('attention.head_count_kv')) ?? heads
  const headLength = embeddingLength / Math.max(1, heads)
  const keyLength = numberOf(own('attention.key_length')) ?? headLength
  const valueLength = numberOf(own('attention.value_length')) ?? headLength
  return Math.ceil(layers * headsKept * (keyLength + valueLength) * 2)
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, 200) : null
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/** Some architectures give a figure for each layer. */
function mostOf(value: unknown): number | null {
  if (!Array.isArray(value)) return numberOf(value)
  const figures = value.filter((each) => typeof each === 'number')
  return figures.length === 0 ? null : Math.max(...figures)
}
