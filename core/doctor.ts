import fs from 'node:fs'
import type { DoctorCheck, ProviderStatus } from './domain/contract.ts'
import { errorBody } from './domain/error.ts'
import type { Models } from './models/models.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import type { Secrets } from './secrets.ts'
import type { Store } from './store/store.ts'

type StartedVm = Pick<Awaited<ReturnType<Sandbox['start']>>, 'state' | 'close'>

/** What the checks look at, and no more of it than they need. */
export interface DoctorParts {
  readonly dataDir: string
  readonly store: Pick<Store, 'file' | 'check' | 'backups'> & {
    readonly events: Pick<Store['events'], 'lastSeq' | 'since'>
  }
  readonly sandbox: { start(...program: Parameters<Sandbox['start']>): Promise<StartedVm> }
  readonly models: Pick<Models, 'list'>
  readonly secrets: Secrets
  /** `Node 24.21.0`, with the Electron that brought it where one did. */
  readonly runtime: string
  readonly now: () => number
}

const backupOverdueMs = 2 * 24 * 3_600_000
const oldestNode = [22, 12] as const

/** Every check of `doctor`, run one after the other; a check that throws is a failed check, never a crash. */
export async function examine(parts: DoctorParts, signal: AbortSignal): Promise<readonly DoctorCheck[]> {
  const checks: DoctorCheck[] = []
  for (const [name, mend, look] of checkList(parts, signal)) {
    try {
      const { ok, detail } = await look()
      checks.push({ name, ok, detail, mend: ok ? null : mend })
    } catch (error) {
      checks.push({ name, ok: false, detail: errorBody(error).message, mend })
    }
  }
  return checks
}

type Look = () => Promise<{ readonly ok: boolean; readonly detail: string }>

function checkList(parts: DoctorParts, signal: AbortSignal): readonly (readonly [string, string, Look])[] {
  return [
    ['runtime', 'Use Node 22.12 or newer, or start through npm.', () => lookAtRuntime(parts.runtime)],
    ['data folder', 'Make the folder writable, or choose another with --data.', () => lookAtFolder(parts.dataDir)],
    ['store', 'Restore the newest backup; the damaged file is kept beside it.', () => lookAtStore(parts.store)],
    ['backups', 'Leave the app open for a while: it makes one a day.', () => lookAtBackups(parts)],
    ['sandbox', 'Reinstall the packages: the Python sandbox did not start.', () => lookAtSandbox(parts.sandbox)],
    ['models', 'Open Settings, Models, and test the connection.', () => lookAtModels(parts, signal)],
    ['keychain', 'Unlock or install a keychain; keys cannot be kept without one.', () => lookAtSecrets(parts.secrets)],
  ]
}

async function lookAtRuntime(runtime: string) {
  // An Electron brings the Node that it was tried with; on the command line it is whichever the person has.
  if (runtime.includes('Electron')) return { ok: true, detail: runtime }
  const [major = 0, minor = 0] = (/\d+\.\d+/.exec(runtime)?.[0] ?? '').split('.').map(Number)
  const ok = major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])
  return { ok, detail: runtime }
}

async function lookAtFolder(dataDir: string) {
  fs.accessSync(dataDir, fs.constants.W_OK)
  const { bavail, bsize } = fs.statfsSync(dataDir)
  const freeMb = Math.round((bavail * bsize) / 1_048_576)
  return { ok: freeMb > 200, detail: `${dataDir}, ${freeMb} MB free` }
}

async function lookAtStore(store: DoctorParts['store']) {
  const found = await store.check()
  return { ok: found === 'ok', detail: found === 'ok' ? `${store.file}, checked whole` : found }
}

async function lookAtBackups({ store, now }: DoctorParts) {
  const backups = store.backups()
  const newest = backups[0]
  const lastSeq = store.events.lastSeq()
  const [first, last] = [store.events.since(0, 1)[0], store.events.since(lastSeq - 1, 1)[0]]
  const detail = newest === undefined ? 'none yet' : `${backups.length}, newest ${new Date(newest.at).toISOString()}`
  const savedUpTo = newest?.at ?? first?.at
  const isAllSaved = last === undefined || (newest !== undefined && last.at <= newest.at)
  const ok = isAllSaved || savedUpTo === undefined || now() - savedUpTo <= backupOverdueMs
  return { ok, detail }
}

async function lookAtSandbox(sandbox: DoctorParts['sandbox']) {
  const limits = { durationMs: 5_000, memoryBytes: 64 * 1_048_576 }
  const vm = await sandbox.start({ name: 'doctor.py', code: 'sum([20, 22])' }, {}, limits)
  const { state } = vm
  vm.close()
  const ok = state.kind === 'done' && state.value === 42
  return { ok, detail: ok ? 'a child started and answered' : 'a child started and did not answer' }
}

async function lookAtModels({ models }: DoctorParts, signal: AbortSignal) {
  const providers = await models.list(signal)
  // Whose key another process keeps cannot be asked from here: that says nothing about the server.
  const isBeyondReach = ({ error }: ProviderStatus) => error?.data?.keptElsewhere === true
  const broken = providers.filter((provider) => provider.error !== undefined && !isBeyondReach(provider))
  const words = (provider: ProviderStatus) => {
    if (isBeyondReach(provider)) return 'its key is kept by the app'
    return provider.error?.code ?? `${provider.models.length} models`
  }
  return { ok: broken.length === 0, detail: providers.map((each) => `${each.title}: ${words(each)}`).join('; ') }
}

async function lookAtSecrets({ backend, isProtected }: Secrets) {
  return { ok: isProtected, detail: backend }
}
