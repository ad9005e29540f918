import path from 'node:path'
import { parseArgs } from 'node:util'
import { AppError } from '../domain/error.ts'
import { limits } from '../domain/limits.ts'
import { type DocType, docTypes } from '../domain/memory.ts'
import { threadStates } from '../domain/thread.ts'

/** One command of the line: what it is called, what it takes, how it opens the store. */
export type Command =
  | {
      readonly name: 'run'
      readonly goal: string
      readonly project: string
      readonly model?: string
      readonly maxSteps?: number
    }
  | {
      readonly name: 'thread list'
      readonly state?: (typeof threadStates)[number]
      readonly limit: number
      readonly before?: string
    }
  | { readonly name: 'thread show'; readonly id: string; readonly events: boolean; readonly messages: boolean }
  | { readonly name: 'thread stop' | 'thread resume' | 'trace issues'; readonly id: string }
  | { readonly name: 'model list' }
  | { readonly name: 'model probe'; readonly model?: string }
  | {
      readonly name: 'model replay'
      readonly files: readonly string[]
      readonly chunkBytes?: number
      readonly cutAt?: number
    }
  | {
      readonly name: 'doc list'
      readonly project: string
      readonly type?: DocType
      readonly limit: number
      readonly before?: number
    }
  | { readonly name: 'doc show'; readonly project: string; readonly id: string; readonly version?: number }
  | { readonly name: 'doc search'; readonly project: string; readonly query: string; readonly limit: number }
  | { readonly name: 'doc export'; readonly project: string; readonly id?: string; readonly out: string }
  | { readonly name: 'doctor' | 'help' | 'version' }

export interface ParsedLine {
  readonly command: Command
  readonly isJson: boolean
  readonly dataDir: string | undefined
}

export const usage = `threadsmith: a workbench for an agent whose every step is on record

  run "<goal>" [--project DIR] [--model NAME] [--max-steps N] [--approve ask|none|all]
  thread list [--state S] [--limit N] [--before ID]
  thread show <id> [--events] [--messages]
  thread stop | resume <id>
  trace issues <thread id>
  model list
  model probe [NAME]
  model replay <stream.json…> [--chunk N] [--cut N]
  doc list [--type T] [--limit N] [--before NUMBER]
  doc show <id|title> [--version N]
  doc search "<words>" [--limit N]
  doc export <id|title|--all> [--out DIR]
  doctor

What is known of a project: doc commands take --project DIR too.
Everywhere: --json for programs, --data DIR for another data folder (else THREADSMITH_HOME).
Exit: 0 done, 1 failed or refused, 2 usage, 130 after Ctrl-C.`

const options = {
  json: { type: 'boolean' },
  data: { type: 'string' },
  help: { type: 'boolean' },
  version: { type: 'boolean' },
  project: { type: 'string' },
  model: { type: 'string' },
  'max-steps': { type: 'string' },
  approve: { type: 'string' },
  state: { type: 'string' },
  limit: { type: 'string' },
  before: { type: 'string' },
  events: { type: 'boolean' },
  messages: { type: 'boolean' },
  chunk: { type: 'string' },
  cut: { type: 'string' },
  type: { type: 'string' },
  all: { type: 'boolean' },
  out: { type: 'string' },
} as const
type OptionName = keyof typeof options
type Values = Readonly<Partial<Record<OptionName, string | boolean>>>

const everywhere: readonly OptionName[] = ['json', 'data', 'help', 'version']
const allowed: Readonly<Record<string, readonly OptionName[]>> = {
  run: ['project', 'model', 'max-steps', 'approve'],
  'thread list': ['state', 'limit', 'before'],
  'thread show': ['events', 'messages'],
  'model replay': ['chunk', 'cut'],
  'doc list': ['project', 'type', 'limit', 'before'],
  'doc show': ['project'],
  'doc search': ['project', 'limit'],
  'doc export': ['project', 'all', 'out'],
}

/** @throws AppError usage, with what would be right. */
export function parseLine(argv: readonly string[], currentFolder: string): ParsedLine {
  const { values, positionals } = readArguments(argv)
  const isJson = values.json === true
  const dataDir = text(values, 'data')
  if (values.version === true) return { command: { name: 'version' }, isJson, dataDir }
  const [first = 'help', second] = positionals
  const isPair = ['thread', 'model', 'trace', 'doc'].includes(first)
  const name = isPair ? `${first} ${second ?? ''}` : first
  const rest = positionals.slice(isPair ? 2 : 1)
  if (values.help || name === 'help') return { command: { name: 'help' }, isJson, dataDir }
  refuseForeign(name, values)
  return { command: commandOf(name, rest, { values, currentFolder }), isJson, dataDir }
}

function readArguments(argv: readonly string[]) {
  try {
    const [first] = parseArgs({ args: [...argv], options, allowPositionals: true, strict: false }).positionals
    // Of a doc it names one of its versions; everywhere else it asks for the program's own.
    const version = { type: first === 'doc' ? 'string' : 'boolean' } as const
    return parseArgs({ args: [...argv], options: { ...options, version }, allowPositionals: true, strict: true })
  } catch (error) {
    throw wrongUsage(error instanceof Error ? error.message : 'the arguments cannot be read')
  }
}

