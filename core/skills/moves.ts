import { AppError } from '../domain/error.ts'
import type { SkillVersioned } from '../domain/event.ts'
import type { Append } from '../events/events.ts'
import type { NewSkillVersion, SkillRow, SkillVersionRow, Store } from '../store/store.ts'

type Rows = Pick<Store, 'skills'>

/** What is live of a skill becomes another version, or none; the fact and the row share the transaction that is open. */
export function goLive(
  { skills }: Rows,
  append: Append,
  to: {
    readonly row: SkillRow
    readonly version: SkillVersionRow | null
    readonly by: SkillVersioned['by']
    readonly reason: string
    readonly candidateId?: string
    readonly threadIds?: readonly string[]
  },
): void {
  const { row, version, by, reason, candidateId, threadIds } = to
  skills.move(row.id, version?.version ?? null, version === null ? 'suspended' : 'active')
  // What it did before it was live this time says nothing of the world as it is now.
  if (version !== null) skills.setCusum(row.id, version.version, 0)
  const facts = { skillId: row.id, name: row.name, from: row.live, to: version?.version ?? null, by, reason }
  const more = { ...(candidateId !== undefined && { candidateId }), ...(threadIds !== undefined && { threadIds }) }
  append(row.id, { kind: 'skill.versioned', data: { ...facts, sha256: version?.sha256 ?? null, ...more } })
}

/** Adds the next version of a skill and makes it live; one that a person put out of use stays so. Answers its number. */
export function addLiveVersion(
  rows: Rows,
  append: Append,
  added: Omit<NewSkillVersion, 'skillId' | 'version'> & {
    readonly row: SkillRow
    readonly by: SkillVersioned['by']
  },
): number {
  const { row, by, ...facts } = added
  const version = rows.skills.newestVersion(row.id) + 1
  rows.skills.clearRollback(row.id, facts.sha256)
  rows.skills.insertVersion({ ...facts, skillId: row.id, version })
  const written = rows.skills.version(row.id, version) ?? null
  const { candidateId, reason } = facts
  goLive(rows, append, { row, version: written, by, reason, ...(candidateId !== null && { candidateId }) })
  if (row.state === 'quarantined') rows.skills.move(row.id, version, 'quarantined')
  return version
}

/**
 * Takes the live version back: its parent is live again, or the next above that was not taken back itself; none where there is
 * none. The version is never live again by itself. Answers the version that is live now.
 */
export function takeBack(
  rows: Rows,
  append: Append,
  taken: {
    readonly row: SkillRow
    readonly by: SkillVersioned['by']
    readonly reason: string
    readonly at: number
    readonly threadIds: readonly string[]
    readonly candidateId?: string
  },
): SkillVersionRow | null {
  const { row, at, reason, threadIds } = taken
  if (row.live === null) return null
  rows.skills.noteRollback({ skillId: row.id, version: row.live, at, reason, threadIds })
  const version = soundParent(rows, row.id, row.live)
  goLive(rows, append, { ...taken, version })
  return version
}

/** The nearest version above whose bytes were not taken back, in whatever version they stood. */
export function soundParent({ skills }: Rows, skillId: string, version: number): SkillVersionRow | null {
  const all = new Map(skills.versions(skillId).map((row) => [row.version, row]))
  const taken = takenBack([...all.values()])
  const seen = new Set<number>()
  let above = all.get(version)?.parent ?? null
  while (above !== null && !seen.has(above)) {
    seen.add(above)
    const row = all.get(above)
    if (row === undefined) return null
    if (!taken.has(row.sha256)) return row
    above = row.parent
  }
  return null
}

/** Hashes of bytes that were taken back, and are live again only by a decision. */
export function takenBack(versions: readonly SkillVersionRow[]): ReadonlySet<string> {
  return new Set(versions.filter(({ rolledBackAt }) => rolledBackAt !== null).map(({ sha256 }) => sha256))
}

export function requireSkill({ skills }: Rows, id: string): SkillRow {
  const row = skills.get(id)
  if (row === undefined) throw noSkill(id)
  return row
}

export function noSkill(name: string): AppError {
  return new AppError('skill.not_found', {
    message: `no skill ${name}`,
    userMessage: `There is no skill "${name}". Nothing was changed. \`threadsmith skill list\` shows what there is.`,
  })
}
