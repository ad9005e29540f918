/** A promise that was not kept. */
export interface Violation {
  readonly what: 'twice' | 'lost' | 'stuck' | 'integrity' | 'unannounced' | 'state' | 'index' | 'failed'
  readonly detail: string
}

export function lost(detail: string): Violation {
  return { what: 'lost', detail }
}