function refuseForeign(name: string, values: Values): void {
  for (const option of Object.keys(values)) {
    const isKnown = [...everywhere, ...(allowed[name] ?? [])].some((each) => each === option)
    if (!isKnown) throw wrongUsage(`${name} takes no --${option}`)
  }
}

function commandOf(name: string, rest: readonly string[], { values, currentFolder }: Place): Command {
  switch (name) {
    case 'run':
      return runCommand(rest, values, currentFolder)
    case 'thread list':
      return listCommand(values)
    case 'thread show':
      return {
        name,
        id: only(rest, 'the id of a thread'),
        events: values.events === true,
        messages: values.messages === true,
      }
    case 'thread stop':
    case 'thread resume':
    case 'trace issues':
      return { name, id: only(rest, 'the id of a thread') }
    case 'model list':
    case 'doctor':
      none(rest)
      return { name }
    case 'model probe':
      return { name, ...(rest[0] !== undefined && { model: only(rest, 'at most one model') }) }
    case 'model replay':
      return replayCommand(rest, values)
    case 'doc list':
    case 'doc show':
    case 'doc search':
    case 'doc export':
      return docCommand(name, rest, { values, currentFolder })
    default:
      throw wrongUsage(`there is no command ${name.trim()}`)
  }
}

function runCommand(rest: readonly string[], values: Values, currentFolder: string): Command {
  const goal = only(rest, 'one goal, in quotes')
  if (goal.trim() === '') throw wrongUsage('the goal is empty')
  const approve = text(values, 'approve')
  if (approve !== undefined && !['ask', 'none', 'all'].includes(approve))
    throw wrongUsage('--approve is ask, none or all')
  const maxSteps = count(values, 'max-steps', limits.maxStepsCeiling)
  const model = text(values, 'model')
  // Whole, because the app that may be asked for it stands in another folder.
  const project = path.resolve(currentFolder, text(values, 'project') ?? '.')
  return { name: 'run', goal, project, ...(model && { model }), ...(maxSteps && { maxSteps }) }
}

function listCommand(values: Values): Command {
  const wanted = text(values, 'state')
  const state = threadStates.find((each) => each.toLowerCase() === wanted?.toLowerCase())
  if (wanted !== undefined && state === undefined) throw wrongUsage(`--state is one of ${threadStates.join(', ')}`)
  const before = text(values, 'before')
  return {
    name: 'thread list',
    limit: count(values, 'limit', 1_000) ?? 50,
    ...(state && { state }),
    ...(before && { before }),
  }
}

function replayCommand(files: readonly string[], values: Values): Command {
  if (files.length === 0) throw wrongUsage('model replay takes at least one file')
  const chunkBytes = count(values, 'chunk', 1_000_000)
  const cutAt = count(values, 'cut', 100_000_000, 0)
  return { name: 'model replay', files, ...(chunkBytes && { chunkBytes }), ...(cutAt !== undefined && { cutAt }) }
}

interface Place {
  readonly values: Values
  readonly currentFolder: string
}

function docCommand(
  name: 'doc list' | 'doc show' | 'doc search' | 'doc export',
  rest: readonly string[],
  place: Place,
): Command {
  const { values, currentFolder } = place
  const project = path.resolve(currentFolder, text(values, 'project') ?? '.')
  if (name !== 'doc show' && values.version !== undefined) throw wrongUsage(`${name} takes no --version`)
  switch (name) {
    case 'doc list':
      none(rest)
      return docListCommand(values, project)
    case 'doc show': {
      const version = count(values, 'version', 999_999_999)
      return { name, project, id: only(rest, 'the id or the title of a doc'), ...(version && { version }) }
    }
    case 'doc search':
      return {
        name,
        project,
        query: only(rest, 'words to look for, in quotes'),
        limit: count(values, 'limit', 100) ?? 20,
      }
    case 'doc export': {
      const out = path.resolve(currentFolder, text(values, 'out') ?? '.')
      if (values.all !== true) return { name, project, out, id: only(rest, 'the id or the title of a doc, or --all') }
      none(rest)
      return { name, project, out }
    }
  }
}

function docListCommand(values: Values, project: string): Command {
  const wanted = text(values, 'type')
  const type = docTypes.find((each) => each.toLowerCase() === wanted?.toLowerCase())
  if (wanted !== undefined && type === undefined) throw wrongUsage(`--type is one of ${docTypes.join(', ')}`)
  const before = count(values, 'before', 999_999_999)
  const limit = count(values, 'limit', 1_000) ?? 50
  return { name: 'doc list', project, limit, ...(type && { type }), ...(before && { before }) }
}

function text(values: Values, name: OptionName): string | undefined {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}

function count(values: Values, name: OptionName, max: number, min = 1): number | undefined {
  const value = text(values, name)
  if (value === undefined) return undefined
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
  if (number >= min && number <= max) return number
  throw wrongUsage(`--${name} takes a whole number from ${min} to ${max}`)
}

function only(rest: readonly string[], what: string): string {
  const [first, ...more] = rest
  if (first === undefined || more.length > 0) throw wrongUsage(`this takes ${what}`)
  return first
}

function none(rest: readonly string[]): void {
  if (rest.length > 0) throw wrongUsage(`this takes nothing more: ${rest.join(' ')}`)
}

function wrongUsage(message: string): AppError {
  return new AppError('usage', { message, userMessage: `${message}. \`threadsmith help\` shows every command.` })
}
