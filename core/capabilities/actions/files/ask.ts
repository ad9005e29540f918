import type { Review } from '../../action.ts'
import { protectedPart } from '../../protected-names.ts'

/** Writing asks a person. `scope` is what a standing approval covers; for protected names there is none. */
export function askToWrite(scope: string, does: string, paths: readonly string[]): Review {
  const part = paths.map(protectedPart).find((each) => each !== undefined)
  if (part === undefined) return { verdict: 'ask', reason: does, scopeKey: scope }
  return {
    verdict: 'ask',
    reason: `${does} "${part}" is obeyed by other programs or holds keys, so each change of it is asked anew.`,
    scopeKey: null,
  }
}

/** Calls on one file by the same spelling, or by another case of it, run in order. */
export function fileResource(given: string): string {
  const segments: string[] = []
  for (const segment of given.normalize('NFC').toLowerCase().split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '.' && segment !== '') segments.push(segment)
  }
  return `file:${segments.join('/')}`
}

/** How people ask for a file to be written or changed. */
export const writingVerbs: readonly string[] = [
  ...[
    'write',
    'create',
    'make',
    'save',
    'put',
    'add',
    'append',
    'insert',
    'store',
    'generate',
    'produce',
    'export',
    'draft',
  ],
  ...[
    'edit',
    'change',
    'update',
    'fix',
    'correct',
    'replace',
    'patch',
    'rewrite',
    'rename',
    'translate',
    'convert',
    'copy',
  ],
]
