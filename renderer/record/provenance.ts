import type { Provenance } from '../../core/domain/provenance.ts'
import { type Source, sourcesText } from '../../core/domain/source.ts'

/** Whose words these are, for a person. */
export function provenanceText(provenance: Provenance): string {
  switch (provenance.by) {
    case 'user':
      return 'from you'
    case 'system':
      return 'from the engine'
    case 'model':
      return withRest('from the model', provenance.sources)
    case 'action':
      return provenance.sources.length === 0 ? 'from the engine' : `not from you: ${sourcesText(provenance.sources)}`
  }
}

function withRest(who: string, sources: readonly Source[]): string {
  return sources.length === 0 ? who : `${who}, after it had read ${sourcesText(sources)}`
}
