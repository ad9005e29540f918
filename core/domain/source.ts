import { limits } from './limits.ts'
import { boundText } from './text.ts'

/** What kind of place a text came from that no person of this computer wrote for the agent. */
export const sourceKinds = ['web', 'file', 'api', 'memory', 'skill', 'shell', 'child', 'error'] as const
export type SourceKind = (typeof sourceKinds)[number]

/** Where a text came from. `name`: a host, a path, a title; safe to show, at most `limits.sourceCharacters`. */
export interface Source {
  readonly kind: SourceKind
  readonly name: string
  /** It can only be what lies in the project's folder: whoever trusts the folder trusts that for edits there. */
  readonly isOfProject?: boolean
}

export function sourceOf(kind: SourceKind, name: string, isOfProject = false): Source {
  const safe = boundText(name.replace(/\s+/g, ' ').trim(), limits.sourceCharacters)
  return { kind, name: safe, ...(isOfProject && { isOfProject }) }
}

/** Once each, in the order in which they were read; of so many that not all are kept, those of the project go first. */
export function withSources(known: readonly Source[], more: readonly Source[]): readonly Source[] {
  const fresh = more.filter((source) => !known.some((each) => isSame(each, source)))
  if (fresh.length === 0) return known
  const all = [...known, ...fresh]
  if (all.length <= limits.threadSources) return all
  const foreign = all.filter(({ isOfProject }) => isOfProject !== true).slice(0, limits.threadSources)
  const own = all.filter(({ isOfProject }) => isOfProject).slice(0, limits.threadSources - foreign.length)
  return [...own, ...foreign]
}

function isSame(a: Source, b: Source): boolean {
  return a.kind === b.kind && a.name === b.name && a.isOfProject === b.isOfProject
}

/** `notes.md, example.com and 3 more`. */
export function sourcesText(sources: readonly Source[]): string {
  const shown = sources.slice(0, 3).map(sourceText)
  const rest = sources.length - shown.length
  if (rest > 0) return `${shown.join(', ')} and ${rest} more`
  return [shown.slice(0, -1).join(', '), ...shown.slice(-1)].filter((part) => part !== '').join(' and ')
}

/** As a person reads it: `notes.md`, `the note “Flights”`. */
function sourceText({ kind, name }: Source): string {
  switch (kind) {
    case 'web':
    case 'file':
      return name
    case 'api':
      return `an answer of ${name}`
    case 'memory':
      return `the note “${name}”`
    case 'skill':
      return `the skill “${name}”`
    case 'shell':
      return `the output of ${name}`
    case 'child':
      return `the answer of ${name}`
    case 'error':
      return `an error of ${name}`
  }
}
