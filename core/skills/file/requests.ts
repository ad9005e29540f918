import type { SkillFile } from './parse.ts'

/**
 * Actions that a skill asks for, each once: of `allowed-tools`, which is words or a list, and of its own `tools`. Shown, never a
 * grant (RULES 15). What stands in brackets belongs to its word: `Bash(git add *)`.
 */
export function requestedActions({ fields }: Pick<SkillFile, 'fields'>): readonly string[] {
  const asked = [...(fields['allowed-tools'] ?? []), ...(fields.metadata?.threadsmith?.tools ?? [])]
  return [...new Set(asked.flatMap((text) => text.match(/(?:\([^)]*\)?|[^\s,(])+/g) ?? []))]
}
