import { AppError } from '../../domain/error.ts'
import type { SkillResource } from '../../domain/skill.ts'
import { lineOfFetchAndRun } from '../file/orders.ts'
import { readResource } from '../sources/resources.ts'

/** The first place of a skill, in its text or a file in its folder, that tells to fetch a program and to run it at once. */
export async function firstOrder(
  resources: (folder: string) => readonly SkillResource[],
  content: string,
  folder: string | null,
): Promise<{ readonly path: string; readonly line: number } | null> {
  const line = lineOfFetchAndRun(content)
  if (line !== null) return { path: 'SKILL.md', line }
  if (folder === null) return null
  for (const { path } of resources(folder)) {
    const text = await textOf(folder, path)
    const at = text === null ? null : lineOfFetchAndRun(text)
    if (at !== null) return { path, line: at }
  }
  return null
}

/** Null for what is no text, or is too long to be read: nobody is told of it as of a text either. */
async function textOf(folder: string, path: string): Promise<string | null> {
  try {
    return (await readResource(folder, path)).text
  } catch (error) {
    if (error instanceof AppError && error.code === 'skill.resource') return null
    throw error
  }
}
