import type { SkillRow, SkillVersionRow } from '../../store/store.ts'
import type { FoundSkill } from '../sources/found.ts'
import { type KnownSkill, type KnownVersion, type Reconciled, reconcile } from './reconcile.ts'

/** One name of one place: what is live of it once the plan is written, which is so before it is. */
export interface PlannedSkill {
  readonly id: string
  readonly name: string
  readonly act: Reconciled
  /** The version that is live; null for none. */
  readonly version: number | null
  /** Where the live version's text is the file's; undefined where it is the store's. */
  readonly found: FoundSkill | undefined
  /** What the file holds, live or not. */
  readonly file: FoundSkill | undefined
  readonly row: SkillRow | undefined
  readonly live: SkillVersionRow | null
}

/** Compares what was found in a place with the rows of that place. Reads only. */
export function planOf(
  found: readonly FoundSkill[],
  rows: readonly SkillRow[],
  at: {
    versionsOf(id: string): readonly SkillVersionRow[]
    idOf(name: string): string
    /** Nobody could say yet what is in that place. */
    isUnread(place: string): boolean
    liveOf(id: string): SkillVersionRow | null
    /** What is new in it is a person's to decide. */
    isInert(found: FoundSkill): boolean
  },
): readonly PlannedSkill[] {
  const files = new Map(found.map((each) => [each.skill.name, each]))
  const known = new Map(rows.map((row) => [row.name, row]))
  return [...new Set([...files.keys(), ...known.keys()])].map((name) => {
    const row = known.get(name)
    const file = files.get(name)
    const live = row === undefined ? null : at.liveOf(row.id)
    // Of nearly all skills nothing has changed: their histories are not read.
    const isSettled = row !== undefined && isAsItWas(file, row, live)
    const isUnread = file === undefined && live !== null && at.isUnread(live.place)
    const versions = row === undefined || isSettled || isUnread ? [] : at.versionsOf(row.id)
    const act =
      isSettled || isUnread
        ? none
        : byPerson(reconcile(file && { ...file, name }, row && knownOf(row, versions)), file, at.isInert)
    const id = row?.id ?? at.idOf(name)
    const version = versionAfter(act, row, versions)
    const isOfFile = act.kind === 'create' || act.kind === 'version' || act.kind === 'moved'
    return { id, name, act, version, found: isOfFile ? file : undefined, file, row, live }
  })
}

const none: Reconciled = { kind: 'none' }

function isAsItWas(file: FoundSkill | undefined, { imported }: SkillRow, live: SkillVersionRow | null): boolean {
  if (file === undefined) return live === null || live.version !== imported
  if (live?.sha256 !== file.sha256) return false
  return (
    live.version !== imported || (live.file === file.file && live.place === file.place && live.trust === file.trust)
  )
}

/** Whatever would make a file's bytes live that a person must see first. */
function byPerson(act: Reconciled, file: FoundSkill | undefined, isInert: (found: FoundSkill) => boolean): Reconciled {
  const adopts = act.kind === 'create' || act.kind === 'version' || act.kind === 'relive'
  return adopts && file !== undefined && isInert(file) ? { kind: 'candidate' } : act
}

function versionAfter(act: Reconciled, row: SkillRow | undefined, versions: readonly SkillVersionRow[]): number | null {
  switch (act.kind) {
    case 'create':
      return 1
    case 'version':
      return (versions[0]?.version ?? 0) + 1
    case 'relive':
    case 'moved':
      return act.version
    case 'gone':
      return null
    case 'candidate':
    case 'none':
      return row?.state === 'active' ? row.live : null
  }
}

function knownOf(row: SkillRow, versions: readonly SkillVersionRow[]): KnownSkill {
  const all = versions.map(knownVersion)
  const numbered = (number: number | null) => all.find(({ version }) => version === number) ?? null
  return { id: row.id, state: row.state, live: numbered(row.live), imported: numbered(row.imported), versions: all }
}

function knownVersion({ version, sha256, place, file, trust, rolledBackAt }: SkillVersionRow): KnownVersion {
  return { version, sha256, place, file, trust, isRolledBack: rolledBackAt !== null }
}
