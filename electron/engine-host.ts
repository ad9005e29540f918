import { z } from 'zod'
import { AppError, errorBody } from '../core/domain/error.ts'
import type { ShellState, StoreBackup } from '../core/domain/shell.ts'
import { createHeldEngine, faultOf, type HeldEngine, type HostedEngine } from './held-engine.ts'
import type { WindowPush } from './window-push.ts'

export interface EngineHostOptions {
  readonly open: (mode: { readonly readOnly: boolean }) => Promise<HostedEngine>
  /** The store's file and what can be done to it; both changes are refused with store.busy while any process has it. */
  readonly store: {
    readonly path: string
    readonly listBackups: () => readonly StoreBackup[]
    readonly restoreBackup: (path: string) => void
    readonly setAside: () => void
  }
  /** Asks the process that owns the store to stop its threads. */
  readonly stopOwner: () => Promise<void>
  readonly push: (push: WindowPush) => void
}

/** Keeps one engine for the window, whatever state its store is in. All changes of state happen one after the other. */
export interface EngineHost {
  state(): ShellState
  /** Opens the engine, or tries again after a failure. */
  start(): Promise<ShellState>
  /**
   * Puts a backup in the store's place, then starts: where the store cannot be opened, or was found damaged.
   * @throws AppError api.input when it is none of the known backups or the store is in order, store.busy while another
   * process owns it.
   */
  restore(path: string): Promise<ShellState>
  /** Sets an unreadable store aside, then starts with an empty one. @throws AppError store.busy like `restore`. */
  startFresh(): Promise<ShellState>
  /** Has the store's owner stop; taking over follows by itself. @throws AppError store.busy when it does not answer. */
  stopOwner(): Promise<void>
  /** A call of the window; waits while the engine starts. @throws what the engine throws, or why there is no engine. */
  call(name: string, input: unknown): Promise<unknown>
  stop(): Promise<void>
}

/** Source: RULES 26 (a store that another process owns is opened read-only and taken over when it is free). */
export function createEngineHost(options: EngineHostOptions): EngineHost {
  const held = createHeldEngine(options.push)
  const opening = createOpening(options, held)
  const turns = createTurns()
  const mending = createMending(options, held, opening)
  opening.onDue(() => void turns.take(opening.takeOver))
  return {
    state: opening.state,
    start: () => turns.take(opening.open),
    restore: (path) => turns.take(() => mending.restore(path)),
    startFresh: () => turns.take(mending.startFresh),
    async stopOwner() {
      if (opening.state().phase === 'readOnly') await options.stopOwner()
    },
    async call(name, input) {
      if (!held.current) await turns.last()
      if (!held.current) throw noEngine(opening.state())
      return held.current.api.callByName(name, input)
    },
    stop() {
      opening.end()
      return turns.take(held.release)
    },
  }
}

/** One change of state at a time: a retry must not meet a restore half-way. */
function createTurns() {
  let last: Promise<unknown> = Promise.resolve()
  return {
    take<Result>(work: () => Promise<Result>): Promise<Result> {
      const result = last.then(work)
      last = result.catch(() => undefined)
      return result
    },
    last: () => last,
  }
}

const takeOverMs = 2_000

type Opening = ReturnType<typeof createOpening>

