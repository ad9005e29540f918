import type { Embedder } from './lexical.ts'
import { createProjectVectors, type ProjectVectors, type ProjectVectorsOptions } from './project-vectors.ts'
import type { Near } from './vector-index.ts'

/** An embedder that a person has chosen. What it is shows only when it is asked, which may take a while or fail. */
export interface EmbedderChoice {
  /** Another name is another embedder: all vectors are made anew. */
  readonly name: string
  /** As people know it. */
  readonly title: string
  readonly open: () => Promise<Embedder>
}

export interface Nearest {
  readonly near: readonly Near[]
  /** Those of them that bear on the query without a word in common. */
  readonly bearing: readonly string[]
}

/** The vectors of the embedder that is chosen at this moment. */
export interface DocVectors extends Pick<ProjectVectors, 'now' | 'wrote' | 'hid' | 'close'> {
  /** Which embedder it is; for people, its title. */
  readonly name: string
  /** It is asked in this process, and answers at once. */
  readonly isImmediate: boolean
  readonly title: string
  /** @throws what the embedder throws. */
  nearest(projectId: string, query: string, search: { max: number; signal: AbortSignal }): Promise<Nearest>
}

interface Opened {
  readonly name: string
  readonly opening: Promise<ProjectVectors>
  vectors: ProjectVectors | null
}

/** The default's vectors, and those of the chosen one once it was asked for the first time. */
export function createDocVectors(
  options: ProjectVectorsOptions & { readonly chosen: () => EmbedderChoice | null },
): DocVectors {
  const { chosen, embedder, store, onFault } = options
  const usual = createProjectVectors({ store, embedder, onFault })
  let opened: Opened | null = null

  function open({ name, open: ask }: EmbedderChoice): Opened {
    const opening = ask().then((own) => createProjectVectors({ store, embedder: own, onFault }))
    const next: Opened = { name, opening, vectors: null }
    opening.then(
      (vectors) => {
        next.vectors = vectors
      },
      () => {
        // Whoever waits for it gets the error; the next one asks again.
        if (opened === next) opened = null
      },
    )
    return next
  }

  async function current(): Promise<ProjectVectors> {
    const choice = chosen()
    if (choice === null) return usual
    if (opened?.name !== choice.name) {
      void opened?.vectors?.close()
      opened = open(choice)
    }
    return opened.opening
  }

  return {
    get name() {
      return chosen()?.name ?? embedder.name
    },
    get isImmediate() {
      return chosen() === null && embedder.isImmediate
    },
    get title() {
      return chosen()?.title ?? embedder.name
    },
    now: (title, content) => (chosen() === null ? usual.now(title, content) : undefined),
    // Both are told: whichever is chosen next must not find an old version.
    wrote(projectId, doc, vector) {
      usual.wrote(projectId, doc, vector)
      opened?.vectors?.wrote(projectId, doc, undefined)
    },
    hid(projectId, id) {
      usual.hid(projectId, id)
      opened?.vectors?.hid(projectId, id)
    },
    async nearest(projectId, query, { max, signal }) {
      const vectors = await current()
      const { nearFrom: least, relevantFrom } = vectors.embedder
      const near = await vectors.nearest(projectId, query, { max, least, signal })
      return { near, bearing: near.filter(({ cosine }) => cosine >= relevantFrom).map(({ id }) => id) }
    },
    async close() {
      await Promise.all([usual.close(), opened?.vectors?.close()])
    },
  }
}
