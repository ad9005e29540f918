import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { createRedactor, type Redactor } from './domain/leaks/redactor.ts'
import type { Clock, EngineOptions } from './engine-options.ts'
import { type SpawnSandbox, spawnNode } from './sandbox/sandbox.ts'
import { noSecrets, rememberSecrets, type Secrets } from './secrets.ts'

export interface Seams {
  readonly clock: Clock
  readonly nextId: (prefix: string) => string
  readonly random: () => number
  readonly timeZone: string
  readonly secrets: Secrets
  readonly redactor: Redactor
  readonly spawnSandbox: SpawnSandbox
  readonly spawnLocal: SpawnSandbox
}

/** The only place of the engine that reads clocks, chance and the system's zone. */
export function seamsOf(options: EngineOptions): Seams {
  const { secrets, known } = rememberSecrets(options.secrets ?? noSecrets('this process has no keychain'))
  return {
    clock: options.clock ?? { now: () => Date.now(), monotonic: () => performance.now() },
    nextId: options.nextId ?? ((prefix) => `${prefix}_${randomBytes(9).toString('base64url')}`),
    random: options.random ?? (() => Math.random()),
    timeZone: options.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    secrets,
    redactor: options.redactor ?? createRedactor({ known }),
    spawnSandbox: options.spawnSandbox ?? spawnNode(entryBeside('sandbox/child.ts', 'sandbox-child.js')),
    spawnLocal: options.spawnLocal ?? spawnNode(entryBeside('models/local/child.ts', 'local-child.js')),
  }
}

/** The entry of another process or thread: the source beside this file in a checkout, its bundle in a build. */
export function entryBeside(source: string, bundle: string): string {
  const isSource = import.meta.filename.endsWith('.ts')
  return path.join(import.meta.dirname, isSource ? source : bundle)
}
