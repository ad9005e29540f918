import { type Diagnostic, Rejection } from './diagnostic.ts'
import { type Fields, frontMatterOf } from './front-matter.ts'
import { type SkillParts, sourceOf } from './source.ts'

/** A file of text with front matter, taken apart as a SKILL.md is: the same size, encoding, fences and YAML (RULES 15). */
export type HeaderVerdict =
  | { readonly ok: true; readonly fields: Fields; readonly source: SkillParts }
  | { readonly ok: false; readonly diagnostic: Diagnostic }

/** Never throws, runs nothing of it. What a SKILL.md is only warned of is refused: nothing is mended here. */
export function readHeader(bytes: Uint8Array): HeaderVerdict {
  try {
    const source = sourceOf(bytes)
    const { fields, warnings } = frontMatterOf(source)
    const [warning] = warnings
    return warning === undefined ? { ok: true, fields, source } : { ok: false, diagnostic: warning }
  } catch (error) {
    if (!(error instanceof Rejection)) throw error
    return { ok: false, diagnostic: error.diagnostic }
  }
}
