import { AppError } from '../../domain/error.ts'
import { limits } from '../../domain/limits.ts'
import type { SkillTrust } from '../../domain/skill.ts'
import { estimateTokens } from '../../domain/text.ts'
import type { Outcome } from '../../domain/thread.ts'
import { fencedSkill, tooLongToLoad } from '../block.ts'
import { hostedCatalogue } from '../catalogue.ts'
import { loadsExhausted, unknownSkill } from '../load.ts'
import { emitterOf, type SkillsEvent } from './analytics.ts'
import { type EmbedTexts, nearestTo, type SkillInjectMode } from './inject.ts'
import {
  entryOf,
  type SkillCatalogueEntry,
  type SkillDraftRecord,
  type SkillRecord,
  type SourcedRecord,
} from './record.ts'
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
  /** Names of those that are from elsewhere. */
  readonly installed: readonly string[]
  /** At most `limits.hostedCatalogueTokens`; '' for none. The same skills give the same bytes. */
  readonly text: string
  readonly problems: readonly SkillSourceProblem[]
}

/** `text`: as a model reads it, in marks that nothing in it can close. */
export interface LoadedRecord {
  readonly name: string
  readonly version: number
  readonly trust: SkillTrust
  readonly body: string
  readonly text: string
}
export interface SkillRefused {
  readonly error: string
}

export interface SkillsContract {
  readonly name: string
  /** `installed` where any of its skills can be from elsewhere. */
  readonly trust: SkillTrust
  /** One line for each skill in scope, never a body. @throws the signal's reason */
  catalogue(signal: AbortSignal, run?: string): Promise<SkillsCatalogue>
  /** One run of an agent: all its loads share one budget. `before`: what is on record of it from before a restart. */
  run(id: string, before?: SkillsRunBefore): SkillsRun
  /** Only with a review. What is written is a candidate beside what is live, then decided on. @throws the signal's reason */
  readonly save: ((draft: SkillDraftRecord, signal: AbortSignal) => Promise<SkillSaved | SkillRefused>) | undefined
}

export interface SkillSaved {
  readonly saved: true
  readonly name: string
  readonly status: 'candidate' | 'promoted'
  readonly decision: SkillDecision
}

export interface SkillsRunBefore {
  readonly loads: number
  /** Loaded or injected. */
  readonly given: readonly { readonly name: string; readonly version: number }[]
}

export interface SkillsRun {
  /**
   * Bodies that stand in the prompt from the beginning, as far as they fit in `limits.hostedInjectTokens`; they cost no load.
   * `isOffered`: of these names alone; all by default. @throws the signal's reason, the embedder's error
   */
  preload(input: string, signal: AbortSignal, isOffered?: (name: string) => boolean): Promise<readonly LoadedRecord[]>
  /** An error is a result. One that is unknown, out of scope or too long costs nothing, and is told as that. @throws the signal's reason */
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
    const byName = new Map<string, SourcedRecord>()
    const problems: SkillSourceProblem[] = []
    const read = await Promise.all(sources.map(async (source) => ({ ...(await source.list(signal)), ...source })))
    for (const { records, trust, problems: some } of read) {
      for (const record of records) byName.set(record.name, { ...record, trust })
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
  ): Promise<SourcedRecord | undefined> {
    for (const source of sources.toReversed()) {
      const { records } = await source.load(name, version, signal)
      const found = records.find(isInScope)
      if (found !== undefined) return { ...found, trust: source.trust }
    }
    return undefined
  }

  async function recordsToInject(
    input: string,
    signal: AbortSignal,
    isOffered: (name: string) => boolean,
  ): Promise<readonly SourcedRecord[]> {
    if (inject === 'none') return []
    const all = await listAll(signal)
    const records = all.records.filter(({ name }) => isOffered(name))
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
    trust: sources.some(({ trust }) => trust === 'installed') ? 'installed' : 'trusted',
    async catalogue(signal, run) {
      const { records, problems } = await listAll(signal)
      const entries = records.map(entryOf)
      for (const { name: skill, version } of entries) emit({ kind: 'catalogued', skill, version, ...(run && { run }) })
      const installed = records.flatMap(({ name, trust }) => (trust === 'installed' ? [name] : []))
      return { entries, installed, problems, text: hostedCatalogue(library, entries) }
    },
    run(id, before = { loads: 0, given: [] }) {
      const given = new Map(before.given.map((each) => [keyOf(each), each]))
      let { loads } = before
      let isOver = false
      let last: Promise<unknown> = Promise.resolve()
      /** Loads of one turn share the budget: each sees what the one before it cost. */
      const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
        const next = last.then(work, work)
        last = next
        return next
      }
      const give = (kind: 'loaded' | 'injected', record: LoadedRecord): LoadedRecord => {
        const { name: skill, version } = record
        given.set(keyOf(record), record)
        emit({ kind, skill, version, run: id })
        return record
      }
      return {
        async preload(input, signal, isOffered = () => true) {
          const records = await recordsToInject(input, signal, isOffered)
          return fitting(records.map(loadedOf)).map((record) => give('injected', record))
        },
        load({ name, version }, signal) {
          return inTurn(async () => {
            const record = await find(name, version, signal)
            if (record === undefined) return { error: unknownSkill(name) }
            const loaded = loadedOf(record)
            const tooLong = tooLongToLoad(name, loaded.text)
            if (tooLong !== null) return { error: tooLong }
            if (loads >= maxLoadsPerRun) return { error: loadsExhausted }
            loads += 1
            return give('loaded', loaded)
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

function keyOf({ name, version }: { readonly name: string; readonly version: number }): string {
  return `${version} ${name}`
}

function loadedOf(record: SourcedRecord): LoadedRecord {
  const { name, version, trust, body } = record
  return { name, version, trust, body, text: fencedSkill(record, body) }
}

/** In their order; one that is too long for what is left is passed over, and can be loaded. */
export function fitting(records: readonly LoadedRecord[]): readonly LoadedRecord[] {
  let left = limits.hostedInjectTokens
  return records.filter(({ text }) => {
    const tokens = estimateTokens(text)
    if (tokens > left) return false
    left -= tokens
    return true
  })
}

function noSource(library: string): AppError {
  return new AppError('api.input', {
    message: `skills("${library}"): at least one source is required (directory, url or store)`,
    userMessage: 'The skills of this agent come from nowhere: at least one source is needed. Nothing was begun.',
  })
}
