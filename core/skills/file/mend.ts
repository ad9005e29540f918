import type { Diagnostic } from './diagnostic.ts'
import { decoded, type FixAsked, fixes, withoutHidden } from './mend-fixes.ts'
import { parseSkill, type SkillVerdict } from './parse.ts'

/** What one click would write in the place of a file, and what that changes, in words. */
export interface Mend {
  readonly title: string
  /** The file as it reads now, to be shown beside it. */
  readonly before: string
  readonly text: string
}

/**
 * A change of a SKILL.md that needs no guess: every flaw that can be taken away without a person is gone, none came, and the
 * skill is otherwise what it was. Null where there is none, or where the file still could not be used. Writes nothing.
 */
export function mendOf(bytes: Uint8Array, folder: string): Mend | null {
  let draft: Draft = { bytes, verdict: parseSkill(bytes, folder), titles: [] }
  for (let round = 0; round < mostRounds; round += 1) {
    const next = mendedOnce(draft, folder)
    if (next === null) break
    draft = next
  }
  if (draft.titles.length === 0 || draft.verdict.outcome === 'reject') return null
  const read = (some: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(some)
  return { title: sentence(draft.titles), before: read(bytes), text: read(draft.bytes) }
}
/** More flaws than there are kinds of them cannot be taken away. */
const mostRounds = 12

interface Draft {
  readonly bytes: Uint8Array
  readonly verdict: SkillVerdict
  readonly titles: readonly string[]
}

/** With one flaw less, or null. */
function mendedOnce(draft: Draft, folder: string): Draft | null {
  const asked: FixAsked = { bytes: draft.bytes, text: decoded(draft.bytes, 'utf-8') ?? '', folder }
  for (const { code } of draft.verdict.diagnostics) {
    const fix = fixes[code]?.(asked) ?? null
    if (fix === null) continue
    const bytes = new TextEncoder().encode(fix.text)
    const verdict = parseSkill(bytes, folder)
    if (isBetter(code, draft.verdict, verdict)) return { bytes, verdict, titles: [...draft.titles, fix.title] }
  }
  return null
}

/** The flaw is gone. Of a file that was refused nobody knows what else it has; one that could be used has nothing new. */
function isBetter(code: Diagnostic['code'], before: SkillVerdict, after: SkillVerdict): boolean {
  const left = after.diagnostics.map((each) => each.code)
  if (left.includes(code)) return false
  if (before.outcome === 'reject') return true
  const known = before.diagnostics.map((each) => each.code)
  return after.outcome !== 'reject' && left.every((each) => known.includes(each)) && isSame(before, after)
}

type Usable = Exclude<SkillVerdict, { readonly outcome: 'reject' }>

/** Whatever was mended: nothing but the name may differ from what a reader saw, and no key may become another one. */
function isSame({ skill: before }: Usable, { skill: after }: Usable): boolean {
  const visible = (_key: string, value: unknown) => (typeof value === 'string' ? withoutHidden(value) : value)
  const seen = ({ description, body, fields }: Usable['skill']) => JSON.stringify([description, body, fields], visible)
  return seen(before) === seen(after)
}

/** `Save it as UTF-8 and put the description into quotes`. */
function sentence(titles: readonly string[]): string {
  const all = [...new Set(titles)]
  const text = [all.slice(0, -1).join(', '), ...all.slice(-1)].filter((part) => part !== '').join(' and ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
