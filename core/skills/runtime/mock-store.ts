import { AppError } from '../../domain/error.ts'
import type { SkillDraftRecord, SkillPromotion, SkillRecord, SkillsStoreContract } from './record.ts'

/** Skills in memory, for tests and small libraries. What is live is never touched by a candidate. Source: seed R. */
export class MockSkillsStore implements SkillsStoreContract {
  /** By name, the newest version last. */
  readonly #live = new Map<string, readonly SkillRecord[]>()
  /** By all that would be live of them: two proposals of one name stay two. */
  readonly #candidates = new Map<string, SkillRecord>()
  readonly #decisions: { readonly name: string; readonly version: number; readonly decision: SkillPromotion }[] = []

  constructor(records: readonly (Omit<SkillRecord, 'version'> & { readonly version?: number })[] = []) {
    for (const { version = 1, ...record } of records) {
      const whole = { ...record, version }
      if (whole.type === 'candidate') this.#candidates.set(keyOf(whole), whole)
      else
        this.#live.set(
          whole.name,
          [...(this.#live.get(whole.name) ?? []), whole].sort((a, b) => a.version - b.version),
        )
    }
  }

  async list(): Promise<readonly SkillRecord[]> {
    return [...this.#live.values()].flatMap((versions) => versions.at(-1) ?? [])
  }

  async load(name: string, version?: number): Promise<SkillRecord | undefined> {
    const versions = this.#live.get(name) ?? []
    return version === undefined ? versions.at(-1) : versions.find((each) => each.version === version)
  }

  async versions(name: string): Promise<readonly number[]> {
    return (this.#live.get(name) ?? []).map(({ version }) => version).reverse()
  }

  async saveCandidate(draft: SkillDraftRecord): Promise<SkillRecord> {
    const newest = this.#live.get(draft.name)?.at(-1)?.version ?? 0
    const candidate: SkillRecord = { ...draft, version: newest + 1, type: 'candidate' }
    this.#candidates.set(keyOf(candidate), candidate)
    return candidate
  }

  async promote(candidate: SkillRecord, decision: SkillPromotion): Promise<SkillRecord> {
    const { name } = candidate
    const key = keyOf(candidate)
    // Another one than was approved, or one that is live already.
    if (!this.#candidates.delete(key)) throw notThere(name)
    const versions = this.#live.get(name) ?? []
    const promoted: SkillRecord = { ...candidate, type: 'promoted', version: (versions.at(-1)?.version ?? 0) + 1 }
    this.#live.set(name, [...versions, promoted])
    this.#decisions.push({ name, version: promoted.version, decision })
    return promoted
  }

  /** Who was promoted, and by which decision, the oldest first. */
  get decisions(): readonly { readonly name: string; readonly version: number; readonly decision: SkillPromotion }[] {
    return this.#decisions
  }
}

function keyOf({ name, description, body, tags = [], metadata = {} }: SkillRecord): string {
  return JSON.stringify([name, description, body, tags, metadata])
}

function notThere(name: string): AppError {
  return new AppError('candidate.not_found', {
    message: `no candidate ${name} with these bytes`,
    userMessage: `There is no candidate "${name}" with this text. Nothing was changed.`,
  })
}
