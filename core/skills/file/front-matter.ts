import matter from 'gray-matter'
import { FAILSAFE_SCHEMA, load, YAMLException } from 'js-yaml'
import { z } from 'zod'
import { type Diagnostic, Rejection, type SkillError } from './diagnostic.ts'
import type { SkillParts } from './source.ts'

export type Fields = Readonly<Record<string, unknown>>

/**
 * The front matter as text, lists and maps: a number, a date or `no` stays what was written (RULES 15). Nothing of the file
 * can run: gray-matter's own YAML and its JavaScript engine are never used.
 * @throws Rejection E_YAML_*, E_FM_NOT_MAP, E_KEY_FORBIDDEN
 */
export function frontMatterOf(source: SkillParts): {
  readonly fields: Fields
  readonly warnings: readonly Diagnostic[]
} {
  try {
    return { fields: fieldsOf(source, source.header), warnings: [] }
  } catch (error) {
    const mended = withQuotedDescription(source.header)
    if (mended === null || !(error instanceof Rejection) || error.diagnostic.code !== 'E_YAML_SYNTAX') throw error
    const message =
      'The description holds characters that YAML reads otherwise, so it was read as one line of text. Put it into quotes.'
    const warning: Diagnostic = { code: 'W_YAML_COLON', line: source.headerLine + mended.at, message }
    return { fields: fieldsAfterMending(source, mended.header, error), warnings: [warning] }
  }
}

/** What still does not parse was wrong for another reason: that one is told. */
function fieldsAfterMending(source: SkillParts, header: string, first: Rejection): Fields {
  try {
    return fieldsOf(source, header)
  } catch (error) {
    if (error instanceof Rejection && error.diagnostic.code !== 'E_YAML_SYNTAX') throw error
    throw first
  }
}

function fieldsOf({ headerLine }: SkillParts, header: string): Fields {
  const lines = header.split('\n')
  // gray-matter takes any such line for the end of the header, YAML for that of a document.
  const marker = lines.findIndex((line) => /^(?:---|\.\.\.)/.test(line))
  if (marker >= 0) {
    throw new Rejection('E_YAML_SYNTAX', headerLine + marker, 'A line of the front matter begins a second document.')
  }
  let value: unknown = {}
  const yaml = {
    parse(text: string): object {
      value = parsedYaml(text, headerLine)
      return {}
    },
  }
  matter(`---\n${header}\n---\n`, { language: 'yaml', engines: { yaml, ...refusedEngines } })
  // Before zod sees it: a schema would drop `__proto__` without a word.
  refuseForbiddenKeys(value, headerLine)
  const map = z.record(z.string(), z.unknown()).safeParse(value)
  if (!map.success) throw new Rejection('E_FM_NOT_MAP', headerLine, 'The front matter must be keys with their values.')
  return map.data
}

const refuse = () => {
  throw new Rejection('E_FM_ENGINE', 1, 'Only YAML is read.')
}
const refusedEngines = {
  javascript: { parse: refuse },
  js: { parse: refuse },
  json: { parse: refuse },
}

const deepest = 20

/** `text` begins with the line break after the fence, as gray-matter cuts it. */
function parsedYaml(text: string, headerLine: number): unknown {
  try {
    return load(text, { schema: FAILSAFE_SCHEMA, maxAliases: 0, maxDepth: deepest })
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    const line = headerLine - 1 + (error.mark?.line ?? 0)
    throw new Rejection(yamlCode(error.reason), line, `The front matter is no YAML: ${error.reason}.`)
  }
}

function yamlCode(reason: string): SkillError {
  if (/maxAliases|alias/.test(reason)) return 'E_YAML_ALIAS'
  if (/maxDepth/.test(reason)) return 'E_YAML_DEPTH'
  if (/duplicated mapping key/.test(reason)) return 'E_YAML_DUPKEY'
  return /\btag\b/.test(reason) ? 'E_YAML_TAG' : 'E_YAML_SYNTAX'
}

const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

function refuseForbiddenKeys(value: unknown, headerLine: number): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (forbiddenKeys.has(key)) throw new Rejection('E_KEY_FORBIDDEN', headerLine, `The key ${key} is not allowed.`)
    refuseForbiddenKeys(inner, headerLine)
  }
}

/**
 * A header whose one-line description stands without quotes, which a colon or a bracket may have broken: the same with them, and
 * the line that it is. Null where there is none such.
 */
export function withQuotedDescription(header: string): { readonly header: string; readonly at: number } | null {
  const lines = header.split('\n')
  const at = lines.findIndex((line) => /^description:[ \t]+[^\s"'|>]/.test(line))
  // A value that goes on in the next line is not one line of text.
  if (at < 0 || /^[ \t]+\S/.test(lines[at + 1] ?? '')) return null
  const value = (lines[at] ?? '').slice('description:'.length).trim()
  return { header: lines.with(at, `description: ${JSON.stringify(value)}`).join('\n'), at }
}
