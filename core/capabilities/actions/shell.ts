import { z } from 'zod'
import type { EffectType } from '../../domain/action.ts'
import { AppError } from '../../domain/error.ts'
import type { Json } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { sanitizeText } from '../../domain/text.ts'
import { type ActionContext, defineAction, type Preflight, type PreflightContext, type Review } from '../action.ts'
import { isWithin, openProject } from '../paths.ts'
import { summaryText, wholeNumber } from './parameters.ts'
import { classify } from './shell/classify.ts'
import { findBubblewrap } from './shell/jail.ts'
import { linkOutside } from './shell/links.ts'
import type { OutputEnd } from './shell/output.ts'
import { packageScript } from './shell/package-script.ts'
import { repositoryConcern } from './shell/repository.ts'
import { type CommandResult, runCommand } from './shell/run.ts'

const parameters = z.strictObject({
  command: z
    .string()
    .min(1)
    .max(limits.shellCommandCharacters)
    .refine((text) => text.trim() !== '', 'must not be empty')
    .refine((text) => !/[\p{Cc}]/u.test(text.replace(/[\n\t]/g, '')), 'must not hold NUL or other control characters')
    .refine((text) => text.isWellFormed(), 'must be well-formed Unicode')
    .describe('As for bash. One plain command without pipes, redirections or variables is the surest.'),
  timeout_seconds: wholeNumber(1, limits.shellMsCeiling / 1_000)
    .default(limits.shellMs / 1_000)
    .describe('When it is ended if it is still running. Default 120, at most 600.'),
})
const anything: readonly EffectType[] = ['ReadLocal', 'WriteLocal', 'ReadExternal', 'WriteExternal']
type Parameters = z.output<typeof parameters>

export const shell = defineAction({
  name: 'shell',
  description:
    'Runs a command in the project folder, without input, and waits for it and all that it started to end. Returns exitCode (not 0 is no error here), and the last 20,000 characters of stdout and stderr. Looking at files of the project runs at once; other commands wait for the person.',
  parameters,
  // A program can do anything that its user can. Where the jail is missing it reaches the network and other folders, so
  // that must be declared: effects are promises, and the jail is the system's to give.
  effects: anything,
  isIdempotent: false,
  programs: ['command'],
  askedFor: ['run', 'execute', 'start', 'call', 'launch', 'use', 'try'],
  source: ({ command }) => ({ kind: 'shell', name: command }),
  rate: { perMinute: 30, perHour: 300 },
  timeoutMs: ({ timeout_seconds }) => timeout_seconds * 1_000 + endingMs,
  review,
  preflight,
  resource: () => 'project folder',
  summarize: ({ command }) => summaryText(command),
  run,
})

/** After its time a command has its grace, and what it started is looked for. */
const endingMs = limits.shellKillGraceMs + 5_000

async function review({ command }: Parameters, context: PreflightContext): Promise<Review> {
  const { verdict, reason, scopeKey, argv } = await classify(command, context.folder)
  if (verdict === 'deny') return { verdict, reason }
  // In the jail there is no network and no other folder: what is left to touch is the project.
  const effects: readonly EffectType[] = (await findBubblewrap()) === null ? anything : ['ReadLocal', 'WriteLocal']
  if (verdict === 'ask') return { verdict, reason, scopeKey, effects }
  const found = await whatLettersHide(argv ?? [], context)
  if (found !== null) return { verdict: 'ask', reason: found, scopeKey: null, effects }
  return { verdict, effects: ['ReadLocal'] }
}

/** Why a command that by its letters only reads must ask after all. */
async function whatLettersHide(argv: readonly string[], context: PreflightContext): Promise<string | null> {
  if (isWithin(context.folder, context.dataDir) && (await findBubblewrap()) === null) {
    return "Threadsmith's own data lies in the project folder"
  }
  return (await linkOutside(argv, context)) ?? (argv[0] === 'git' ? repositoryConcern(context) : null)
}

async function preflight({ command }: Parameters, context: PreflightContext): Promise<Preflight> {
  const root = await openProject(context)
  const [{ argv, concerns }, bubblewrap] = await Promise.all([classify(command, root.folder), findBubblewrap()])
  const more = argv === null ? [] : [await packageScript(argv, root), await linkOutside(argv, root)]
  return {
    change: {
      kind: 'command',
      command: sanitizeText(command),
      argv: argv?.map(sanitizeText) ?? null,
      folder: root.folder,
      jail: bubblewrap === null ? 'none' : 'bubblewrap',
      concerns: [...concerns, ...more.filter((each) => each !== null)].map(sanitizeText),
    },
    guard: null,
    undo: 'What a command does cannot be put back from here: files that it changes or deletes are not kept.',
  }
}

async function run({ command, timeout_seconds }: Parameters, context: ActionContext): Promise<Json> {
  const { folder } = await openProject(context)
  const { verdict, reason, argv } = await classify(command, folder)
  if (verdict === 'deny') throw refused(reason)
  const bubblewrap = await findBubblewrap()
  const { dataDir, timeZone, signal, environment = {} } = context
  const timeoutMs = timeout_seconds * 1_000
  const run = { command, argv, folder, dataDir, environment, timeZone, timeoutMs, signal, bubblewrap }
  return { ...described(await runCommand(run), timeout_seconds), jail: bubblewrap === null ? 'none' : 'bubblewrap' }
}

function described({ exitCode, signal, stdout, stderr, stoppedBy }: CommandResult, timeoutSeconds: number) {
  const why = {
    time: `It was ended after ${timeoutSeconds} s.`,
    output: `It was ended because it wrote more than ${limits.shellFloodCharacters} characters.`,
    processes: `It was ended because it started more than ${limits.shellProcesses} processes.`,
  }
  const notes = [stoppedBy && why[stoppedBy], cutNote('stdout', stdout), cutNote('stderr', stderr)].filter(Boolean)
  return {
    exitCode,
    signal,
    stdout: stdout.text,
    stderr: stderr.text,
    timedOut: stoppedBy === 'time',
    cut: { stdout: stdout.cut, stderr: stderr.cut },
    ...(notes.length > 0 && { note: notes.join(' ') }),
  }
}

function cutNote(name: string, { cut }: OutputEnd): string | null {
  return cut === 0 ? null : `The first ${cut} characters of ${name} are cut off; this is its end.`
}

function refused(reason: string): AppError {
  return new AppError('policy.denied', {
    message: reason,
    userMessage: `This command was not run: ${reason}. Nothing was done.`,
  })
}
