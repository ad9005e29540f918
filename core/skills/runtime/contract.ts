import { AppError } from '../../domain/error.ts'
import { limits } from '../../domain/limits.ts'
import type { Outcome } from '../../domain/thread.ts'
import { fencedSkill } from '../block.ts'
import { emitterOf, type SkillsEvent } from './analytics.ts'
import { type EmbedTexts, nearestTo, type SkillInjectMode } from './inject.ts'
import { entryOf, type SkillCatalogueEntry, type SkillDraftRecord, type SkillRecord } from './record.ts'
import { decideOn, type SkillDecision, type SkillReview } from './review.ts'
import { openSource, type ReadManifest, type SkillSourceConfig, type SkillSourceProblem } from './sources.ts'

/** What an agent is given of skills. Source: seed R, Factory config; RULES 18. */
export interface SkillsConfig {
  /** Stands in analytics and above the catalogue. */
  readonly name: string
  /** At least one; a later one wins on a name. */
  readonly sources: readonly SkillSourceConfig[]
  readonly inject?: SkillInjectMode
  /** Default: `limits.skillLoads`. */
  readonly maxLoadsPerRun?: number
  /** Only skills with one of these tags are told of, injected or loaded. */
  readonly scope?: { readonly tags: readonly string[] }
  /** Without one an agent cannot write skills. */
  readonly review?: SkillReview
  readonly analytics?: (event: SkillsEvent) => void | Promise<void>
}

/** What the world gives. */
export interface SkillsSeams {
  /** Where `inject` brings none: the provider's, else the lexical one. Asked for when it is first needed. */
  readonly embedder: () => EmbedTexts
  readonly readManifest: ReadManifest
  readonly now: () => number
}

export interface SkillsCatalogue {
  readonly entries: readonly SkillCatalogueEntry[]
  /** '' for none. The same skills give the same bytes. */
  readonly text: string
  readonly problems: readonly SkillSourceProblem[]
}

/** `text`: as a model reads it, in marks that nothing in it can close. */
export interface LoadedRecord {
  readonly name: string
  readonly version: number
  readonly body: string
  readonly text: string
}
export interface SkillRefused {
  readonly error: string
}

export interface SkillsContract {
  readonly name: string
  /** One line for each skill in scope, never a body. @throws the signal's reason */
  catalogue(signal: AbortSignal, run?: string): Promise<SkillsCatalogue>
  /** One run of an agent: all its loads share one budget. */
  run(id: string): SkillsRun
  /** Only with a review. What is written is a candidate beside what is live, then decided on. @throws the signal's reason */
  readonly save: ((draft: SkillDraftRecord, signal: AbortSignal) => Promise<SkillSaved | SkillRefused>) | undefined
}

export interface SkillSaved {
  readonly saved: true
  readonly name: string
  readonly status: 'candidate' | 'promoted'
  readonly decision: SkillDecision
}

export interface SkillsRun {
  /** Bodies that stand in the prompt from the beginning; they cost no load. @throws the signal's reason, the embedder's error */
  preload(input: string, signal: AbortSignal): Promise<readonly LoadedRecord[]>
  /** An error is a result. One that is unknown, or out of scope, costs nothing. @throws the signal's reason */
  load(
    asked: { readonly name: string; readonly version?: number },
    signal: AbortSignal,
  ): Promise<LoadedRecord | SkillRefused>
  /** The run is over: what its skills were good for. Only the first end counts. */
  end(outcome: Outcome): void
}

