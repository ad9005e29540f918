import type { SkillVersioned } from '../../domain/event.ts'
import type { Events } from '../../events/events.ts'
import type { Store } from '../../store/store.ts'
import type { PlannedSkill } from './plan.ts'

interface Parts {
  readonly store: Pick<Store, 'skills' | 'transaction'>
  readonly events: Pick<Events, 'commit'>
  readonly now: () => number
  readonly isAnnounced: boolean
}

/** Writes what reading the sources changed, in one transaction; announced where it happens under the eyes of a window. */
export function writePlan(plan: readonly PlannedSkill[], projectId: string | null, parts: Parts): void {
  const { store, events } = parts
  const work = () => plan.flatMap((each) => write(each, projectId, parts))
  if (!parts.isAnnounced) store.transaction(work)
  else
    events.commit((append) => {
      for (const data of work()) append(data.skillId, { kind: 'skill.versioned', data })
    })
}

function write(
  { id, name, act, version, file, row }: PlannedSkill,
  projectId: string | null,
  parts: Parts,
): readonly SkillVersioned[] {
  const { skills } = parts.store
  const facts = { skillId: id, name, from: row?.live ?? null, to: version, by: 'file' } as const
  switch (act.kind) {
    case 'create':
    case 'version': {
      if (file === undefined || version === null) return []
      if (act.kind === 'create') skills.insert({ id, name, projectId, state: 'active', createdAt: parts.now() })
      const { sha256, source, trust, place, content, folder } = file
      const parent = act.kind === 'version' ? act.parent : null
      const reason = act.kind === 'create' ? `read from ${place}` : `its file in ${place} changed`
      const more = { threadId: null, candidateId: null, createdAt: parts.now() }
      const added = { skillId: id, version, parent, sha256, source, trust, place, file: file.file, folder, reason }
      skills.insertVersion({ ...added, ...more, content })
      skills.noteImport(id, version)
      skills.move(id, version, 'active')
      return [{ ...facts, sha256, reason }]
    }
    case 'relive': {
      skills.noteImport(id, act.version)
      skills.move(id, act.version, 'active')
      if (file !== undefined) skills.moveFile({ ...file, skillId: id, version: act.version })
      const reason = row?.state === 'gone' ? 'its file is there again' : 'its file is as it was before'
      return [{ ...facts, sha256: file?.sha256 ?? null, reason }]
    }
    case 'moved': {
      if (file === undefined) return []
      skills.moveFile({ ...file, skillId: id, version: act.version })
      skills.noteImport(id, act.version)
      return [{ ...facts, sha256: file.sha256, reason: `its file lies in ${file.place} now` }]
    }
    case 'gone':
      skills.move(id, null, 'gone')
      return [{ ...facts, sha256: null, reason: 'no file holds it any more' }]
    case 'candidate':
    case 'none':
      return []
  }
}
