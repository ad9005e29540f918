import { hash } from 'node:crypto'
import type { Redactor } from '../../domain/leaks/redactor.ts'
import type { SkillProblem } from '../../domain/skill.ts'
import type { Events } from '../../events/events.ts'
import type { SkillRow, SkillVersionRow, Store } from '../../store/store.ts'
import { parseSkill, type SkillVerdict } from '../file/parse.ts'
import { type LoadedSkill, libraryOf, type SkillLibrary } from '../library.ts'
import { bundledPlace } from '../sources/folders.ts'
import { type FoundSkill, mergeSkills, type SkillScan, unusable } from '../sources/found.ts'
import { createSkillReader } from '../sources/read-skill.ts'
import { type SkillFolder, scanSkillFolders } from '../sources/scan.ts'
import { writeMend } from '../sources/write-mend.ts'
import { writePlan } from './persist.ts'
import { type PlannedSkill, planOf } from './plan.ts'

/** All skills that there are: what sources hold, and what was approved, as one library for each place. */
export interface SkillCollection {
  /** Of a project with those of everywhere, where its own wins on a name; null: of everywhere alone. Writes nothing. */
  library(projectId: string | null): SkillLibrary
  /** Of all projects; of one name that of everywhere, else the first. */
  everything(): SkillLibrary
  /** One version as it was approved; undefined where it is not there or no longer parses. */
  version(skillId: string, version: number): LoadedSkill | undefined
  /** The whole file of a skill that a library holds. */
  content(skill: LoadedSkill): string
  problems(projectId: string | null): readonly SkillProblem[]
  /** Reads all sources anew, writes what changed, and announces it. */
  rescan(): void
  /** Writes what a problem offers, where the file still holds those bytes. @throws AppError skill.mend */
  mend(file: string, sha256: string): void
  /** Writes what the sources held when they were read. To be called before a row is changed; never inside a transaction. */
  persist(): void
  /** A decision changed rows: libraries are made anew. */
  changed(): void
  /** What is not written yet is read again at the next start. */
  close(): void
}

export interface CollectionParts {
  readonly store: Store
  readonly events: Pick<Events, 'commit'>
  readonly redactor: Redactor
  readonly now: () => number
  readonly nextId: (prefix: string) => string
  /** Of everywhere (null) or of one project alone, in the order in which a later one wins. */
  readonly folders: (projectId: string | null) => readonly SkillFolder[]
  readonly manifests: () => Manifests
  /** A file that changed under an approved version, or that an agent may have written: a person decides. */
  readonly propose: (found: FoundSkill, of: Proposable) => void
  /**
   * An agent works now, or did a moment ago: what is new in a folder may be its own. `isFirst`: nobody in this process looked
   * before.
   */
  readonly mayBeAgents: (projectId: string | null, isFirst: boolean) => boolean
  /** A place was read for the first time, or its folders are others. */
  readonly onFolders: (folders: readonly string[]) => void
  readonly onFault: (error: unknown) => void
}

export interface Proposable {
  readonly projectId: string | null
  readonly live: SkillVersionRow | null
  /** An agent may have written it: it is not taken for the person's own. */
  readonly isSuspect: boolean
}

/** What lists of skills on servers hold, for everywhere. */
export interface Manifests {
  readonly scan: SkillScan
  /** Places that did not answer yet: what came from them stays as it was. */
  readonly unread: readonly string[]
}

type ParsedText = Exclude<SkillVerdict, { readonly outcome: 'reject' }>

interface Scope {
  readonly projectId: string | null
  readonly scan: SkillScan
  /** What is new in it is not used before a person said so. */
  readonly isSuspect: boolean
  readonly plan: readonly PlannedSkill[]
}

