import { limits } from '../domain/limits.ts'
import { sanitizeText, tokensOfLength } from '../domain/text.ts'
import type { LoadedSkill } from './library.ts'

/**
 * All skills that may be chosen, one line each, within its budget of tokens: whole descriptions where they fit, else their
 * beginnings, else names only, and at last how many more there are. '' for none. The same skills give the same bytes.
 */
export function catalogueOf(skills: readonly LoadedSkill[]): string {
  const shown = skills.filter(({ isOnlyByName }) => !isOnlyByName)
  return catalogueWithin(limits.catalogueTokens, head, shown)
}

/** The same of skills that a host brought, by the name of their library. */
export function hostedCatalogue(
  library: string,
  entries: readonly { readonly name: string; readonly version: number; readonly description: string }[],
): string {
  const headOf = `# Available skills: ${cutTo(60, library)}\nCall load_skill with a name to read the whole of one:`
  const shown = entries.map(({ name, version, description }) => ({ name, label: `${name} (v${version})`, description }))
  return catalogueWithin(limits.hostedCatalogueTokens, headOf, shown)
}

interface CatalogueEntry {
  readonly name: string
  /** In the place of the name where there is room for a line. */
  readonly label?: string
  readonly description: string
}

function catalogueWithin(mostTokens: number, head: string, entries: readonly CatalogueEntry[]): string {
  const shown = entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  if (shown.length === 0) return ''
  const fits = (text: string) => tokensOfLength(text.length) <= mostTokens
  for (const most of shown.length * tokensOfLine <= mostTokens ? lengths : []) {
    const text = [head, ...shown.map((entry) => lineOf(entry, most))].join('\n')
    if (fits(text)) return text
  }
  return namesOf(shown, head, fits)
}

/** As many as fit, and how many more there are. */
function namesOf(shown: readonly CatalogueEntry[], head: string, fits: (text: string) => boolean): string {
  let best = ''
  let names = ''
  for (const [at, { name }] of shown.entries()) {
    names += `${at === 0 ? '' : ','} ${oneLine(name)}`
    const rest = shown.length - at - 1
    const text = `${head}${names}${rest > 0 ? `, … and ${rest} more` : ''}`
    if (!fits(text)) break
    best = text
  }
  return best
}

const head =
  'Skills. Those that fit are given to you; load_skill reads any other, skill_search finds more; the user names one as /name:'
/** With less there is no room for a description. */
const tokensOfLine = 10
/** Of a description, in characters. */
const lengths = [250, 160, 120, 90, 60]

function lineOf({ name, label = name, description }: CatalogueEntry, most: number): string {
  return `- ${oneLine(label)}: ${cutTo(most, description)}`
}

function cutTo(most: number, text: string): string {
  const flat = oneLine(text)
  if (flat.length <= most) return flat
  const beginning = flat.slice(0, most - 1).toWellFormed()
  return `${beginning.trimEnd()}…`
}

/** Opens no mark. */
function oneLine(text: string): string {
  return sanitizeText(text).replace(/[<>]/g, '').replace(/\s+/g, ' ').trim()
}
