import type { ErrorBody } from '../domain/error.ts'
import type { Json, JsonObject } from '../domain/json.ts'

/** Python source and the file name that its tracebacks show. */
export interface Program {
  readonly name: string
  readonly code: string
}

/** What one VM may use. Time is VM time: while the host works on a call, the clock stands. */
export interface VmLimits {
  readonly durationMs: number
  readonly memoryBytes: number
  /** Cumulative over the whole life of the VM: never for a program that is meant to go on. */
  readonly maxAllocations?: number
  /** Deepest stack of Python calls; 1,000 by default. */
  readonly recursion?: number
}

/**
 * Where a VM stands. `call`: suspended at a host function, which any unknown name that is called is.
 * `failed`: codes `sandbox.syntax | raised | limit | died`, or `engine.value` for a value that may not leave;
 * `line` is the innermost line of the program, null where there is none.
 */
export type VmState =
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Json[]; readonly kwargs: JsonObject }
  | { readonly kind: 'done'; readonly value: Json }
  | { readonly kind: 'failed'; readonly error: ErrorBody; readonly line: number | null; readonly traceback: string }

/** A suspended VM as bytes: load it any number of times, in any process. It holds source, heap and limits, not the output. */
export interface VmSnapshot {
  readonly bytes: Uint8Array
  readonly sha256: string
  readonly montyVersion: string
  /** VM time left. Monty starts its clock anew at each load, so this travels beside the bytes. */
  readonly remainingMs: number
}

/**
 * One running program. `resume` and `raise` answer the call it is suspended at and settle at its next rest; both throw
 * `sandbox.not_suspended` elsewhere. A value too deep, too large or not JSON throws `engine.value` and leaves the VM as it
 * was. What the program does wrong is a `failed` state, never a throw.
 */
export interface Vm {
  readonly state: VmState
  /** Printed since start or load, at most `limits.vmOutputBytes`; says so when it was cut. */
  readonly output: string
  /** VM time since start or load. */
  readonly usedMs: number
  resume(value: Json): Promise<VmState>
  /** The call raises in Python. A type that Python does not know becomes a RuntimeError that names it. */
  raise(type: string, message: string): Promise<VmState>
  snapshot(): Promise<VmSnapshot>
  /** Ends the program wherever it stands, and frees what it held. */
  close(): void
}

/** A VM of this process: the same, without a promise per call. Only for the bundled orchestrator. */
export interface InlineVm extends Vm {
  resumeNow(value: Json): VmState
  raiseNow(type: string, message: string): VmState
  snapshotNow(): VmSnapshot
}

/**
 * A child process as the host made it (Node's fork, Electron's utilityProcess). Messages are structured-cloned both ways.
 * `kill` must end it even while native code spins in it: SIGKILL, not SIGTERM.
 */
export interface SandboxChild {
  /** Known from its first message on, at the latest. */
  readonly pid: number | undefined
  send(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  /** Called once, whatever ended it; `reason` is for the log. */
  onExit(listener: (reason: string) => void): void
  kill(): void
}

/** The seam of `createEngine`: starts one sandbox child. */
export type SpawnSandbox = () => SandboxChild