/** How the engine gets open: for writing, beside another owner, or not at all. */
function createOpening({ open, store, push }: EngineHostOptions, held: HeldEngine) {
  let state: ShellState = { phase: 'starting' }
  let timer: NodeJS.Timeout | undefined
  let isEnded = false
  let whenDue: () => void = () => undefined

  function show(next: ShellState): ShellState {
    state = next
    push({ type: 'state', state })
    return state
  }
  async function fail(error: unknown): Promise<ShellState> {
    // Why it could not be opened is what the window shows, not what came of it.
    await held.release().catch(() => undefined)
    return show({ phase: 'failed', error: errorBody(error), storePath: store.path, backups: backupsOf(store) })
  }
  async function openReadOnly(busy: AppError): Promise<ShellState> {
    try {
      await held.adopt(await open({ readOnly: true }))
    } catch (error) {
      return fail(error)
    }
    takeOverSoon()
    return show({ phase: 'readOnly', owner: ownerOf(busy) })
  }
  function takeOverSoon(): void {
    timer = setTimeout(() => whenDue(), takeOverMs)
  }

  return {
    state: () => state,
    /** What has the owner's lock tried again. */
    onDue(listener: () => void): void {
      whenDue = listener
    },
    async open(): Promise<ShellState> {
      clearTimeout(timer)
      if (isEnded || held.current) return state
      show({ phase: 'starting' })
      try {
        await held.adopt(await open({ readOnly: false }))
        return show({ phase: 'ready' })
      } catch (error) {
        return isBusy(error) ? openReadOnly(error) : fail(error)
      }
    },
    async takeOver(): Promise<void> {
      if (isEnded) return
      try {
        await held.adopt(await open({ readOnly: false }))
        show({ phase: 'ready' })
      } catch (error) {
        if (isBusy(error)) return takeOverSoon()
        await fail(error)
      }
    },
    end(): void {
      isEnded = true
      clearTimeout(timer)
    },
  }
}

/** What a person may do to a store that cannot be opened, or is damaged. */
function createMending({ store }: EngineHostOptions, held: HeldEngine, opening: Opening) {
  async function change(work: () => void): Promise<ShellState> {
    // A damaged store may not close in order. It is let go all the same, and its file is kept.
    await held.release().catch(() => undefined)
    try {
      work()
    } catch (error) {
      await opening.open()
      throw error
    }
    return opening.open()
  }

  return {
    async restore(path: string): Promise<ShellState> {
      if (!store.listBackups().some((backup) => backup.path === path)) throw unknownBackup(path)
      const state = opening.state()
      if (state.phase === 'readOnly') throw ownedBy(state.owner)
      if (held.current && (await faultOf(held.current)) !== 'store.corrupt') throw inOrder()
      return change(() => store.restoreBackup(path))
    },
    async startFresh(): Promise<ShellState> {
      // Only what cannot be opened is set aside: a store at work stays where it is.
      return opening.state().phase === 'failed' ? change(store.setAside) : opening.open()
    },
  }
}

/** The window must show why the store cannot be opened, even where its backups cannot be looked at either. */
function backupsOf(store: EngineHostOptions['store']): readonly StoreBackup[] {
  try {
    return store.listBackups()
  } catch {
    return []
  }
}

const ownerSchema = z.object({ pid: z.number(), command: z.string() })

function isBusy(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'store.busy'
}
function ownerOf(busy: AppError): { readonly pid: number; readonly command: string } {
  const owner = ownerSchema.safeParse(busy.data)
  return owner.success ? owner.data : { pid: 0, command: 'another Threadsmith' }
}
function ownedBy({ pid, command }: { readonly pid: number; readonly command: string }): AppError {
  return new AppError('store.busy', {
    message: `process ${pid} owns the store`,
    userMessage: `Another Threadsmith (${command}, process ${pid}) is using this data. Nothing was changed; wait until it is done, or stop it.`,
    retryable: true,
  })
}
function inOrder(): AppError {
  return new AppError('api.input', {
    message: 'the store is open and no damage was found in it',
    userMessage: 'Your data is in order, so no backup was put in its place. Nothing was changed.',
  })
}
function unknownBackup(path: string): AppError {
  return new AppError('api.input', {
    message: `${path} is none of the store's backups`,
    userMessage: 'That file is none of the backups kept here. Nothing was changed; choose one of the list.',
  })
}
function noEngine(state: ShellState): AppError {
  const why = state.phase === 'failed' ? state.error : undefined
  return new AppError(why?.code ?? 'engine.stopped', {
    message: why?.message ?? 'the engine has stopped',
    userMessage:
      why?.userMessage ?? 'Threadsmith is shutting down. Everything on record is kept; start it again to go on.',
    retryable: true,
  })
}
