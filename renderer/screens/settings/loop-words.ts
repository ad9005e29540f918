import type { ApiOutput } from '../../../core/api.ts'
import type { ChoiceOption } from '../../components/choice.tsx'
import type { StatusLook } from '../../components/status.tsx'

export type LoopVersion = ApiOutput<'orchestrator.get'>
export type LoopReview = ApiOutput<'orchestrator.review'>

/** The version that new threads begin with: the pinned one while it did not fail, else the one that is active. */
export function currentVersion(versions: readonly LoopVersion[], pinned: number | null): LoopVersion | undefined {
  const pin = versions.find(({ version, state }) => version === pinned && (version === 0 || state !== 'failed'))
  return pin ?? activeVersion(versions)
}

function activeVersion(versions: readonly LoopVersion[]): LoopVersion | undefined {
  const active = versions.findLast(({ version, state }) => version !== 0 && state === 'active')
  return active ?? versions.find(({ version }) => version === 0)
}

export function versionName(version: number): string {
  return version === 0 ? 'the bundled loop' : `v${version}`
}

const stateLooks: Readonly<Record<LoopVersion['state'], StatusLook>> = {
  candidate: { status: 'waiting', word: 'Candidate' },
  active: { status: 'done', word: 'Active' },
  retired: { status: 'queued', word: 'Retired' },
  failed: { status: 'failed', word: 'Failed' },
}

/** What new threads begin with says so, whatever its state is; the one that is active but not taken says why. */
export function versionLook(version: LoopVersion, isCurrent: boolean): StatusLook {
  if (isCurrent) return { status: 'done', word: 'In use' }
  if (version.version === 0) return { status: 'queued', word: 'Not in use' }
  return version.state === 'active' ? { status: 'queued', word: 'Active, not pinned' } : stateLooks[version.state]
}

/** What can be chosen for new threads. A version that failed is offered only where it is the one that is chosen. */
export function pinOptions(versions: readonly LoopVersion[], pinned: number | null): readonly ChoiceOption[] {
  const active = activeVersion(versions)
  const newest = {
    value: 'newest',
    title: 'The newest that is active',
    detail: active ? shortName(active.version) : '',
  }
  const pins = versions
    .filter(({ version, state }) => version === 0 || state !== 'failed' || version === pinned)
    .map(({ version }) => ({
      value: String(version),
      title: version === 0 ? 'The bundled loop' : `Always v${version}`,
    }))
  return [newest, ...pins.toReversed()]
}

function shortName(version: number): string {
  return version === 0 ? 'bundled' : `v${version}`
}

export function pinOf(value: string): number | null {
  return value === 'newest' ? null : Number(value)
}

/** `2 of 3 the same`: how a version did over the threads on record. */
export function reviewText({ runs }: LoopReview): string {
  const same = runs.filter(({ verdict }) => verdict === 'same').length
  return `${same} of ${runs.length} took the same way`
}
