import { limits } from '../domain/limits.ts'
import { sanitizeText, tokensOfLength } from '../domain/text.ts'
import type { LoadedSkill } from './library.ts'

/**
 * All skills that may be chosen, one line each, within its budget of tokens: whole descriptions where they fit, else their
 * beginnings, else names only, and at last how many more there are. '' for none. The same skills give the same bytes.
 */
export function catalogueOf(skills: readonly LoadedSkill[]): string {
  const shown = skills.filter(({ isOnlyByName }) => !isOnlyByName).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  if (shown.length === 0) return ''
  for (const most of shown.length <= mostLines ? lengths : []) {
    const text = [head, ...shown.map((skill) => lineOf(skill, most))].join('\n')
    if (fits(text)) return text
  }
  return namesOf(shown)
}

/** As many as fit, and how many more there are. */
function namesOf(shown: readonly LoadedSkill[]): string {
  let best = ''
  let names = ''
  for (const [at, { name }] of shown.entries()) {
    names += `${at === 0 ? '' : ','} ${name}`
    const rest = shown.length - at - 1
    const text = `${head}${names}${rest > 0 ? `, … and ${rest} more` : ''}`
    if (!fits(text)) break
    best = text
  }
  return best
}

const head =
  'Skills. Those that fit are given to you; load_skill reads any other, skill_search finds more; the user names one as /name:'
/** More have no room for a description each. */
const mostLines = 20
/** Of a description, in characters. */
const lengths = [250, 160, 120, 90, 60]

function fits(text: string): boolean {
  return tokensOfLength(text.length) <= limits.catalogueTokens
}

function lineOf({ name, description }: LoadedSkill, most: number): string {
  const flat = sanitizeText(description).replace(/[<>]/g, '').replace(/\s+/g, ' ').trim()
  const cut =
    flat.length <= most
      ? flat
      : `${flat
          .slice(0, most - 1)
          .toWellFormed()
          .trimEnd()}…`
  return `- ${name}: ${cut}`
}
