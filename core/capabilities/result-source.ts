import type { EffectType } from '../domain/action.ts'
import type { Json } from '../domain/json.ts'
import { type Source, type SourceKind, sourceOf } from '../domain/source.ts'

/** How a call ended, as far as it matters for whose text there is in its result. */
export type Ended = { readonly ok: true; readonly value: Json } | { readonly ok: false }

/** What an action says of its own results; the rest follows from its effects. */
export type OwnSource = {
  readonly kind: SourceKind
  readonly name: string
  /** It rests on the project's own files alone. Default: what the effects say. */
  readonly isOfProject?: boolean
} | null

export interface EndedCall {
  readonly name: string
  readonly summary: string
  /** Of its very arguments. */
  readonly effects: readonly EffectType[]
  /** Undefined where the action says nothing of it. */
  readonly own: OwnSource | undefined
  readonly ok: boolean
}

/** Whose text a result holds: null for what the engine itself says or computed. Pure. */
export function sourceOfResult({ name, summary, effects, own, ok }: EndedCall): Source | null {
  const isOfProject = effects.every((effect) => local.has(effect))
  if (own === null) return null
  if (own !== undefined) return sourceOf(own.kind, own.name, own.isOfProject ?? (isOfProject && ofFolder.has(own.kind)))
  const isOnlyComputed = effects.every((effect) => effect === 'Compute')
  if (isOnlyComputed) return null
  if (!ok) return sourceOf('error', name, isOfProject)
  if (!isOfProject) return sourceOf('api', summary === '' ? name : `${name} ${summary}`)
  // What only writes tells of its own arguments.
  if (!effects.includes('ReadLocal')) return null
  return sourceOf('file', summary === '' ? name : summary, true)
}

const local: ReadonlySet<EffectType> = new Set(['ReadLocal', 'WriteLocal', 'Compute'])
const ofFolder: ReadonlySet<SourceKind> = new Set(['file', 'shell', 'error'])
