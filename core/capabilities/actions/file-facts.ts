import { createHash } from 'node:crypto'
import { z } from 'zod'
import { AppError, isCancelled } from '../../domain/error.ts'
import { limits } from '../../domain/limits.ts'
import { type ActionContext, defineAction } from '../action.ts'
import { fileError, type OpenedFile, openProject, type Root, withFile } from '../paths.ts'
import { createAllowance, takeFitting } from './allowance.ts'
import { isoUtc } from './dates.ts'
import { chooseFiles } from './files/choose-files.ts'
import { singleByteGuess } from './files/encoding.ts'
import { createTextCounter, type TextFacts } from './files/text-facts.ts'
import { contentOf, readChunks, refuseLarge } from './files/text-stream.ts'
import { createWalkReport, type WalkReport } from './files/walk.ts'
import { createPace } from './pace.ts'
import { flag, listOf, pathText, summaryText } from './parameters.ts'

const parameters = z.strictObject({
  paths: listOf(pathText.min(1), limits.factsFiles)
    .optional()
    .describe('Files to examine, relative to the project folder.'),
  path: pathText.default('.').describe('Folder to examine when paths is absent. Default: the project folder.'),
  pattern: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .describe('Only files whose name matches (*.md, docs/**); without it all.'),
  hash: flag().default(true).describe('Compute sha256 and find duplicates. Default true.'),
  text: flag().default(true).describe('Count lines, words and characters of text files. Default true.'),
})
type Parameters = z.output<typeof parameters>

export const fileFacts = defineAction({
  name: 'file_facts',
  description:
    'Size, time of change, sha256, lines, words and characters of files, their sums, and which files are identical (duplicates).',
  parameters,
  effects: ['ReadLocal'],
  isIdempotent: true,
  summarize: ({ paths, path, pattern }) => summaryText(paths?.join(', ') ?? (pattern ? `${path} ${pattern}` : path)),
  run: examineAll,
})

interface Facts extends Partial<TextFacts> {
  path: string
  bytes: number
  modified: string
  sha256?: string
  type: 'text' | 'binary'
}

async function examineAll(asked: Parameters, context: ActionContext) {
  const root = await openProject(context)
  const report = createWalkReport()
  const files: Facts[] = []
  const failures: { path: string; error: AppError }[] = []
  const deadline = performance.now() + limits.actionMs / 2
  let stopped: string | undefined
  for await (const path of namesOf(root, asked, context.signal, report)) {
    if (files.length + failures.length >= limits.factsFiles)
      stopped = `Only the first ${limits.factsFiles} files were examined.`
    else if (performance.now() > deadline) stopped = 'The work was stopped after 30 s.'
    if (stopped !== undefined) break
    const note = (error: AppError) => failures.push({ path, error })
    await withFile(root, path, async (file) => {
      files.push(await examine(file, asked, context.signal, note))
    }).catch((cause: unknown) => {
      if (isCancelled(cause) || context.signal.aborted) throw cause
      note(fileError(path, cause))
    })
  }
  const [failure] = failures
  if (files.length === 0 && failure !== undefined && asked.paths !== undefined) throw failure.error
  return describe(files, failures, stopped ?? report.stoppedBecause)
}

async function* namesOf(
  root: Root,
  { paths, path, pattern }: Parameters,
  signal: AbortSignal,
  report: WalkReport,
): AsyncGenerator<string> {
  if (paths !== undefined) yield* new Set(paths)
  else for await (const entry of chooseFiles({ root, path, pattern, signal }, report)) yield entry.path
}

/** One pass over the bytes gives both the hash and the counts. */
async function examine(
  file: OpenedFile,
  { hash, text }: Parameters,
  signal: AbortSignal,
  note: (error: AppError) => void,
): Promise<Facts> {
  refuseLarge(file, limits.hashBytes, 'list_files tells its size.')
  const content = await contentOf(file)
  const facts: Facts = {
    path: file.path,
    bytes: file.bytes,
    modified: isoUtc(file.modifiedMs),
    type: content.kind === 'binary' ? 'binary' : 'text',
  }
  let looksLike = content.kind === 'otherEncoding' ? content.looksLike : undefined
  let decoder =
    text && content.kind === 'text' ? new TextDecoder(content.encoding, { fatal: true, ignoreBOM: false }) : undefined
  const sha256 = hash ? createHash('sha256') : undefined
  const counter = createTextCounter()
  const pace = createPace(signal)
  const count = (chunk: Buffer | undefined) => {
    try {
      counter.add(decoder?.decode(chunk, { stream: chunk !== undefined }) ?? '')
    } catch {
      // The first bytes were UTF-8, these are not.
      looksLike = singleByteGuess
      decoder = undefined
    }
  }
  for await (const chunk of sha256 || decoder ? readChunks(file, signal) : []) {
    await pace()
    sha256?.update(chunk)
    count(chunk)
  }
  count(undefined)
  if (sha256) facts.sha256 = sha256.digest('hex')
  if (decoder) Object.assign(facts, counter.facts())
  if (text && looksLike !== undefined) note(notCounted(file.path, looksLike))
  return facts
}

function notCounted(path: string, looksLike: string): AppError {
  return new AppError('action.encoding', {
    message: `"${path}" is not UTF-8 (it looks like ${looksLike}): its lines and words were not counted`,
    userMessage: `The words of "${path}" were not counted: it is not UTF-8. Save it as UTF-8 to have it read.`,
  })
}

function describe(
  files: readonly Facts[],
  failures: readonly { path: string; error: AppError }[],
  stopped: string | undefined,
) {
  const sum = (key: 'bytes' | 'lines' | 'words') => files.reduce((total, file) => total + (file[key] ?? 0), 0)
  const duplicates = takeFitting(findDuplicates(files), createAllowance(0.3))
  const shown = takeFitting(
    files.map((file) => ({ ...file })),
    createAllowance(0.5),
  )
  const errors = takeFitting(
    failures.slice(0, 50).map(({ path, error }) => ({ path, code: error.code, message: error.message })),
    createAllowance(0.15),
  )
  const notes = [
    stopped,
    shown.length < files.length ? `Only ${shown.length} files fit; the sums are over all.` : undefined,
  ]
  const note = notes.filter((text) => text !== undefined).join(' ')
  return {
    files: shown,
    total: files.length,
    bytes: sum('bytes'),
    lines: sum('lines'),
    words: sum('words'),
    duplicates,
    errors,
    complete: stopped === undefined && shown.length === files.length && errors.length === failures.length,
    ...(note !== '' && { note }),
  }
}

/** Groups of files with the same bytes, largest first; `files` counts a group, of which at most 50 paths are named. */
function findDuplicates(files: readonly Facts[]) {
  const groups = new Map<string, { sha256: string; bytes: number; paths: string[] }>()
  for (const { sha256, bytes, path } of files) {
    if (sha256 === undefined) continue
    const group = groups.get(sha256)
    if (group) group.paths.push(path)
    else groups.set(sha256, { sha256, bytes, paths: [path] })
  }
  return [...groups.values()]
    .filter(({ paths }) => paths.length > 1)
    .sort((a, b) => b.bytes - a.bytes)
    .map((group) => ({ ...group, files: group.paths.length, paths: group.paths.slice(0, 50) }))
}
