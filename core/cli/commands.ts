import { parseArgs } from 'node:util'
import { type CheckCommand, checkCommand } from './check-commands.ts'
import { type DecisionCommand, decisionCommand } from './decision-commands.ts'
import { type DocCommand, docCommand } from './doc-commands.ts'
import { type IntegrationCommand, integrationCommand } from './integration-commands.ts'
import { type LearnCommand, learnCommand } from './learn-commands.ts'
import { count, type Line, none, type OptionName, only, options, text, type Values, wrongUsage } from './line.ts'
import { type MissionCommand, missionCommand } from './mission-commands.ts'
import { type ProviderCommand, providerCommand } from './provider-commands.ts'
import { type SkillCommand, skillCommand } from './skill-commands.ts'
import { type ThreadCommand, threadCommand } from './thread-commands.ts'

/** One command of the line: what it is called, what it takes. */
export type Command =
  | ThreadCommand
  | DecisionCommand
  | DocCommand
  | ProviderCommand
  | IntegrationCommand
  | CheckCommand
  | SkillCommand
  | LearnCommand
  | MissionCommand
  | { readonly name: 'model list' }
  | { readonly name: 'model probe'; readonly model?: string }
  | {
      readonly name: 'model replay'
      readonly files: readonly string[]
      readonly chunkBytes?: number
      readonly cutAt?: number
    }
  | { readonly name: 'doctor' | 'help' | 'version' }

export interface ParsedLine {
  readonly command: Command
  readonly isJson: boolean
  readonly dataDir: string | undefined
}

const groups = [
  ...['http', 'secrets', 'skill', 'thread', 'approval', 'orchestrator', 'trace', 'model', 'provider', 'doc'],
  ...['integration', 'mission', 'learn'],
]
const everywhere: readonly OptionName[] = ['json', 'data', 'help', 'version']
const allowed: Readonly<Record<string, readonly OptionName[]>> = {
  run: ['project', 'model', 'skill', 'max-steps', 'budget-usd', 'approve'],
  'thread list': ['state', 'limit', 'before'],
  'thread show': ['events', 'messages'],
  'thread fork': ['step', 'edit'],
  'approval approve': ['reason', 'scope', 'no-run'],
  'approval deny': ['reason', 'stop', 'no-run'],
  'orchestrator propose': ['reason'],
  'orchestrator rollback': ['to'],
  'model replay': ['chunk', 'cut'],
  'http check': ['dns', 'redirect'],
  'provider add': ['url', 'title'],
  'integration address': ['url'],
  'skill select': ['project'],
  'skill approve': ['reason'],
  'skill reject': ['reason'],
  'skill quarantine': ['reason'],
  'skill rollback': ['to', 'reason'],
  'skill import': ['dry-run'],
  'mission list': ['project'],
  'mission add': ['project'],
  'mission edit': ['project'],
  'mission pause': ['project'],
  'mission resume': ['project'],
  'mission run': ['project', 'rehearse'],
  'mission show': ['project'],
  'mission tick': ['now'],
  'mission firings': ['project', 'from', 'to'],
  cron: ['tz', 'from', 'count'],
  'learn approve': ['reason'],
  'learn reject': ['reason'],
  'learn undo': ['reason'],
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
  const isPair = groups.includes(first)
  const name = isPair ? `${first} ${second ?? ''}` : first
  const rest = positionals.slice(isPair ? 2 : 1)
  if (values.help || name === 'help') return { command: { name: 'help' }, isJson, dataDir }
  refuseForeign(name, values)
  return { command: commandOf(name, { rest, values, currentFolder }), isJson, dataDir }
}

const hasVersions: ReadonlySet<string> = new Set(['doc', 'skill', 'mission'])

function readArguments(argv: readonly string[]) {
  try {
    const [first] = parseArgs({ args: [...argv], options, allowPositionals: true, strict: false }).positionals
    // Of a doc, a skill or a mission it names one of its versions; everywhere else it asks for the program's own.
    const version = { type: first !== undefined && hasVersions.has(first) ? 'string' : 'boolean' } as const
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

function commandOf(name: string, line: Line): Command {
  const { rest } = line
  switch (name) {
    case 'run':
    case 'thread list':
    case 'thread show':
    case 'thread stop':
    case 'thread resume':
    case 'thread fork':
    case 'trace issues':
      return threadCommand(name, line)
    case 'approval list':
    case 'approval approve':
    case 'approval deny':
    case 'orchestrator versions':
    case 'orchestrator show':
    case 'orchestrator propose':
    case 'orchestrator activate':
    case 'orchestrator rollback':
      return decisionCommand(name, line)
    case 'doc list':
    case 'doc show':
    case 'doc search':
    case 'doc export':
      return docCommand(name, line)
    case 'provider list':
    case 'provider add':
    case 'provider key':
    case 'provider remove':
      return providerCommand(name, line)
    case 'integration list':
    case 'integration connect':
    case 'integration test':
    case 'integration disconnect':
    case 'integration address':
      return integrationCommand(name, line)
    case 'mission list':
    case 'mission add':
    case 'mission edit':
    case 'mission pause':
    case 'mission resume':
    case 'mission run':
    case 'mission show':
    case 'mission tick':
    case 'mission firings':
    case 'cron':
      return missionCommand(name, line)
    case 'http check':
    case 'secrets scan':
    case 'skill validate':
      return checkCommand(name, line)
    case 'skill list':
    case 'skill show':
    case 'skill select':
    case 'skill approve':
    case 'skill reject':
    case 'skill quarantine':
    case 'skill rollback':
    case 'skill import':
    case 'skill export':
    case 'skill sources':
    case 'skill follow':
    case 'skill unfollow':
      return skillCommand(name, line)
    case 'learn status':
    case 'learn list':
    case 'learn approve':
    case 'learn reject':
    case 'learn undo':
      return learnCommand(name, line)
    case 'model list':
    case 'doctor':
      none(rest)
      return { name }
    case 'model probe':
      return { name, ...(rest[0] !== undefined && { model: only(rest, 'at most one model') }) }
    case 'model replay':
      return replayCommand(line)
    default:
      throw wrongUsage(`there is no command ${name.trim()}`)
  }
}

function replayCommand({ rest: files, values }: Line): Command {
  if (files.length === 0) throw wrongUsage('model replay takes at least one file')
  const chunkBytes = count(values, 'chunk', { max: 1_000_000 })
  const cutAt = count(values, 'cut', { min: 0, max: 100_000_000 })
  return { name: 'model replay', files, ...(chunkBytes && { chunkBytes }), ...(cutAt !== undefined && { cutAt }) }
}
