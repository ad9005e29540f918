import type { RE2JS } from 're2js'
import type { z } from 'zod'
import { limits } from '../../domain/limits.ts'
import { sanitizeText } from '../../domain/text.ts'
import { isCredentialHost, isOnHosts } from './credential-host.ts'
import { type Diagnostic, Rejection, type SkillError, type SkillWarning } from './diagnostic.ts'
import { type Fields, frontMatterOf } from './front-matter.ts'
import { compilePattern } from './pattern.ts'
import {
  type activationSchema,
  type credentialSchema,
  type SkillFields,
  skillFieldsSchema,
  type snippetSchema,
} from './schema.ts'
import { type SkillParts, sourceOf } from './source.ts'

export type SkillActivation = z.infer<typeof activationSchema>
export type SkillCredential = z.infer<typeof credentialSchema>
export type SkillSnippet = z.infer<typeof snippetSchema>

/** A SKILL.md that can be used. */
export interface SkillFile {
  readonly name: string
  readonly description: string
  /** As the file says it: text of its author. Ours counts its own. */
  readonly declaredVersion: string
  readonly body: string
  readonly activation: SkillActivation
  readonly patterns: readonly RE2JS[]
  readonly credentials: readonly SkillCredential[]
  readonly snippets: readonly SkillSnippet[]
  /** Hosts that it reads without a credential. */
  readonly hosts: readonly string[]
  readonly isOnlyByName: boolean
  readonly fields: SkillFields
}

export type SkillVerdict =
  | { readonly outcome: 'ok' | 'warn'; readonly skill: SkillFile; readonly diagnostics: readonly Diagnostic[] }
  | { readonly outcome: 'reject'; readonly diagnostics: readonly Diagnostic[] }

/**
 * Reads one SKILL.md: leniently where a skill still works, with a diagnostic for each thing that is not as it should be.
 * Never throws, runs nothing of it. `folder` is the name of the folder that it lies in. Source: RULES 15, reliability 13.
 */
export function parseSkill(bytes: Uint8Array, folder: string): SkillVerdict {
  try {
    const source = sourceOf(bytes)
    const { fields, warnings } = frontMatterOf(source)
    const found: Found = { source, fields, folder, diagnostics: [...source.warnings, ...warnings] }
    const skill = skillOf(found)
    const { diagnostics } = found
    return { outcome: diagnostics.length === 0 ? 'ok' : 'warn', skill, diagnostics }
  } catch (error) {
    if (!(error instanceof Rejection)) throw error
    return { outcome: 'reject', diagnostics: [error.diagnostic] }
  }
}

interface Found {
  readonly source: SkillParts
  readonly fields: Fields
  readonly folder: string
  readonly diagnostics: Diagnostic[]
}

function skillOf(found: Found): SkillFile {
  const name = nameOf(found)
  const description = descriptionOf(found)
  const fields = typed(found)
  const extras = fields.metadata?.threadsmith
  const activation = extras?.activation ?? fields.activation ?? noActivation
  withinLimits(found, activation)
  const patterns = patternsOf(found, activation)
  const snippets = extras?.snippets ?? fields.snippets ?? []
  checkParameters(found, snippets)
  const credentials = extras?.credentials ?? fields.credentials ?? []
  const hosts = extras?.hosts ?? []
  checkHosts(found, [...credentials.flatMap((each) => each.hosts), ...hosts])
  checkTestUrls(found, credentials)
  warnOfName(found, name)
  warnOfText(found, description)
  return {
    ...{ name, description, activation, patterns, credentials, hosts, fields },
    declaredVersion: extras?.version ?? fields.version ?? '0.0.0',
    body: found.source.body,
    snippets,
    isOnlyByName: extras?.['disable-model-invocation'] ?? fields['disable-model-invocation'] ?? false,
  }
}

const noActivation: SkillActivation = { keywords: [], exclude_keywords: [], patterns: [], tags: [] }

function reject({ source }: Found, code: SkillError, key: string, message: string): Rejection {
  return new Rejection(code, lineOf(source, key), message)
}

function warn({ source, diagnostics }: Found, code: SkillWarning, key: string | null, message: string): void {
  diagnostics.push({ code, line: key === null ? source.bodyLine : lineOf(source, key), message })
}

/** Where a top-level key stands; the first line of the header where it does not. */
function lineOf({ header, headerLine }: SkillParts, key: string): number {
  const at = header.split('\n').findIndex((line) => line.startsWith(`${key}:`))
  return headerLine + Math.max(at, 0)
}

