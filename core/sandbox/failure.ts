import { MontyError, MontyRuntimeError } from '@pydantic/monty'
import { AppError, type ErrorBody, errorBody } from '../domain/error.ts'
import type { JsonObject } from '../domain/json.ts'
import { limits } from '../domain/limits.ts'
import type { VmState } from './vm.ts'

type Failed = Extract<VmState, { kind: 'failed' }>
type LimitKind = 'time' | 'memory' | 'allocations' | 'recursion'

/** The program does not compile: bad syntax, or Python that the interpreter does not have (class, match, yield). */
export function failedToCompile(error: unknown): Failed {
  if (!(error instanceof MontyError)) return failedInside(error)
  const traceback = display(error)
  const body: ErrorBody = {
    code: 'sandbox.syntax',
    message: shortened(error.message),
    userMessage: 'The code could not be read as Python, so none of it ran. It can be corrected and tried again.',
    retryable: false,
    data: { type: error.exception.typeName },
  }
  return { kind: 'failed', error: body, line: lastLine(traceback), traceback }
}

/** The program ended by an exception, or by one of Monty's own limits. */
export function failedWhileRunning(error: unknown): Failed {
  if (!(error instanceof MontyRuntimeError)) return failedInside(error)
  const traceback = display(error)
  const line = error.traceback().at(-1)?.line ?? null
  const limit = limitOf(error)
  if (limit) return { kind: 'failed', error: limitBody(limit, shortened(error.message)), line, traceback }
  return { kind: 'failed', error: raisedBody(error), line, traceback }
}

/** A value of the program may not leave it. */
export function failedByValue(error: AppError, line: number | null = null, traceback = ''): Failed {
  return { kind: 'failed', error: errorBody(error), line, traceback: traceback || `TypeError: ${error.message}` }
}

/** The VM went over a limit that we meter ourselves. */
export function failedByLimit(limit: LimitKind, message: string): Failed {
  return { kind: 'failed', error: limitBody(limit, message), line: null, traceback: `${limitTypes[limit]}: ${message}` }
}

/** The process that held the VM is gone. */
export function failedByDeath(reason: string): Failed {
  const body: ErrorBody = {
    code: 'sandbox.died',
    message: `the sandbox process ended: ${reason}`,
    userMessage:
      'The sandbox that ran this code broke down. Only this step is lost; files and the record are untouched. It can be tried again with simpler code.',
    retryable: true,
    data: { reason },
  }
  return { kind: 'failed', error: body, line: null, traceback: `SystemError: ${body.message}` }
}

function failedInside(error: unknown): Failed {
  if (error instanceof AppError) return failedByValue(error)
  return failedByDeath(error instanceof Error ? shortened(error.message) : 'the interpreter failed')
}

function raisedBody(error: MontyRuntimeError): ErrorBody {
  return {
    code: 'sandbox.raised',
    message: shortened(error.message),
    userMessage:
      'The code stopped at an error of its own. What it had done before that is on record; it can be corrected.',
    retryable: false,
    data: { type: error.exception.typeName },
  }
}

function limitBody(limit: LimitKind, message: string): ErrorBody {
  const data: JsonObject = { limit }
  return {
    code: 'sandbox.limit',
    message,
    userMessage: `The code was stopped because it used too much ${limitWords[limit]}. What it had done before is on record; a smaller piece of work can be tried.`,
    retryable: false,
    data,
  }
}

const limitWords = {
  time: 'time',
  memory: 'memory',
  allocations: 'memory, piece by piece',
  recursion: 'depth of calls',
} as const
const limitTypes = {
  time: 'TimeoutError',
  memory: 'MemoryError',
  allocations: 'MemoryError',
  recursion: 'RecursionError',
} as const

function limitOf(error: MontyRuntimeError): LimitKind | null {
  const { typeName, message } = error.exception
  if (typeName === 'RecursionError') return 'recursion'
  if (typeName === 'TimeoutError') return message.startsWith('time limit exceeded') ? 'time' : null
  if (typeName !== 'MemoryError') return null
  if (message.startsWith('memory limit exceeded')) return 'memory'
  return message.startsWith('allocation limit exceeded') ? 'allocations' : null
}

/** Monty types `display` of a syntax error without 'traceback', yet its native half gives one, and only there is the line. */
function display(error: MontyError): string {
  const text: unknown = Reflect.apply(error.display, error, ['traceback'])
  return shortened(typeof text === 'string' ? text : error.message)
}

function lastLine(traceback: string): number | null {
  const line = [...traceback.matchAll(/^ {2}File ".*", line (\d+)/gm)].at(-1)?.[1]
  return line === undefined ? null : Number(line)
}

/** Programs choose the length of their own error texts; both ends of one say most. */
function shortened(text: string): string {
  const room = limits.vmErrorCharacters
  if (text.length <= room) return text
  const half = Math.floor(room / 2)
  return `${text.slice(0, half)}\n[${text.length - 2 * half} characters cut]\n${text.slice(-half)}`
}