export function createSkillCollection(parts: CollectionParts): SkillCollection {
  const { store, redactor } = parts
  const read = createSkillReader()
  const scopes = new Map<string, Scope>()
  /** Places with their folders. */
  const looked = new Set<string>()
  const libraries = new Map<string, SkillLibrary>()
  /** By version: its text never changes, what the row says of it may. */
  const parsed = new Map<string, ParsedText | undefined>()
  let isProposing = false
  /** Of skills that were found and are not written yet: the same until they are. */
  const ids = new Map<string, string>()
  let soon: NodeJS.Immediate | undefined
  let told = ''

  function scanOf(projectId: string | null): SkillScan {
    const files = scanSkillFolders(parts.folders(projectId), read)
    const { found, problems } = projectId === null ? mergeSkills([files, parts.manifests().scan]) : files
    const clean = found.map((each) => ({ each, is: withoutSecrets(each) }))
    const kept = clean.flatMap(({ is }) => is ?? [])
    const broken = clean.flatMap(({ each, is }) => (is === undefined ? [holdsKey(each)] : []))
    return { found: kept, problems: [...problems, ...broken] }
  }

  /** What is hashed is what is stored: a key in a file is neither. Undefined where without it nothing is left that can be read. */
  function withoutSecrets(found: FoundSkill): FoundSkill | undefined {
    if (!redactor.mayHold(found.content)) return found
    const content = redactor.text(found.content)
    if (content === found.content) return found
    const verdict = parseSkill(Buffer.from(content), found.skill.name)
    if (verdict.outcome === 'reject') return undefined
    return { ...found, content, skill: verdict.skill, sha256: hash('sha256', content) }
  }

  function scope(projectId: string | null): Scope {
    const key = projectId ?? ''
    const known = scopes.get(key)
    if (known !== undefined) return known
    const scan = scanOf(projectId)
    // Whoever trusts a project now takes what lies in its folders as it lies there.
    const place = [key, ...parts.folders(projectId).map(({ folder }) => folder)].join('\0')
    const isSuspect = parts.mayBeAgents(projectId, !looked.has(place))
    looked.add(place)
    const made = planned({ projectId, scan, isSuspect })
    tellFolders()
    if (made.plan.some(({ act }) => act.kind !== 'none')) persistSoon()
    return made
  }

  function tellFolders(): void {
    const all = [...scopes.values()].flatMap((each) => parts.folders(each.projectId)).map(({ folder }) => folder)
    if (all.join('\0') === told) return
    told = all.join('\0')
    parts.onFolders(all)
  }

  function planned(of: Omit<Scope, 'plan'>): Scope {
    const made = { ...of, plan: plan(of) }
    scopes.set(of.projectId ?? '', made)
    return made
  }

  /** Bytes that a person said no to, or has not looked at yet, are not used because they lie in a folder. */
  function isRefused({ skill, sha256 }: FoundSkill, projectId: string | null): boolean {
    const known = store.candidates
      .ofBytes(sha256)
      .filter(({ kind, state }) => kind !== 'rollback' && state !== 'approved')
    return known.some((each) => each.name === skill.name && each.projectId === projectId)
  }

  function plan({ projectId, scan, isSuspect }: Omit<Scope, 'plan'>): readonly PlannedSkill[] {
    const heads = new Map(store.skills.heads().map((head) => [head.skillId, head]))
    const rows = store.skills.all().filter((row) => row.projectId === projectId)
    const { unread } = parts.manifests()
    return planOf(scan.found, rows, {
      isUnread: (place) => unread.includes(place),
      liveOf: (id) => heads.get(id) ?? null,
      isInert: (found) => (isSuspect && isWritable(found)) || isRefused(found, projectId),
      versionsOf: (id) => store.skills.versions(id),
      idOf(name) {
        const key = `${projectId ?? ''}/${name}`
        const id = ids.get(key) ?? parts.nextId('skl')
        ids.set(key, id)
        return id
      },
    })
  }

  function persistSoon(): void {
    if (soon !== undefined || store.isReadOnly) return
    soon = setImmediate(() => {
      try {
        persist(false)
      } catch (error) {
        parts.onFault(error)
      }
    })
  }

  function persist(isAnnounced: boolean): void {
    clearImmediate(soon)
    soon = undefined
    if (store.isReadOnly) return
    for (const { plan: made, ...of } of [...scopes.values()]) {
      const due = made.filter(({ act }) => act.kind !== 'none' && act.kind !== 'candidate')
      if (due.length === 0) continue
      writePlan(due, of.projectId, { ...parts, isAnnounced })
      planned(of)
      libraries.clear()
    }
    proposeChanged()
  }

  /** Files that a person decides on; the same bytes twice are one question. Whoever proposes has what is known written, and comes back here. */
  function proposeChanged(): void {
    if (isProposing) return
    isProposing = true
    for (const { projectId, isSuspect, plan: made } of [...scopes.values()]) {
      for (const { file, live } of forAPerson(made)) {
        try {
          // Without a live version there would be no question, but for an agent.
          parts.propose(file, { projectId, live, isSuspect: isSuspect || live === null })
        } catch (error) {
          parts.onFault(error)
        }
      }
    }
    isProposing = false
  }

  /** Files that are not used because a person said no to them, or did not answer: none goes without a word. */
  function refused({ projectId, plan: made }: Scope): readonly SkillProblem[] {
    return forAPerson(made).flatMap(({ file }) => {
      const known = store.candidates.ofBytes(file.sha256)
      const own = known.filter((each) => each.name === file.skill.name && each.projectId === projectId)
      const [last] = own
      if (last === undefined || own.some(({ state }) => state === 'pending')) return []
      return notUsed(file, refusals[last.state])
    })
  }

  function loaded(projectId: string | null, { found, id, version, row }: PlannedSkill): LoadedSkill | undefined {
    if (version === null) return undefined
    if (found !== undefined) {
      const { skill, sha256, file, folder, place, trust, source, diagnostics } = found
      return { ...skill, id, version, projectId, file, folder, place, sha256, trust, source, diagnostics }
    }
    return row === undefined ? undefined : versionOf(row, version)
  }

  function versionOf(row: SkillRow, version: number): LoadedSkill | undefined {
    const facts = store.skills.version(row.id, version)
    const text = facts && textOf(row, facts)
    if (facts === undefined || text === undefined) return undefined
    const { file, folder, place, sha256, trust, source } = facts
    const at = { id: row.id, version, projectId: row.projectId, file, folder, place, sha256, trust, source }
    return { ...text.skill, ...at, name: row.name, diagnostics: text.diagnostics }
  }

  /** Bytes that are not those that were approved are no skill. */
  function textOf(row: SkillRow, { version, sha256 }: SkillVersionRow): ParsedText | undefined {
    const key = `${row.id}@${version}`
    if (parsed.has(key)) return parsed.get(key)
    const content = store.skills.content(row.id, version)
    const isWhole = content !== undefined && hash('sha256', content) === sha256
    const verdict = isWhole ? parseSkill(Buffer.from(content), row.name) : undefined
    const text = verdict === undefined || verdict.outcome === 'reject' ? undefined : verdict
    if (parsed.size >= mostParsed) parsed.clear()
    parsed.set(key, text)
    return text
  }

  function ofPlace(projectId: string | null): readonly LoadedSkill[] {
    return scope(projectId).plan.flatMap((planned) => loaded(projectId, planned) ?? [])
  }

  function rejectedIn({ problems }: SkillScan) {
    return problems.filter(({ kind }) => kind === 'rejected')
  }

  function library(projectId: string | null): SkillLibrary {
    const key = projectId ?? ''
    const known = libraries.get(key)
    if (known !== undefined) return known
    const own = projectId === null ? [] : ofPlace(projectId)
    const names = new Set(own.map(({ name }) => name))
    const everywhere = ofPlace(null).filter(({ name }) => !names.has(name))
    const rejected = [null, ...(projectId === null ? [] : [projectId])].flatMap((id) => rejectedIn(scope(id).scan))
    const made = libraryOf([...everywhere, ...own], rejected)
    libraries.set(key, made)
    return made
  }

  function forget(): void {
    libraries.clear()
    for (const { plan: _before, ...of } of [...scopes.values()]) planned(of)
  }

  function mend(file: string, sha256: string): void {
    const problem = [...scopes.values()].flatMap(({ scan }) => scan.problems).find((each) => each.file === file)
    // Where it was read anew meanwhile, with other bytes, there is nothing to write: the person saw another text.
    writeMend(problem?.sha256 === sha256 ? problem : { ...noProblem, file })
    rescan()
  }

  function rescan(): void {
    // What was found before counts as it was found, though an agent works by now.
    if (soon !== undefined) persist(false)
    const known = [...scopes.keys()]
    scopes.clear()
    libraries.clear()
    for (const key of known) scope(key === '' ? null : key)
    persist(true)
  }

  return {
    library,
    everything() {
      const all = [null, ...store.projects.list().map(({ id }) => id)].map(library)
      const byName = new Map<string, LoadedSkill>()
      for (const skill of all.flatMap(({ skills }) => skills)) {
        if (!byName.has(skill.name)) byName.set(skill.name, skill)
      }
      const rejected = new Map(all.flatMap((each) => each.rejected).map((each) => [each.file, each]))
      return libraryOf([...byName.values()], [...rejected.values()])
    },
    version(skillId, version) {
      const row = store.skills.get(skillId)
      return row === undefined ? undefined : versionOf(row, version)
    },
    content({ id, version, projectId }) {
      const planned = scope(projectId).plan.find((each) => each.id === id && each.version === version)
      return planned?.found?.content ?? store.skills.content(id, version) ?? ''
    },
    problems(projectId) {
      const all = [scope(null), ...(projectId === null ? [] : [scope(projectId)])]
      return all.flatMap((each) => [...each.scan.problems, ...refused(each)])
    },
    rescan,
    mend,
    persist: () => persist(false),
    changed: forget,
    close: () => clearImmediate(soon),
  }
}

