import fs from 'node:fs/promises'
import { AppError } from '../../domain/error.ts'
import type { LoadedModel } from '../../domain/local.ts'
import type { CompletionRequest } from '../../domain/model.ts'
import type { LocalModelSettings } from '../../domain/settings.ts'
import type { SpawnSandbox } from '../../sandbox/sandbox.ts'
import type { Accumulator } from '../accumulator.ts'
import { startDeadlines } from '../deadlines.ts'
import { cancelled, timedOut } from '../failure.ts'
import { endingError, stillLoading } from './failures.ts'
import { fileUnreachable } from './gguf.ts'
import { planWindow } from './plan.ts'
import { type Ending, type LlamaProcess, startProcess } from './process.ts'
import type { GpuParts, Loaded } from './protocol.ts'

export interface Waits {
  readonly signal: AbortSignal
  readonly firstTokenMs: number
  readonly idleMs: number
  readonly totalMs: number
}

/** Keeps at most one model in memory, in a process of its own, and gives it one request at a time. */
export interface Runner {
  /** Throws `model.*`, `local.*` or `cancelled`. What came until then is in the accumulator. */
  complete(model: LocalModelSettings, request: CompletionRequest, into: Accumulator, waits: Waits): Promise<void>
  /** Vectors of length 1, in the order of the texts. Throws as `complete`. */
  embed(model: LocalModelSettings, texts: readonly string[], waits: Waits): Promise<readonly Float32Array[]>
  readonly loaded: LoadedModel | null
  /** Frees the memory, whatever runs or starts there; with a name, only of the model that has it. Those that wait load anew. */
  unload(name?: string): Promise<void>
  /** As `unload`, for good: what waits or comes later is refused. */
  close(): Promise<void>
}

export interface RunnerOptions {
  readonly spawn: SpawnSandbox
  readonly now: () => number
  /** Bytes of memory that programs may still take. */
  readonly freeMemory: () => number
  readonly idleMs: () => number
  /** What a model is loaded with from now on. */
  readonly gpu: () => GpuParts | null
  /** Told whether the library could be loaded. */
  readonly onLibrary: (state: Loaded | AppError) => void
}

interface Held {
  readonly key: string
  readonly model: LocalModelSettings
  readonly process: LlamaProcess
}

/** How long a request that was given up may take to end before its process is ended. */
const stopMs = 5_000

