import type { StoredEvent } from '../../domain/event.ts'
import type { Source } from '../../domain/source.ts'

/** True where a thread had read text that neither a person nor its own project wrote. */
export function hasForeignText(record: Iterable<StoredEvent>): boolean {
  for (const event of record) if (sourcesOf(event).some(({ isOfProject }) => isOfProject !== true)) return true
  return false
}

function sourcesOf(event: StoredEvent): readonly Source[] {
  switch (event.kind) {
    case 'message.added':
      return event.data.sources ?? []
    case 'action.finished':
      return event.data.source === undefined ? [] : [event.data.source]
    case 'child.finished':
    case 'code.finished':
      return event.data.sources ?? []
    case 'docs.retrieved':
      return event.data.docs.flatMap(({ untrusted, title }) => (untrusted ? [{ kind: 'memory', name: title }] : []))
    default:
      return []
  }
}