/** What ships with the app, and what a server holds, no agent writes. */
function isWritable({ folder, place }: FoundSkill): boolean {
  return folder !== null && place !== bundledPlace
}

function forAPerson(plan: readonly PlannedSkill[]) {
  return plan.flatMap(({ act, file, live }) => (act.kind === 'candidate' && file !== undefined ? [{ file, live }] : []))
}

function notUsed({ file, place, sha256 }: FoundSkill, why: string): SkillProblem {
  const diagnostic = { code: 'W_REFUSED', line: null, message: `It is not used: ${why}` } as const
  return { ...noProblem, file, place, sha256, diagnostics: [diagnostic] }
}
const refusals = {
  pending: 'it waits for your answer in Approvals.',
  approved: 'another version was approved since. Approvals, History shows it.',
  rejected: 'you said no to just this text. Change it, or import it, to be asked again.',
  quarantined: 'you put just this text out of use. Change it, or import it, to be asked again.',
  expired: 'nobody answered in time. It is asked about again when the files are read anew.',
} as const

/** A skill that only stands with a key in it. */
function holdsKey(found: FoundSkill): SkillProblem {
  const message = 'A key or password stands in its front matter. Take it out: keys are entered under Integrations.'
  return unusable(found, 'E_SECRET', message)
}

const mostParsed = 5_000
const noProblem = { place: '', kind: 'warning', diagnostics: [], sha256: '', mend: null } as const
