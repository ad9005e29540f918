import type { EventFact } from './event.ts'
import type { Source } from './source.ts'

/** Whose words a message or a result is made of. */
export type Provenance =
  | { readonly by: 'user' }
  | { readonly by: 'system' }
  /** `sources`: what it had read by then that was not from a person. */
  | { readonly by: 'model'; readonly sources: readonly Source[] }
  /** No source: it holds only what the engine itself says or computed. */
  | { readonly by: 'action'; readonly sources: readonly Source[] }

/** Whose words the body of an event holds; null for one that holds none. */
export function provenanceOf(event: EventFact): Provenance | null {
  switch (event.kind) {
    case 'message.added': {
      const { role, origin, sources = [] } = event.data
      const isSaid = role === 'user' && origin === undefined
      // The question of a child is its parent's.
      if (role === 'assistant' || (isSaid && sources.length > 0)) return { by: 'model', sources }
      if (sources.length > 0) return { by: 'action', sources }
      return { by: isSaid ? 'user' : 'system' }
    }
    case 'model.completed':
      return { by: 'model', sources: [] }
    case 'action.finished':
      return { by: 'action', sources: event.data.source === undefined ? [] : [event.data.source] }
    case 'code.finished':
    case 'child.finished':
      return { by: 'action', sources: event.data.sources ?? [] }
    default:
      return null
  }
}
