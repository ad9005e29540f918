import { limits } from '../domain/limits.ts'
import type { MemoryDoc, MemoryFound } from '../domain/memory.ts'
import type { Store } from '../store/store.ts'
import type { DocVectors, Nearest } from './doc-vectors.ts'
import { byRelevance, fuse } from './fusion.ts'
import { createPatience, type PatienceParts } from './patience.ts'
import { foldedWords, matchOf, stemOf, tellingWords } from './words.ts'

/** Candidates of each way. Source: reference, engine behaviour 10. */
const pool = 50
/** Of these many best the text is read to see whether it bears on a goal. */
const looked = 20

/** A doc that bears on a goal, with its fused score. */
export interface Relevant {
  readonly doc: MemoryDoc
  readonly score: number
}

export interface Search {
  find(projectId: string, query: string, limit: number, signal: AbortSignal): Promise<MemoryFound>
  /** Best first. A doc bears on a goal when its vector is near, or when it has enough of the goal's telling words. */
  relevant(projectId: string, goal: string, signal: AbortSignal): Promise<readonly Relevant[]>
}

export interface SearchOptions extends PatienceParts {
  readonly store: Store
  readonly vectors: DocVectors
  readonly onFault: (error: unknown) => void
}

export function createSearch({ store, vectors, onFault, ...clock }: SearchOptions): Search {
  const patience = createPatience(clock)

  /** Words alone where the embedder cannot be asked: half of a search is better than none, and the fault is told. */
  async function nearest(projectId: string, query: string, signal: AbortSignal): Promise<Nearest> {
    const ask = () => vectors.nearest(projectId, query, { max: pool, signal })
    try {
      return (vectors.isImmediate ? await ask() : await patience.ask(vectors.name, ask, signal)) ?? nothing
    } catch (error) {
      signal.throwIfAborted()
      onFault(error)
      return nothing
    }
  }

  async function ranked(projectId: string, query: string, { limit, signal }: Bounds) {
    const words = tellingWords(query)
    const match = matchOf(words)
    const { near, bearing } = await nearest(projectId, query, signal)
    const byWords = match === undefined ? [] : store.docSearch.byWords(match, projectId, pool)
    const fused = fuse(
      byWords.map(({ id, distance }) => ({ id, value: distance })),
      near.map(({ id, cosine }) => ({ id, value: cosine })),
    )
    // Equals of the last one too: among them the type decides.
    const least = fused[limit - 1]?.score ?? 0
    const best = fused.filter(({ score }) => score >= least)
    const found = best.flatMap((each) => {
      const doc = store.docSearch.found(each.id)
      return doc === undefined ? [] : [{ ...doc, ...each }]
    })
    return { match, words, bearing, total: fused.length, found: found.sort(byRelevance).slice(0, limit) }
  }

  return {
    async find(projectId, query, limit, signal) {
      const asked = query.slice(0, limits.embeddedCharacters)
      const { match, found, total } = await ranked(projectId, asked, { limit, signal })
      const hits = found.map((doc) => ({
        ...doc,
        embedder: vectors.title,
        snippet: store.docSearch.snippet(doc.id, doc.ftsRank === null ? undefined : match),
      }))
      return { hits, total }
    },
    async relevant(projectId, goal, signal) {
      const asked = goal.slice(0, limits.embeddedCharacters)
      const { words, bearing, found } = await ranked(projectId, asked, { limit: looked, signal })
      const near = new Set(bearing)
      return found.flatMap(({ id, score }) => {
        const doc = store.docs.get(id)
        return doc !== undefined && (near.has(id) || sharesWords(words, doc)) ? [{ doc, score }] : []
      })
    },
  }
}

const nothing: Nearest = { near: [], bearing: [] }

interface Bounds {
  readonly limit: number
  readonly signal: AbortSignal
}

/** Two telling words, and of a long goal a sixth of them: one word alone is too often chance. */
function sharesWords(goalWords: readonly string[], { title, content }: MemoryDoc): boolean {
  const goal = [...new Set(foldedWords(goalWords.join(' ')).map(stemOf))]
  const text = new Set(foldedWords(`${title} ${content.slice(0, limits.embeddedCharacters)}`).map(stemOf))
  return goal.filter((word) => text.has(word)).length >= Math.max(2, Math.ceil(goal.length / 6))
}