function nameOf(found: Found): string {
  const { name } = found.fields
  if (name === undefined || name === '') throw reject(found, 'E_NAME_MISSING', 'name', 'There is no name.')
  if (typeof name !== 'string') throw reject(found, 'E_NAME_TYPE', 'name', 'The name must be a text.')
  // It becomes part of a path and of a tag in the prompt.
  const isUsable = name.trim() === name && !/[/\\<>"'&\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|^\.|\.\./u.test(name)
  if (!isUsable || [...name].length > longestName) {
    throw reject(found, 'E_NAME_INVALID', 'name', 'The name must be letters, digits and hyphens, at most 64 of them.')
  }
  return name
}
const longestName = 200

function descriptionOf(found: Found): string {
  const { description } = found.fields
  if (description === undefined) throw reject(found, 'E_DESC_MISSING', 'description', 'There is no description.')
  if (typeof description !== 'string')
    throw reject(found, 'E_DESC_TYPE', 'description', 'The description must be a text.')
  if (description.trim() === '') throw reject(found, 'E_DESC_MISSING', 'description', 'The description is empty.')
  return description
}

function typed(found: Found): SkillFields {
  const { name: _, description: __, ...rest } = found.fields
  const parsed = skillFieldsSchema.safeParse(rest)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const path = issue?.path.map(String) ?? []
  throw reject(found, 'E_TYPE', path[0] ?? '', `${path.join('.')}: ${issue?.message ?? 'is of another type'}.`)
}

function withinLimits(found: Found, { keywords, exclude_keywords, patterns, tags }: SkillActivation): void {
  const lists = { keywords, exclude_keywords, tags }
  for (const [name, list] of Object.entries(lists)) {
    if (list.length > limits.skillKeywords) {
      throw reject(
        found,
        'E_LIMIT',
        'activation',
        `${name} has ${list.length} entries; at most ${limits.skillKeywords}.`,
      )
    }
  }
  if (patterns.length > limits.skillPatterns) {
    throw reject(
      found,
      'E_LIMIT',
      'activation',
      `There are ${patterns.length} patterns; at most ${limits.skillPatterns}.`,
    )
  }
  if (patterns.some((pattern) => pattern.length > limits.skillPatternCharacters)) {
    const message = `A pattern is longer than ${limits.skillPatternCharacters} characters.`
    throw reject(found, 'E_LIMIT', 'activation', message)
  }
}

function patternsOf(found: Found, { patterns }: SkillActivation): readonly RE2JS[] {
  return patterns.map((text) => {
    const compiled = compilePattern(text)
    if (typeof compiled !== 'string') return compiled
    const what = compiled === 'E_PATTERN_INVALID' ? 'does not compile' : 'uses back-references or look-around'
    throw reject(found, compiled, 'activation', `The pattern ${text} ${what}. Patterns are RE2’s.`)
  })
}

function checkParameters(found: Found, snippets: readonly SkillSnippet[]): void {
  const patterns = snippets.flatMap(({ parameters }) => parameters.flatMap(({ pattern }) => pattern ?? []))
  patternsOf(found, { ...noActivation, patterns })
}

function checkHosts(found: Found, hosts: readonly string[]): void {
  const wrong = hosts.find((host) => !isCredentialHost(host))
  if (wrong === undefined) return
  const message = `${wrong} is not the whole name of one host. A credential goes to exact hosts only, such as api.example.com.`
  throw reject(found, 'E_CRED_HOST', 'credentials', message)
}

/** The test of a credential sends it: so it may go nowhere else than the credential itself. */
function checkTestUrls(found: Found, credentials: readonly SkillCredential[]): void {
  const wrong = credentials.find(({ test_url, hosts }) => test_url !== undefined && !isOnHosts(test_url, hosts))
  if (wrong === undefined) return
  const message = `The test_url of ${wrong.name} must be https on one of its hosts: ${wrong.hosts.join(', ')}.`
  throw reject(found, 'E_CRED_HOST', 'credentials', message)
}

function warnOfName(found: Found, name: string): void {
  const plain = name.normalize('NFKC')
  const isInStyle =
    /^[\p{Ll}\p{Lo}\p{Lm}\p{N}]+(?:-[\p{Ll}\p{Lo}\p{Lm}\p{N}]+)*$/u.test(plain) && [...plain].length <= 64
  if (!isInStyle) {
    warn(found, 'W_NAME_STYLE', 'name', 'A name is lower-case letters and digits with single hyphens, at most 64.')
  }
  if (plain !== found.folder.normalize('NFKC')) {
    warn(found, 'W_NAME_MISMATCH', 'name', `The name is ${name}, the folder ${found.folder}. They should be the same.`)
  }
}

function warnOfText(found: Found, description: string): void {
  const { source } = found
  if ([...description].length > limits.skillDescriptionCharacters) {
    const message = `The description has more than ${limits.skillDescriptionCharacters} characters; the catalogue shows its beginning.`
    warn(found, 'W_DESC_LONG', 'description', message)
  }
  if (source.body.length > longestBody) {
    warn(found, 'W_BODY_LARGE', null, 'The text is longer than about 5,000 tokens: it takes much of a model’s window.')
  }
  if (/<\s*\/?\s*skill\b/i.test(source.body) || /<\s*\/?\s*skill\b/i.test(description)) {
    warn(found, 'W_MARKUP', null, 'The text holds a skill tag. It is shown to the model as text, not as a tag.')
  }
  if (hasHidden(description) || hasHidden(source.header)) {
    const message = 'There are hidden characters in the front matter. They are shown as codes.'
    warn(found, 'W_HIDDEN_CHARS', 'description', message)
  } else if (hasHidden(source.body)) {
    warn(found, 'W_HIDDEN_CHARS', null, 'There are hidden characters in the text. They are shown as codes.')
  }
}
const longestBody = 20_000

function hasHidden(text: string): boolean {
  return sanitizeText(text) !== text.toWellFormed()
}