/** @throws AppError api.input without any source */
export function createSkills(config: SkillsConfig, { embedder, readManifest, now }: SkillsSeams): SkillsContract {
  const { name: library, inject = 'none', maxLoadsPerRun = limits.skillLoads, scope, review } = config
  if (config.sources.length === 0) throw noSource(library)
  const sources = config.sources.map((source) => openSource(source, readManifest))
  const emit = emitterOf(library, config.analytics)

  const isInScope = ({ tags = [] }: SkillRecord) => scope === undefined || tags.some((tag) => scope.tags.includes(tag))

  async function listAll(signal: AbortSignal) {
    const byName = new Map<string, SkillRecord>()
    const problems: SkillSourceProblem[] = []
    const read = await Promise.all(sources.map((source) => source.list(signal)))
    for (const { records, problems: some } of read) {
      for (const record of records) byName.set(record.name, record)
      problems.push(...some)
    }
    const records = [...byName.values()].filter(isInScope).sort((a, b) => (a.name < b.name ? -1 : 1))
    return { records, problems }
  }

  /** The last source that has it wins; one that has another version of it is passed over. */
  async function find(
    name: string,
    version: number | undefined,
    signal: AbortSignal,
  ): Promise<SkillRecord | undefined> {
    for (const source of sources.toReversed()) {
      const { records } = await source.load(name, version, signal)
      const found = records.find(isInScope)
      if (found !== undefined) return found
    }
    return undefined
  }

  async function recordsToInject(input: string, signal: AbortSignal): Promise<readonly SkillRecord[]> {
    if (inject === 'none') return []
    const { records } = await listAll(signal)
    if (inject === 'all') return records
    const { embedder: own, ...choice } = inject
    const nearest = await nearestTo(input, records.map(entryOf), { ...choice, embed: own ?? embedder() }, signal)
    return nearest.flatMap(({ name }) => records.find((record) => record.name === name) ?? [])
  }

  async function save(draft: SkillDraftRecord, signal: AbortSignal, gate: SkillReview) {
    signal.throwIfAborted()
    try {
      const candidate = await gate.store.saveCandidate(draft)
      emit({ kind: 'proposed', skill: candidate.name, version: candidate.version })
      const decision = await decideOn(candidate, gate, { emit, now, signal })
      const status = decision.approved ? 'promoted' : 'candidate'
      return { saved: true, name: candidate.name, status, decision } as const
    } catch (error) {
      signal.throwIfAborted()
      return { error: error instanceof Error ? error.message : String(error) }
    }
  }

  return {
    name: library,
    async catalogue(signal, run) {
      const { records, problems } = await listAll(signal)
      const entries = records.map(entryOf)
      for (const { name: skill, version } of entries) emit({ kind: 'catalogued', skill, version, ...(run && { run }) })
      return { entries, problems, text: textOf(library, entries) }
    },
    run(id) {
      const given = new Map<string, SkillRecord>()
      let loads = 0
      let isOver = false
      let last: Promise<unknown> = Promise.resolve()
      /** Loads of one turn share the budget: each sees what the one before it cost. */
      const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
        const next = last.then(work, work)
        last = next
        return next
      }
      const give = (kind: 'loaded' | 'injected', record: SkillRecord): LoadedRecord => {
        given.set(`${record.name} ${record.version}`, record)
        emit({ kind, skill: record.name, version: record.version, run: id })
        return { name: record.name, version: record.version, body: record.body, text: fencedSkill(record, record.body) }
      }
      return {
        async preload(input, signal) {
          const records = await recordsToInject(input, signal)
          return records.map((record) => give('injected', record))
        },
        load({ name, version }, signal) {
          return inTurn(async () => {
            if (loads >= maxLoadsPerRun) return { error: 'skill load budget exhausted' }
            const record = await find(name, version, signal)
            if (record === undefined) return { error: `unknown skill: ${name}` }
            loads += 1
            return give('loaded', record)
          })
        },
        end(outcome) {
          if (isOver) return
          isOver = true
          for (const { name: skill, version } of given.values()) {
            emit({ kind: 'used', skill, version, run: id })
            emit({ kind: 'outcome', skill, version, run: id, outcome })
          }
        },
      }
    },
    save: review && ((draft, signal) => save(draft, signal, review)),
  }
}

function textOf(library: string, entries: readonly SkillCatalogueEntry[]): string {
  if (entries.length === 0) return ''
  const lines = entries.map(({ name, version, description }) => `- ${line(name)} (v${version}): ${line(description)}`)
  return [
    `# Available skills: ${line(library)}`,
    'Call load_skill with a name to read the whole of one.',
    ...lines,
  ].join('\n')
}

/** A description is one line, and opens no mark. */
function line(text: string): string {
  return text.replace(/[<>]/g, '').replace(/\s+/g, ' ').trim()
}

function noSource(library: string): AppError {
  return new AppError('api.input', {
    message: `skills("${library}"): at least one source is required (directory, url or store)`,
    userMessage: 'The skills of this agent come from nowhere: at least one source is needed. Nothing was begun.',
  })
}
