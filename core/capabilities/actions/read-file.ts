import { z } from 'zod'
import type { Json } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { type ActionContext, defineAction } from '../action.ts'
import { type OpenedFile, openProject, withFile } from '../paths.ts'
import { resultCharacters } from './allowance.ts'
import { encodingOf, readLines, refuseLarge } from './files/text-stream.ts'
import { createPace } from './pace.ts'
import { pathText, summaryText, wholeNumber } from './parameters.ts'
import { refusal } from './refusal.ts'

const line = wholeNumber(1, Number.MAX_SAFE_INTEGER)
const parameters = z.strictObject({
  path: pathText.min(1).describe('File inside the project.'),
  fromLine: line.default(1).describe('First line to return; the first line of a file is 1.'),
  lines: line.optional().describe('How many lines to return. Default: as many as fit 40,000 characters.'),
})
type Parameters = z.output<typeof parameters>

export const readFile = defineAction({
  name: 'read_file',
  description:
    'Reads a text file of the project, from any line. nextLine is where to go on, null at the end. Files over 64 MiB: use search_files or file_facts.',
  parameters,
  effects: ['ReadLocal'],
  isIdempotent: true,
  summarize: ({ path, fromLine }) => summaryText(fromLine === 1 ? path : `${path} from line ${fromLine}`),
  run: async (asked, context) =>
    withFile(await openProject(context), asked.path, (file) => readRange(file, asked, context)),
})

async function readRange(file: OpenedFile, asked: Parameters, context: ActionContext): Promise<Json> {
  refuseLarge(file, limits.readFileBytes, 'Use search_files to find lines in it or file_facts for its size and hash.')
  const { encoding } = await encodingOf(file)
  const range = createRange(asked.fromLine, asked.lines ?? Infinity)
  const pace = createPace(context.signal)
  let totalLines = 0
  for await (const batch of readLines(file, context.signal)) {
    await pace()
    for (const text of batch) {
      totalLines += 1
      range.offer(totalLines, text)
    }
  }
  if (asked.fromLine > Math.max(totalLines, 1)) {
    throw refusal('action.args', `"${file.path}" has ${totalLines} lines; line ${asked.fromLine} is beyond its end.`)
  }
  const { kept, cutLine } = range
  const toLine = Math.min(asked.fromLine + kept.length - 1, totalLines)
  const isWhole = toLine >= totalLines
  return {
    path: file.path,
    text: kept.join('\n'),
    fromLine: asked.fromLine,
    toLine,
    totalLines,
    bytes: file.bytes,
    complete: isWhole && cutLine() === undefined,
    nextLine: isWhole ? null : toLine + 1,
    ...(encoding !== 'utf-8' && { encoding }),
    ...(cutLine() !== undefined && { note: cutLine() ?? '' }),
  }
}

/** Collects the lines asked for until they fill a result. A single line that is too long is cut, so that reading goes on. */
function createRange(fromLine: number, lines: number) {
  const kept: string[] = []
  let isFull = false
  let charactersLeft: number = limits.readFileCharacters
  let resultLeft: number = limits.actionResultCharacters - 2_000
  let cut: string | undefined
  const take = (text: string): boolean => {
    if (text.length > charactersLeft) return false
    const cost = resultCharacters(text)
    if (cost > resultLeft) return false
    charactersLeft -= text.length + 1
    resultLeft -= cost
    kept.push(text)
    return true
  }
  return {
    kept,
    cutLine: () => cut,
    offer(number: number, text: string) {
      if (isFull || number < fromLine) return
      if (kept.length >= lines || !take(text)) isFull = true
      if (!isFull || kept.length > 0) return
      const start = fittingStart(text)
      kept.push(start)
      cut = `Line ${number} has ${text.length} characters; its first ${start.length} are shown.`
    },
  }
}

function fittingStart(text: string): string {
  let start = text.slice(0, limits.readFileCharacters)
  while (resultCharacters(start) > limits.actionResultCharacters - 2_000) start = start.slice(0, start.length >> 1)
  return start.replace(/[\ud800-\udbff]$/, '')
}