export function createRunner({ spawn, now, freeMemory, idleMs, gpu, onLibrary }: RunnerOptions): Runner {
  let held: Held | null = null
  /** The model that is about to get a process; null again where it was unloaded meanwhile. */
  let starting: LocalModelSettings | null = null
  let isClosed = false
  /** Until then the memory of what was ended is not free. */
  let ended: Promise<unknown> = Promise.resolve()
  let turn: Promise<unknown> = Promise.resolve()
  let idleSince: number | null = null
  let idle: NodeJS.Timeout | undefined
  let ids = 0
  /** Resolves when a request whose caller has left is over. */
  let givenUp: Promise<unknown> = Promise.resolve()

  async function endHeld(): Promise<void> {
    clearTimeout(idle)
    const leaving = held
    held = null
    idleSince = null
    if (leaving !== null) ended = Promise.all([ended, leaving.process.end()])
    await ended
  }

  async function unload(name?: string): Promise<void> {
    if (name !== undefined && name !== (starting ?? held?.model)?.name) return
    starting = null
    await endHeld()
  }

  /** The model's process; another model's is ended first, since two may not fit. */
  async function processFor(model: LocalModelSettings): Promise<LlamaProcess> {
    const parts = gpu()
    const key = JSON.stringify([model.name, model.file, model.bytes, model.contextTokens, model.threads, parts])
    if (held?.key === key && held.process.isAlive) return held.process
    starting = model
    await endHeld()
    await fs.access(model.file, fs.constants.R_OK).catch((cause: unknown) => {
      throw fileUnreachable(model.file, cause)
    })
    const contextTokens = planWindow(model, freeMemory())
    if (starting !== model || isClosed) throw endingError({ kind: 'unloaded' }, model.title)
    starting = null
    const { file, purpose, threads } = model
    const process = startProcess(spawn(), { op: 'load', file, purpose, contextTokens, threads, gpu: parts })
    held = { key, model, process }
    void process.loaded.then((loaded) => {
      if (loaded.kind === 'loaded') onLibrary(loaded)
      else if (loaded.kind === 'failed' && loaded.reason === 'library') onLibrary(endingError(loaded, model.title))
    })
    return process
  }

  /** One after the other. Whoever gives up while it waits leaves at once. */
  async function inTurn<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    const before = turn
    const mine = Promise.withResolvers<void>()
    turn = before.then(() => mine.promise)
    try {
      await orAborted(before, signal)
    } catch (error) {
      mine.resolve()
      throw error
    }
    clearTimeout(idle)
    idleSince = null
    givenUp = Promise.resolve()
    try {
      return await work()
    } finally {
      // What was given up still computes: the next one would wait for it in the child, with its time running.
      void givenUp.then(() => {
        rest()
        mine.resolve()
      })
    }
  }

  function rest(): void {
    if (!held?.process.isAlive) return
    idleSince = now()
    idle = setTimeout(() => void unload(), idleMs())
    idle.unref()
  }

  /** Loads where needed and asks; `onPiece` also restarts the wait for the next piece. */
  async function ask(
    model: LocalModelSettings,
    work: Parameters<LlamaProcess['ask']>[0],
    watch: Waits & { readonly onPiece?: Parameters<LlamaProcess['ask']>[1] },
  ) {
    const deadline = new AbortController()
    let isLoaded = false
    const deadlines = startDeadlines({
      ...watch,
      onExpired: (phase, limitMs) =>
        deadline.abort(isLoaded ? timedOut(phase, limitMs, contextOf(model)) : stillLoading(model.title, limitMs)),
    })
    const signal = AbortSignal.any([watch.signal, deadline.signal])
    try {
      const process = await processFor(model)
      const loaded = await orAborted(process.loaded, signal)
      if (loaded.kind !== 'loaded') throw endingError(loaded, model.title)
      isLoaded = true
      const answer = process.ask(work, (piece) => {
        if (signal.aborted) return
        deadlines.onBytes()
        if (piece.kind !== 'progress') deadlines.onToken()
        watch.onPiece?.(piece)
      })
      return await orAborted(answer, signal, () => giveUp(process, work.id, answer))
    } finally {
      deadlines.clear()
    }
  }

  function giveUp(process: LlamaProcess, id: number, answer: Promise<unknown>): void {
    process.stop(id)
    const late = setTimeout(() => void process.end(), stopMs)
    givenUp = answer.finally(() => clearTimeout(late))
  }

  return {
    complete(model, request, into, waits) {
      return inTurn(waits.signal, async () => {
        ids += 1
        const answer = await ask(
          model,
          { op: 'complete', id: ids, request },
          {
            ...waits,
            onPiece: (piece) => {
              if (piece.kind === 'call')
                into.call({ index: piece.index, id: '', name: piece.name, arguments: undefined })
              if (piece.kind === 'delta') into[piece.part](piece.text)
            },
          },
        )
        if (answer.kind !== 'done') throw endingError(endingOf(answer), model.title)
        const { calls, finish, inputTokens, outputTokens, cachedInputTokens } = answer
        for (const [index, call] of calls.entries()) into.call({ index, id: '', ...call })
        into.usage({ inputTokens, outputTokens, cachedInputTokens })
        into.finish(finish)
        into.endMark()
      })
    },
    embed(model, texts, waits) {
      return inTurn(waits.signal, async () => {
        ids += 1
        const answer = await ask(model, { op: 'embed', id: ids, texts }, waits)
        if (answer.kind !== 'vectors') throw endingError(endingOf(answer), model.title)
        return answer.vectors
      })
    },
    get loaded() {
      const facts = held?.process.isAlive ? held.process.facts : null
      if (!held || !facts) return null
      const { kind: _kind, gpuProblem: _problem, ...figures } = facts
      return { name: held.model.name, ...figures, idleSince }
    },
    unload,
    async close() {
      isClosed = true
      await unload()
    },
  }
}

function endingOf(answer: Awaited<ReturnType<LlamaProcess['ask']>>): Ending {
  if (answer.kind === 'done' || answer.kind === 'vectors') {
    return { kind: 'died', reason: `it answered with ${answer.kind}` }
  }
  return answer
}

function contextOf({ title, name, file }: LocalModelSettings) {
  return { title, model: name, address: file, key: undefined }
}

/** The promise, or as soon as the signal is aborted its reason; `onAbort` runs first. */
async function orAborted<Result>(promise: Promise<Result>, signal: AbortSignal, onAbort?: () => void): Promise<Result> {
  const aborted = Promise.withResolvers<never>()
  const abort = () => {
    onAbort?.()
    aborted.reject(signal.reason instanceof AppError ? signal.reason : cancelled(signal.reason))
  }
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([promise, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
