import type { Json } from '../domain/json.ts'

/**
 * The texts of skills that code loaded, '' for none: its output shows the beginning of each only, so the next prompt is told the
 * whole. Whatever else the calls answered ("active already") is no text of a skill.
 */
export function loadedSkills(
  calls: readonly { readonly name: string; readonly ok: boolean; readonly result: Json }[],
): string {
  const blocks = calls.flatMap(({ name, ok, result }) =>
    ok && name === 'load_skill' && typeof result === 'string' && result.startsWith('<skill name="') ? [result] : [],
  )
  return blocks.join('\n\n')
}

/** The head of a block is the engine's own: no text of a skill can write one. */
export function isAnyInstalled(blocks: string): boolean {
  return /^<skill [^>\n]*trust="installed">$/m.test(blocks)
}
