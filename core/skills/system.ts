import type { CandidateState } from '../domain/candidate.ts'
import type { Redactor } from '../domain/leaks/redactor.ts'
import type { SkillResource } from '../domain/skill.ts'
import type { Source } from '../domain/source.ts'
import type { Events } from '../events/events.ts'
import type { Store } from '../store/store.ts'
import { createSkillCollection, type Manifests, type SkillCollection } from './collection/collection.ts'
import { createSkillDesk, type SkillDesk } from './desk.ts'
import type { SkillSnippet } from './file/parse.ts'
import { missingFor, type SkillHost } from './gate.ts'
import type { LoadedSkill, SkillLibrary } from './library.ts'
import { whyNot } from './load.ts'
import { takenBack } from './moves.ts'
import { createSkillReview, type SkillReview } from './review/review.ts'
import { createReword } from './review/reword.ts'
import { type SkillDraft, skillTextOf } from './skill-text.ts'
import type { SkillFolder } from './sources/scan.ts'
import { type SkillWatch, watchSkillFolders } from './sources/watch.ts'
import { createThreadSkills, type ThreadSkills } from './thread-skills.ts'
import { createSkillTracker, type SkillTracker } from './tracker/tracker.ts'
import { createSkillTransfer, type SkillTransfer } from './transfer/transfer.ts'

/** All that has to do with skills, made once for an engine. */
export interface SkillSystem {
  readonly collection: SkillCollection
  readonly threads: ThreadSkills
  readonly review: SkillReview
  /** Other words for a candidate that waits. */
  readonly reword: ReturnType<typeof createReword>
  readonly tracker: SkillTracker
  readonly desk: SkillDesk
  readonly transfer: SkillTransfer
  /** Of the live version of a skill that a thread works with or may load; null where it has no folder of its own. Absolute. */
  folderOf(threadId: string, name: string): string | null
  /** A candidate that an agent wrote. The same `callKey` twice is one. @throws AppError skill.invalid */
  save(
    draft: SkillDraft & {
      readonly threadId: string
      readonly projectId: string
      readonly callKey: string
      /** What the thread had read that was not from a person. */
      readonly sources: readonly Source[]
    },
  ): {
    readonly candidateId: string
    readonly name: string
    readonly kind: 'new' | 'update'
    /** Of the candidate that there was of just these bytes already, or of the new one. */
    readonly state: CandidateState
  }
  close(): void
}

export interface SkillSystemParts {
  readonly store: Store
  readonly events: Events
  readonly redactor: Redactor
  readonly host: SkillHost
  /** Absolute and free of links. */
  readonly dataDir: string
  readonly now: () => number
  readonly nextId: (prefix: string) => string
  /** In the place of all sources. */
  readonly fixed: SkillLibrary | undefined
  /** Of everywhere (null) or of one project alone, in the order in which a later one wins. */
  readonly folders: (projectId: string | null) => readonly SkillFolder[]
  readonly manifests: () => Manifests
  readonly resources: (folder: string) => readonly SkillResource[]
  readonly actions: () => readonly string[]
  readonly codeFault: (snippets: readonly SkillSnippet[]) => Promise<string | null>
  /** An agent works now, or did a moment ago, or was at work when a process died. */
  readonly mayBeAgents: (projectId: string | null, isFirst: boolean) => boolean
  /** Files that change are read again at once. */
  readonly isWatched: boolean
  readonly onFault: (error: unknown) => void
}

export function createSkillSystem(parts: SkillSystemParts): SkillSystem {
  const { store, host, fixed } = parts
  let watch: SkillWatch | undefined
  const found = createSkillCollection({
    ...parts,
    onFolders(folders) {
      if (!parts.isWatched) return
      watch?.close()
      watch = watchSkillFolders(folders, () => found.rescan(), { onFault: parts.onFault })
    },
    propose: (file, { projectId, live, isSuspect }) => {
      const { skill, content, source, place, folder } = file
      const trust = isSuspect ? 'installed' : file.trust
      review.propose({
        ...{ kind: live === null ? 'new' : 'update', name: skill.name, projectId, content, source, trust },
        ...{ threadId: null, callKey: null, proposedBy: `its file in ${place}`, evidence: [] },
        reason:
          live === null
            ? 'the file is new, and an agent may have written it'
            : `the file changed while v${live.version} is live`,
        ...(folder !== null && { folder }),
      })
    },
  })
  const collection = fixed === undefined ? found : { ...found, library: () => fixed, everything: () => fixed }
  const missing = (skill: LoadedSkill) => missingFor(skill, host)
  const confidence = ({ id, version }: LoadedSkill) => {
    const row = store.skills.version(id, version)
    return row === undefined || row.uses === 0 ? null : row.successes / row.uses
  }
  const judged = { missing, confidence }
  const review = createSkillReview({ ...parts, collection, judged })
  const threads = createThreadSkills({
    ...{ library: collection.library, store, host, confidence },
    // What was taken back is not loaded either.
    version: ({ id }, version) => soundVersion({ id, version }),
    inUse: (skill) => (store.skills.get(skill.id)?.state === 'active' ? soundVersion(skill) : undefined),
  })

  /** Undefined for one that was taken back. */
  function soundVersion({ id, version }: Pick<LoadedSkill, 'id' | 'version'>): LoadedSkill | undefined {
    const versions = store.skills.versions(id)
    const bytes = versions.find((each) => each.version === version)?.sha256
    return bytes === undefined || takenBack(versions).has(bytes) ? undefined : collection.version(id, version)
  }
  const projectOf = (threadId: string) => store.threads.get(threadId)?.projectId ?? null
  return {
    collection,
    close() {
      watch?.close()
      // What an agent left in a folder a moment ago is looked at while it is known to be an agent's.
      if (!store.isReadOnly && parts.mayBeAgents(null, false)) found.rescan()
      found.close()
    },
    threads,
    folderOf(threadId, name) {
      const skill = threads.get(name, projectOf(threadId))
      if (skill === undefined) return null
      const isActive = threads.active(threadId).some(({ id }) => id === skill.id)
      return isActive || whyNot(skill, missing) === null ? skill.folder : null
    },
    save({ threadId, projectId, callKey, sources, ...draft }) {
      const kind = store.skills.byName(draft.name, projectId)?.live == null ? 'new' : 'update'
      const isForeign = sources.some(({ isOfProject }) => isOfProject !== true)
      const { id: candidateId, state } = review.propose({
        ...{ kind, name: draft.name, projectId, content: skillTextOf(draft), source: 'extracted', threadId, callKey },
        ...{ trust: isForeign ? 'installed' : 'trusted', proposedBy: 'save_skill', reason: draft.description },
      })
      return { candidateId, name: draft.name, kind, state }
    },
    review,
    reword: createReword({ ...parts, collection }),
    tracker: createSkillTracker({ ...parts, collection, review }),
    transfer: createSkillTransfer({ ...parts, collection, review }),
    desk: createSkillDesk({ ...parts, collection, review, skills: threads }),
  }
}
