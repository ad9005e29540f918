import { z } from 'zod'
import { isCancelled } from '../../domain/error.ts'
import { limits } from '../../domain/limits.ts'
import { type ActionContext, defineAction } from '../action.ts'
import { findPlace, type OpenedFile, openProject, withFile } from '../paths.ts'
import { type Allowance, createAllowance, takeFitting } from './allowance.ts'
import { chooseFiles } from './files/choose-files.ts'
import { createLineMatcher, excerpt, type LineMatcher } from './files/line-matcher.ts'
import { reasonOf } from './files/reason.ts'
import { readLines, refuseLarge } from './files/text-stream.ts'
import { createWalkReport } from './files/walk.ts'
import { createPace } from './pace.ts'
import { flag, pathText, summaryText, wholeNumber } from './parameters.ts'

const parameters = z.strictObject({
  query: z.string().min(1).max(1_000).describe('Text to find; with regex an expression in RE2 syntax. One line.'),
  path: pathText.default('.').describe('Folder or file inside the project. Default: the whole project.'),
  pattern: z.string().min(1).max(300).optional().describe('Only in files whose name matches: *.md, src/**/*.ts.'),
  regex: flag().default(false).describe('Read query as an RE2 expression. Default false.'),
  caseSensitive: flag().default(false).describe('Default false.'),
  wholeWord: flag().default(false).describe('Only where no letter, digit or _ stands beside the match. Default false.'),
  limit: wholeNumber(1, limits.searchMatches)
    .default(100)
    .describe('Matching lines to show, at most 200. Default 100.'),
})
type Parameters = z.output<typeof parameters>

export const searchFiles = defineAction({
  name: 'search_files',
  description:
    'Searches the text of files, line by line. Shows the first matching lines and counts all of them, and all occurrences, in all files. Hidden files are left out unless path or pattern names them.',
  parameters,
  effects: ['ReadLocal'],
  isIdempotent: true,
  summarize: ({ query, path }) => summaryText(path === '.' ? query : `${query} in ${path}`),
  run: search,
})

type FileMatches = { readonly path: string; readonly matches: number; readonly occurrences: number }

async function search(asked: Parameters, context: ActionContext) {
  const root = await openProject(context)
  const { path, pattern } = asked
  const { isFolder } = await findPlace(root, path)
  const report = createWalkReport()
  const tally = createTally(asked)
  const deadline = performance.now() + limits.actionMs / 2
  let isLate = false
  for await (const entry of chooseFiles({ root, path, pattern, signal: context.signal }, report)) {
    isLate = performance.now() > deadline
    if (isLate) break
    await withFile(root, entry.path, (file) => searchFile(file, tally, context.signal)).catch((cause: unknown) => {
      // A file that was named must not look like a file without matches.
      if (!isFolder || isCancelled(cause) || context.signal.aborted) throw cause
      tally.skip(entry.path, reasonOf(cause))
    })
  }
  const stopped = report.stoppedBecause ?? (isLate ? 'The search was stopped after 30 s.' : undefined)
  return tally.result(stopped)
}

async function searchFile(file: OpenedFile, tally: Tally, signal: AbortSignal): Promise<void> {
  refuseLarge(file, limits.searchFileBytes, 'table with format lines and where text contains reads up to 64 MiB.')
  const pace = createPace(signal)
  const inFile = tally.begin(file.path)
  let line = 0
  for await (const batch of readLines(file, signal)) {
    for (const text of batch) {
      line += 1
      // A look at the clock per line would cost more than the search.
      if (line % 64 === 0) await pace()
      inFile.offer(line, text)
    }
  }
  inFile.end()
}

type Tally = ReturnType<typeof createTally>

/** Counts everything, shows what fits. A file that turns out not to be text in its middle counts as skipped. */
function createTally(asked: Parameters) {
  const matcher: LineMatcher = createLineMatcher(asked)
  const allowance: Allowance = createAllowance(0.6)
  const matches: { path: string; line: number; text: string }[] = []
  const files: FileMatches[] = []
  const skipped: { path: string; reason: string }[] = []
  const count = { filesSearched: 0, totalMatches: 0, totalOccurrences: 0, skipped: 0 }
  let isFull = false

  const begin = (path: string) => {
    const found: { path: string; line: number; text: string }[] = []
    const inFile = { path, matches: 0, occurrences: 0 }
    return {
      offer(line: number, text: string) {
        const match = matcher(text)
        if (!match) return
        inFile.matches += 1
        inFile.occurrences += match.occurrences
        if (matches.length + found.length < asked.limit) found.push({ path, line, text: excerpt(text, match.first) })
      },
      end() {
        count.filesSearched += 1
        count.totalMatches += inFile.matches
        count.totalOccurrences += inFile.occurrences
        if (inFile.matches > 0) files.push(inFile)
        const shown = takeFitting(found, allowance)
        matches.push(...shown)
        isFull ||= shown.length < found.length
      },
    }
  }

  return {
    begin,
    skip(path: string, reason: string) {
      count.skipped += 1
      if (skipped.length < 20) skipped.push({ path, reason })
    },
    result(stopped: string | undefined) {
      const ranked = files.sort((a, b) => b.matches - a.matches || b.occurrences - a.occurrences).slice(0, 100)
      const notes = [stopped, isFull ? `Only ${matches.length} matching lines fit into one result.` : undefined]
      const note = notes.filter((text) => text !== undefined).join(' ')
      return {
        query: asked.query,
        matches,
        totalMatches: count.totalMatches,
        totalOccurrences: count.totalOccurrences,
        filesMatched: files.length,
        filesSearched: count.filesSearched,
        files: takeFitting(ranked, createAllowance(0.2)),
        skipped: takeFitting(skipped, createAllowance(0.15)),
        skippedTotal: count.skipped,
        complete: stopped === undefined && matches.length === count.totalMatches,
        ...(note !== '' && { note }),
      }
    },
  }
}
