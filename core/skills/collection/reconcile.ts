import type { SkillSource, SkillState, SkillTrust } from '../../domain/skill.ts'

/** What a source holds of one name. */
export interface FoundVersion {
  readonly name: string
  readonly sha256: string
  readonly source: SkillSource
  readonly trust: SkillTrust
  readonly place: string
  readonly file: string | null
}

/** What the store knows of that name in that place. */
export interface KnownSkill {
  readonly id: string
  readonly state: SkillState
  readonly live: KnownVersion | null
  /** The version that was last read from a file. */
  readonly imported: KnownVersion | null
  /** All of them, the newest first. */
  readonly versions: readonly KnownVersion[]
}
export interface KnownVersion {
  readonly version: number
  readonly sha256: string
  readonly place: string
  readonly file: string | null
  readonly trust: SkillTrust
  readonly isRolledBack: boolean
}

/**
 * What reading a file changes. `create`: a first version. `version`: the next one, live at once. `relive`: a version that was live
 * before is live again. `moved`: the same bytes in another place. `candidate`: a person decides, because what is live was not read
 * from a file, or these bytes were taken back. `gone`: no file holds it any more. Source: RULES 20, 37.
 */
export type Reconciled =
  | { readonly kind: 'create' }
  | { readonly kind: 'version'; readonly parent: number | null }
  | { readonly kind: 'relive'; readonly version: number }
  | { readonly kind: 'moved'; readonly version: number }
  | { readonly kind: 'candidate' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'none' }

/** Compares one name of the sources with the store; the same input gives the same answer, and what it answers changes nothing twice. */
export function reconcile(found: FoundVersion | undefined, known: KnownSkill | undefined): Reconciled {
  if (found === undefined) return known === undefined ? none : withoutFile(known)
  if (known === undefined) return { kind: 'create' }
  if (known.state === 'quarantined') return none
  const { live, imported } = known
  const isLive = live?.sha256 === found.sha256
  if (isLive) {
    // The same bytes as what was approved: that stays what it is, and no file's.
    const isOfFile = live.version === imported?.version
    return isOfFile && isElsewhere(live, found) ? { kind: 'moved', version: live.version } : none
  }
  // The file is what it was when it was last read: what is live came after it, by a decision.
  if (imported?.sha256 === found.sha256 && known.state !== 'gone') return none
  const same = known.versions.filter(({ sha256 }) => sha256 === found.sha256)
  if (same.some(({ isRolledBack }) => isRolledBack)) {
    return imported?.sha256 === found.sha256 ? none : { kind: 'candidate' }
  }
  if (!isHeadOfFile(known)) return { kind: 'candidate' }
  const [newest] = same
  return newest === undefined
    ? { kind: 'version', parent: live?.version ?? imported?.version ?? null }
    : { kind: 'relive', version: newest.version }
}

const none: Reconciled = { kind: 'none' }

/** What was approved stays without its file; what only a file held goes with it. */
function withoutFile({ live, imported, state }: KnownSkill): Reconciled {
  const isOfFile = live !== null && live.version === imported?.version
  return isOfFile && state === 'active' ? { kind: 'gone' } : none
}

/** Nothing that a person approved stands on top of what the file was: its author goes on with it. */
function isHeadOfFile({ state, live, imported, versions }: KnownSkill): boolean {
  if (state === 'gone') return true
  const head = live ?? versions[0]
  return head !== undefined && head.version === imported?.version
}

function isElsewhere(live: KnownVersion, found: FoundVersion): boolean {
  return live.place !== found.place || live.file !== found.file || live.trust !== found.trust
}
