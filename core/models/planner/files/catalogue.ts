import type { Plan } from '../plan.ts'
import { type FileEntry, type Listing, listFiles } from '../results.ts'

/** Everything in the project folder, as one listing. */
export interface Catalogue {
  readonly listing: Listing
  readonly files: readonly FileEntry[]
  readonly folders: readonly FileEntry[]
}

/** Lists the whole project. Two plans that ask for it share one result on record. */
export function* loadCatalogue(): Plan<Catalogue> {
  const listing = yield* listFiles.one({ path: '.', recursive: true, limit: 1000 })
  return {
    listing,
    files: listing.entries.filter((e) => e.kind === 'file'),
    folders: listing.entries.filter((e) => e.kind === 'folder'),
  }
}

export function extensionOf(path: string): string {
  return /\.[^./]+$/.exec(path.toLowerCase())?.[0] ?? ''
}

export function baseName(path: string): string {
  return path.replace(/\/$/, '').split('/').at(-1) ?? path
}

/** The name without its last extension. */
export function stemOf(path: string): string {
  return baseName(path).replace(/(?<=.)\.[^.]+$/, '')
}

export const isTableFile = (path: string): boolean => /\.(csv|tsv|json|jsonl|ndjson)$/i.test(path)
