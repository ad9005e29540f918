import { z } from 'zod'
import type { Json } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import type { SkillResource } from '../../domain/skill.ts'
import { type Action, defineAction } from '../action.ts'
import { createAllowance, resultCharacters, takeFitting } from './allowance.ts'
import { pathText, summaryText, wholeNumber } from './parameters.ts'
import { refusal } from './refusal.ts'

// Few words: it is told in every prompt.
const parameters = z.strictObject({
  name: z.string(),
  path: pathText.optional().describe('Without it: the list of its files.'),
  start: wholeNumber(0, limits.skillResourceBytes).default(0).describe('At which character. Default 0.'),
})
type Parameters = z.output<typeof parameters>

/** Given at wiring: which skills there are is not known here. */
export interface SkillReadParts {
  /** The folder of a skill that the thread works with or may load; null where there is none, or it has none of its own. */
  folderOf(threadId: string, name: string): string | null
  list(folder: string): readonly SkillResource[]
  /** @throws AppError skill.resource */
  read(folder: string, path: string): Promise<{ readonly path: string; readonly bytes: number; readonly text: string }>
}

/** What lies beside a SKILL.md, on demand: `scripts/`, `references/` and `assets/` are read and never run. Source: RULES 38. */
export function createSkillReadAction({ folderOf, list, read }: SkillReadParts): Action<typeof parameters> {
  return defineAction({
    name: 'skill_read',
    description: 'Reads a text file beside a skill: its references, assets and scripts, which are never run.',
    parameters,
    effects: ['ReadLocal'],
    isIdempotent: true,
    source: ({ name }) => ({ kind: 'skill', name }),
    summarize: ({ name, path }) => summaryText(path === undefined ? name : `${name}: ${path}`),
    run: async ({ name, path, start }, { threadId }) => {
      const folder = folderOf(threadId, name)
      if (folder === null) {
        throw refusal(
          'skill.resource',
          `There are no files beside a skill "${name}": it has none, or there is no such skill here that you can load.`,
        )
      }
      return path === undefined ? listed(name, list(folder)) : part(await read(folder, path), start)
    },
  })
}

function listed(name: string, resources: readonly SkillResource[]): Json {
  const shown = takeFitting(
    resources.map(({ path, bytes, kind }) => ({ path, bytes, kind })),
    createAllowance(),
  )
  const isWhole = shown.length === resources.length && resources.length < limits.skillResources
  return { name, files: shown, complete: isWhole }
}

function part({ path, bytes, text }: { path: string; bytes: number; text: string }, start: Parameters['start']): Json {
  if (start > 0 && start >= text.length) {
    throw refusal('action.args', `"${path}" has ${text.length} characters: start must be less.`)
  }
  const shown = fitting(text.slice(start))
  const end = start + shown.length
  const isWhole = start === 0 && end === text.length
  return { path, bytes, text: shown, complete: isWhole, next: end < text.length ? end : null }
}

function fitting(text: string): string {
  let shown = text.slice(0, limits.actionResultCharacters)
  while (resultCharacters(shown) > limits.actionResultCharacters - 4_000) {
    shown = shown.slice(0, Math.floor(shown.length * 0.9))
  }
  return shown.replace(/[\ud800-\udbff]$/, '')
}
