import { hash } from 'node:crypto'
import { AppError } from '../domain/error.ts'
import type { Journal } from '../events/events.ts'
import type { Program } from '../sandbox/sandbox.ts'
import type { Store } from '../store/store.ts'

/** A version of the step loop. 0 is the bundled one and is never changed. Source: engine-behaviour 3.3. */
export interface LoopVersion {
  readonly version: number
  /** The version to return to. */
  readonly parent: number
  readonly code: string
  readonly sha256: string
  readonly reason: string
  /** Who wrote it: `user`, or the thread that proposed it. */
  readonly source: string
  readonly state: 'candidate' | 'active' | 'retired' | 'failed'
  /** Failures that were its own, never a provider's. */
  readonly failures: number
  readonly createdAt: number
  readonly decidedAt: number | null
}

/** What the loop of a thread runs. */
export interface ChosenLoop {
  readonly version: number
  readonly sha256: string
  readonly program: Program
}

export interface LoopVersions {
  /** The version that a thread began with, or the one for a thread that begins now. */
  choose(begunWith: number | undefined): ChosenLoop
  /** The third failure of its own returns to the parent for good; the events name both. A success takes none back. */
  failed(version: number, reason: string, journal: Journal): void
  list(): readonly LoopVersion[]
  /** @throws AppError orchestrator.not_found */
  get(version: number): LoopVersion
  /** The version that new threads begin with. */
  readonly current: number
  /** An inert candidate. @throws AppError orchestrator.invalid where it is too long or empty. */
  propose(proposal: { readonly code: string; readonly reason: string; readonly source: string }): LoopVersion
  /** A recorded decision of a person. @throws AppError orchestrator.not_found; orchestrator.locked for one that failed. */
  activate(version: number): LoopVersion
  /** Back to the parent of the current one, or to one that was active. @throws AppError orchestrator.not_found | invalid | locked */
  rollBack(to?: number): LoopVersion
}

export interface LoopVersionsParts {
  readonly store: Store
  readonly bundled: Program
  /** Null: the newest that is active. */
  readonly pinned: () => number | null
  readonly now: () => number
}

/** Own failures after which a version is given up. */
const mostFailures = 3
const mostCodeBytes = 256 * 1_024

export function createLoopVersions({ store, bundled, pinned, now }: LoopVersionsParts): LoopVersions {
  const bundledSha = hash('sha256', bundled.code)
  const rows = store.loopVersions

  function get(version: number): LoopVersion {
    if (version === 0) return bundledVersion()
    const row = rows.get(version)
    if (row === undefined) throw notFound(version)
    return row
  }

  function bundledVersion(): LoopVersion {
    const fixed = {
      version: 0,
      parent: 0,
      code: bundled.code,
      sha256: bundledSha,
      reason: 'bundled',
      source: 'bundled',
    }
    return { ...fixed, state: current() === 0 ? 'active' : 'retired', failures: 0, createdAt: 0, decidedAt: null }
  }

  function current(): number {
    const pin = pinned()
    if (pin === 0) return 0
    const state = pin === null ? undefined : rows.get(pin)?.state
    // A candidate stays inert, pinned or not: nobody has looked at what it does.
    if (pin !== null && (state === 'active' || state === 'retired')) return pin
    return rows.active()?.version ?? 0
  }

  function setActive(version: number, at: number): void {
    store.transaction(() => {
      rows.retireActive(at)
      if (version !== 0) rows.decide(version, 'active', at)
    })
  }

  /** Its parent, or the next above that did not fail itself. */
  function soundParentOf(version: number): number {
    const { parent } = get(version)
    return parent === 0 || get(parent).state !== 'failed' ? parent : soundParentOf(parent)
  }

  return {
    choose(begunWith) {
      const wanted = begunWith ?? current()
      const version = get(wanted).state === 'failed' ? soundParentOf(wanted) : wanted
      if (version === 0) return { version, sha256: bundledSha, program: bundled }
      const { code, sha256 } = get(version)
      if (hash('sha256', code) !== sha256) throw tampered(version)
      return { version, sha256, program: { name: `loop-v${version}.py`, code } }
    },

    failed(version, reason, journal) {
      // Threads that began with it may fail after it was given up: that decides nothing anew.
      if (version === 0 || get(version).state === 'failed') return
      const failures = rows.addFailure(version)
      journal.stage({ kind: 'orchestrator.failed', data: { version, failures, reason: reason.slice(0, 300) } })
      if (failures < mostFailures) return
      const wasActive = get(version).state === 'active'
      const parent = soundParentOf(version)
      store.transaction(() => {
        rows.decide(version, 'failed', now())
        if (wasActive && parent !== 0) rows.decide(parent, 'active', now())
      })
      const why = `${failures} failures of its own: ${reason.slice(0, 200)}`
      journal.stage({ kind: 'orchestrator.rolledBack', data: { from: version, to: parent, reason: why } })
    },

    list: () => [bundledVersion(), ...rows.all()],
    get,
    get current() {
      return current()
    },

    propose({ code, reason, source }) {
      const bytes = Buffer.byteLength(code)
      if (code.trim() === '' || bytes > mostCodeBytes) throw invalid(bytes)
      const parent = current()
      const version = rows.insert({ parent, code, sha256: hash('sha256', code), reason, source, createdAt: now() })
      return get(version)
    },

    activate(version) {
      if (get(version).state === 'failed') throw locked(version)
      setActive(version, now())
      return get(version)
    },

    rollBack(to) {
      const target = to ?? get(current()).parent
      if (get(target).state === 'failed') throw locked(target)
      if (get(target).state === 'candidate') throw neverActive(target)
      setActive(target, now())
      return get(target)
    },
  }
}

function notFound(version: number): AppError {
  return new AppError('orchestrator.not_found', {
    message: `no version ${version} of the step loop`,
    userMessage: `There is no version ${version} of the step loop. Look at the list of versions.`,
  })
}

function locked(version: number): AppError {
  return new AppError('orchestrator.locked', {
    message: `version ${version} of the step loop failed and is not activated again`,
    userMessage: `Version ${version} of the step loop failed three times by itself, so it stays off. Propose a mended version instead.`,
  })
}

function neverActive(version: number): AppError {
  return new AppError('orchestrator.invalid', {
    message: `version ${version} of the step loop was never active, so nothing can go back to it`,
    userMessage: `Version ${version} of the step loop was never active, so there is no going back to it. Activate it, and it is tried out first.`,
  })
}

function invalid(bytes: number): AppError {
  return new AppError('orchestrator.invalid', {
    message: `a step loop of ${bytes} bytes; 1 to ${mostCodeBytes} are taken`,
    userMessage: `A step loop has 1 to ${mostCodeBytes} bytes of Python. Nothing was changed.`,
  })
}

function tampered(version: number): AppError {
  return new AppError('orchestrator.invalid', {
    message: `version ${version} of the step loop is not what was stored`,
    userMessage: `Version ${version} of the step loop was changed outside of Threadsmith, so it is not run. Roll back to another version.`,
  })
}
