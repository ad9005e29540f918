import { type ErrorBody, errorCodes } from '../domain/error.ts'
import { isJsonObject, type JsonObject } from '../domain/json.ts'
import { assertCrossable } from './value.ts'
import type { Program, VmLimits, VmState } from './vm.ts'

/** Parent → child: one request at a time, each answered by one message, except `drop`. */
export type Request =
  | { readonly op: 'start'; readonly program: Program; readonly inputs: JsonObject; readonly limits: VmLimits }
  | { readonly op: 'load'; readonly bytes: Uint8Array; readonly remainingMs: number }
  | { readonly op: 'resume'; readonly value: unknown }
  | { readonly op: 'raise'; readonly type: string; readonly message: string }
  | { readonly op: 'drop' }

/**
 * Child → parent. `rest`: where the VM came to rest; `printed` is what is new, `bytes` its snapshot when it is suspended
 * (every suspension in a child is stored before its effect, so a second round trip would only cost time).
 */
export type Answer =
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'rest'
      readonly state: VmState
      readonly usedMs: number
      readonly printed: string
      readonly bytes: Uint8Array | null
    }
  | { readonly kind: 'refused'; readonly error: ErrorBody }

export function isRequest(message: unknown): message is Request {
  if (!isRecord(message)) return false
  switch (message.op) {
    case 'start':
      return isProgram(message.program) && isRecord(message.inputs) && isVmLimits(message.limits)
    case 'load':
      return message.bytes instanceof Uint8Array && typeof message.remainingMs === 'number'
    case 'resume':
      return 'value' in message
    case 'raise':
      return typeof message.type === 'string' && typeof message.message === 'string'
    default:
      return message.op === 'drop'
  }
}

/** The child ran untrusted code in native memory: its answers are parsed like any other outside input. */
export function isAnswer(message: unknown): message is Answer {
  if (!isRecord(message)) return false
  if (message.kind === 'ready') return true
  if (message.kind === 'refused') return isErrorBody(message.error)
  return (
    message.kind === 'rest' &&
    typeof message.usedMs === 'number' &&
    message.usedMs >= 0 &&
    typeof message.printed === 'string' &&
    (message.bytes === null || message.bytes instanceof Uint8Array) &&
    isVmState(message.state)
  )
}

function isVmState(state: unknown): state is VmState {
  if (!isRecord(state)) return false
  switch (state.kind) {
    case 'call':
      return typeof state.name === 'string' && Array.isArray(state.args) && isRecord(state.kwargs) && isData(state)
    case 'done':
      return isData(state.value)
    default:
      return (
        state.kind === 'failed' &&
        isErrorBody(state.error) &&
        (state.line === null || typeof state.line === 'number') &&
        typeof state.traceback === 'string'
      )
  }
}

/** `call` states are checked part by part: the state around them must not cost depth or room. */
function isData(value: unknown): boolean {
  const parts = isRecord(value) && value.kind === 'call' ? [value.args, value.kwargs] : [value]
  try {
    for (const part of parts) assertCrossable(part, 'an answer of the sandbox')
    return true
  } catch {
    // The reason is of no use here: the caller ends a child that answers so, and reports that.
    return false
  }
}

function isErrorBody(error: unknown): error is ErrorBody {
  if (!isRecord(error)) return false
  return (
    errorCodes.some((code) => code === error.code) &&
    typeof error.message === 'string' &&
    typeof error.userMessage === 'string' &&
    typeof error.retryable === 'boolean' &&
    (error.data === undefined || isJsonObject(error.data))
  )
}

function isProgram(program: unknown): program is Program {
  return isRecord(program) && typeof program.name === 'string' && typeof program.code === 'string'
}

function isVmLimits(limits: unknown): limits is VmLimits {
  return isRecord(limits) && typeof limits.durationMs === 'number' && typeof limits.memoryBytes === 'number'
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
