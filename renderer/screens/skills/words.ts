import type { Candidate } from '../../../core/domain/candidate.ts'
import {
  type SkillDetail,
  type SkillHeader,
  type SkillProblem,
  type SkillResource,
  type SkillState,
  type SkillUseHow,
  type SkillVersionHeader,
  writtenHere,
} from '../../../core/domain/skill.ts'
import type { StatusLook } from '../../components/status.tsx'
import { longDayText } from '../../format/dates.ts'

const stateLooks: Readonly<Record<SkillState, StatusLook>> = {
  active: { status: 'done', word: 'Active' },
  suspended: { status: 'failed', word: 'Suspended' },
  quarantined: { status: 'denied', word: 'Quarantined' },
  gone: { status: 'queued', word: 'Gone' },
}

/** How a skill shows: by its state, and where that is fine, by whether this computer has what it needs. */
export function skillLook({ state, missing }: Pick<SkillHeader, 'state' | 'missing'>): StatusLook {
  return state === 'active' && missing.length > 0 ? { status: 'queued', word: 'Unavailable' } : stateLooks[state]
}

/** Why it is never chosen; null for a skill that can be. */
export function whyNotText({ state, missing }: Pick<SkillHeader, 'state' | 'missing'>): string | null {
  switch (state) {
    case 'quarantined':
      return 'quarantined by you'
    case 'suspended':
      return 'suspended: its only version failed'
    case 'gone':
      return 'its file is no longer there'
    case 'active':
      return missing.length > 0 ? `unavailable: needs ${missing.join(' and ')}` : null
  }
}

export const howWords: Readonly<Record<SkillUseHow, string>> = {
  selected: 'chosen for the goal',
  loaded: 'asked for by the model',
  called: 'a function of it ran',
  run: 'run by itself',
}

export const kindWords: Readonly<Record<Candidate['kind'], string>> = {
  new: 'new',
  update: 'update',
  rollback: 'roll back',
  global: 'for everywhere',
}

export const problemLooks: Readonly<Record<SkillProblem['kind'], StatusLook>> = {
  rejected: { status: 'failed', word: 'Not loaded' },
  warning: { status: 'waiting', word: 'Has flaws' },
  shadowed: { status: 'queued', word: 'Hidden by another' },
}

/** What a file's skill would be called: its folder's name. */
export function problemName(file: string): string {
  return file.split(/[\\/]/).at(-2) ?? file
}

/** `SKILL.md, line 7`; without a line the whole file is meant. */
export function placeText({ file, diagnostics }: Pick<SkillProblem, 'file' | 'diagnostics'>): string {
  const line = diagnostics[0]?.line ?? null
  const name = file.split(/[\\/]/).at(-1) ?? file
  return line === null ? name : `${name}, line ${line}`
}

/** `3 built in, 9 learned, 2 imported`: what there is none of is left out. */
export function sourcesText(skills: readonly Pick<SkillHeader, 'source' | 'place'>[]): string {
  const counts = new Map<string, number>()
  for (const skill of skills) counts.set(originOf(skill), (counts.get(originOf(skill)) ?? 0) + 1)
  return originOrder
    .flatMap((origin) => {
      const count = counts.get(origin)
      return count === undefined ? [] : [`${count.toLocaleString('en')} ${origin}`]
    })
    .join(', ')
}

const originOrder = ['built in', 'learned', 'imported', 'yours'] as const

function originOf({ source, place }: Pick<SkillHeader, 'source' | 'place'>): (typeof originOrder)[number] {
  if (place === 'built in') return 'built in'
  if (source === 'extracted') return 'learned'
  return source === 'imported' ? 'imported' : 'yours'
}

/** Where a roll back leads: to what the live version was made from, else to the newest one before it that did not fail. */
export function rollbackTarget({ version, versions }: Pick<SkillDetail, 'version' | 'versions'>): number | null {
  const live = versions.find(({ state }) => state === 'live')
  const isThere = (one: number | null | undefined) => one != null && versions.some((each) => each.version === one)
  if (live && live.parent !== null && isThere(live.parent)) return live.parent
  const before = versions.filter((each) => each.state === 'retired' && each.version < (live?.version ?? version + 1))
  return before.toSorted((a, b) => b.version - a.version)[0]?.version ?? null
}

/** The version that a file brought, from which the live one was made by hand; null where it was not. */
export function readFromFile({ version, versions }: Pick<SkillDetail, 'version' | 'versions'>): number | null {
  const byNumber = new Map(versions.map((each) => [each.version, each]))
  let one = byNumber.get(version)
  while (one?.place === writtenHere) one = one.parent === null ? undefined : byNumber.get(one.parent)
  return one === undefined || one.version === version || one.threadId !== null ? null : one.version
}

export type TakenBack = Pick<SkillVersionHeader, 'version'> & {
  readonly rolledBack: NonNullable<SkillVersionHeader['rolledBack']>
}

/** The version that was taken back last; null where none was, or another one was made since. */
export function lastTakenBack({ versions }: Pick<SkillDetail, 'versions'>): TakenBack | null {
  const taken = versions.flatMap(({ version, rolledBack }) => (rolledBack === null ? [] : [{ version, rolledBack }]))
  const last = taken.toSorted((a, b) => b.rolledBack.at - a.rolledBack.at)[0]
  return last === undefined || versions.some(({ createdAt }) => createdAt > last.rolledBack.at) ? null : last
}

/** `v2 was taken back on Monday 30 November: it failed 3 times.` */
export function takenBackText({ version, rolledBack: { at, reason } }: TakenBack): string {
  const said = `v${version} was taken back on ${longDayText(at)}`
  return reason === '' ? `${said}.` : `${said}: ${reason}${/[.!?]$/.test(reason) ? '' : '.'}`
}

/** The factor that scores are multiplied by. Source: RULES 16. */
export function selectionFactor({ source, confidence }: Pick<SkillHeader, 'source' | 'confidence'>): number {
  return source === 'extracted' ? 0.5 + 0.5 * confidence.value : 1
}

/** What a file of a skill is. */
export const resourceKinds: Readonly<Record<SkillResource['kind'], string>> = {
  script: 'script, never run by itself',
  reference: 'reference, read when it is asked for',
  asset: 'asset',
  other: 'other',
}
