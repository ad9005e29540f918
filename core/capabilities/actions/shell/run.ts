import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { AppError } from '../../../domain/error.ts'
import { limits } from '../../../domain/limits.ts'
import type { Environment } from '../../action.ts'
import { refusal } from '../refusal.ts'
import { commandEnvironment, type RunPlaces } from './environment.ts'
import { jailArguments } from './jail.ts'
import { createOutputEnd, type OutputEnd } from './output.ts'
import { createProcesses, type Processes, yieldToOthers } from './processes.ts'

export interface CommandToRun {
  readonly command: string
  /** Null: it runs by `bash -c`. */
  readonly argv: readonly string[] | null
  /** Absolute and free of links, as is `dataDir`. */
  readonly folder: string
  readonly dataDir: string
  readonly environment: Environment
  readonly timeZone: string
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Where bubblewrap is; null: no jail. */
  readonly bubblewrap: string | null
}

export interface CommandResult {
  /** Null where a signal ended it. */
  readonly exitCode: number | null
  readonly signal: string | null
  readonly stdout: OutputEnd
  readonly stderr: OutputEnd
  /** Why it was ended from outside; null: it ended by itself. */
  readonly stoppedBy: 'time' | 'output' | 'processes' | null
}

/**
 * Runs a command in the project's folder to its end, and everything it started with it. A non-zero exit is a value.
 * @throws AppError cancelled; action.failed where it cannot be started.
 */
export async function runCommand(asked: CommandToRun): Promise<CommandResult> {
  if (asked.signal.aborted) throw cancelled()
  const base = await mkdtemp(path.join(tmpdir(), 'threadsmith-run-'))
  try {
    const places = { ...asked, home: path.join(base, 'home'), temporary: path.join(base, 'tmp') }
    await Promise.all([mkdir(places.home), mkdir(places.temporary)])
    return await supervise(asked, places)
  } finally {
    await rm(base, { recursive: true, force: true, maxRetries: 3 })
  }
}

function start({ command, argv, bubblewrap, ...asked }: CommandToRun, places: RunPlaces) {
  const [program = 'bash', ...args] = argv ?? ['bash', '-c', '--', command]
  const env = commandEnvironment(asked.environment, places, asked.timeZone)
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe']
  const shared = { stdio, cwd: asked.folder, detached: process.platform !== 'win32', windowsHide: true }
  // The jail's own process gets no environment: what carries the run's mark is the command's.
  return bubblewrap === null
    ? spawn(program, args, { ...shared, env })
    : spawn(bubblewrap, [...jailArguments(places, env), program, ...args], { ...shared, env: {} })
}

async function supervise(asked: CommandToRun, places: RunPlaces): Promise<CommandResult> {
  const child = start(asked, places)
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve, reject) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
    child.once('error', reject)
  })
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  if (child.pid === undefined) throw notStarted(asked, await ended.catch((cause: unknown) => cause))
  yieldToOthers(child.pid)
  const isJailed = asked.bubblewrap !== null
  const processes = createProcesses({ pid: child.pid, mark: places.home, isJailed })
  const stopping = createStopping(processes)
  const disarm = watch(asked, processes, stopping.stop)
  const stdout = collect(child.stdout, stopping.stop)
  const stderr = collect(child.stderr, stopping.stop)
  try {
    const { code, signal } = await ended
    await processes.kill()
    // What holds the streams open after that has left the group and hides: it is not waited for.
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 1_000).unref())])
    const { reason } = stopping
    if (reason === 'abort') throw cancelled()
    return { exitCode: code, signal, stdout: stdout.read(), stderr: stderr.read(), stoppedBy: reason }
  } finally {
    disarm()
    stopping.end()
    child.stdout.destroy()
    child.stderr.destroy()
  }
}

type StopReason = NonNullable<CommandResult['stoppedBy']> | 'abort'

/** The first reason counts. What takes too long is asked to end first; what takes too much ends at once. */
function createStopping(processes: Processes) {
  let reason: StopReason | null = null
  let timer: NodeJS.Timeout | undefined
  return {
    get reason() {
      return reason
    },
    stop(why: StopReason): void {
      if (reason !== null) return
      reason = why
      const isUrgent = why === 'output' || why === 'processes'
      if (!isUrgent) void processes.terminate()
      timer = setTimeout(() => void processes.kill(), isUrgent ? 0 : limits.shellKillGraceMs)
    },
    end: () => clearTimeout(timer),
  }
}

const lookMs = 200

function watch(asked: CommandToRun, processes: Processes, stop: (why: StopReason) => void): () => void {
  const timer = setTimeout(() => stop('time'), asked.timeoutMs)
  const abort = () => stop('abort')
  asked.signal.addEventListener('abort', abort, { once: true })
  if (asked.signal.aborted) abort()
  let isLooking = false
  const look = setInterval(async () => {
    if (isLooking) return
    isLooking = true
    if ((await processes.count()) > limits.shellProcesses) stop('processes')
    isLooking = false
  }, lookMs)
  return () => {
    clearTimeout(timer)
    clearInterval(look)
    asked.signal.removeEventListener('abort', abort)
  }
}

function collect(stream: NodeJS.ReadableStream, stop: (why: StopReason) => void) {
  const end = createOutputEnd()
  let characters = 0
  stream.setEncoding('utf8')
  stream.on('data', (text: string) => {
    characters += text.length
    if (characters > limits.shellFloodCharacters) stop('output')
    else end.write(text)
  })
  return end
}

function notStarted({ argv }: CommandToRun, cause: unknown): AppError {
  const program = argv?.[0] ?? 'bash'
  const why = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
  return refusal(
    'action.failed',
    `${program} could not be started (${why === 'ENOENT' ? 'there is no such program' : why}).`,
  )
}

function cancelled(): AppError {
  return new AppError('cancelled', {
    message: 'stopped; the command and all that it started were ended',
    userMessage: 'Stopped. The command and all that it started were ended; what it had done before stays done.',
  })
}
