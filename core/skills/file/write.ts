import { frontMatterOf } from './front-matter.ts'
import { sourceOf } from './source.ts'
import { type YamlMap, type YamlValue, yamlText } from './yaml-text.ts'

/** What a new SKILL.md is made of. Empty lists and what is absent do not stand in it. */
export interface SkillFileParts {
  readonly name: string
  readonly description: string
  readonly body: string
  readonly license?: string | undefined
  readonly compatibility?: string | undefined
  /** Actions that it asks for: shown, never a grant. */
  readonly allowedTools?: readonly string[] | undefined
  readonly keywords?: readonly string[] | undefined
  readonly excludeKeywords?: readonly string[] | undefined
  readonly patterns?: readonly string[] | undefined
  readonly minSigns?: number | undefined
  readonly tags?: readonly string[] | undefined
  readonly snippets?: readonly SnippetParts[] | undefined
  readonly tools?: readonly string[] | undefined
  readonly tier?: 'minuet' | 'allegro' | 'forte' | undefined
  readonly maxTurns?: number | undefined
  readonly version?: string | undefined
  readonly isOnlyByName?: boolean | undefined
}
export interface SnippetParts {
  readonly name: string
  readonly description?: string | undefined
  readonly parameters?: readonly ParameterParts[] | undefined
  readonly isComplete?: boolean | undefined
  readonly code: string
}

export interface ParameterParts {
  readonly name: string
  readonly pattern?: string | undefined
  readonly examples: readonly string[]
}

/**
 * A SKILL.md by the letter of agentskills.io: nothing but its keys at the top, everything of ours below `metadata.threadsmith`.
 * `parseSkill` reads the same parts back. It judges nothing: a description that is too long stays so.
 */
export function writeSkillFile(parts: SkillFileParts): string {
  const { name, description, body, license, compatibility } = parts
  return fileText(
    {
      ...{ name, description },
      ...kept({ license, compatibility }),
      ...kept({ 'allowed-tools': (parts.allowedTools ?? []).join(' ') || undefined }),
      ...ownMetadata(parts),
    },
    body,
  )
}

function ownMetadata(parts: SkillFileParts): YamlMap {
  const { keywords = [], excludeKeywords = [], patterns = [], tags = [], snippets = [], tools = [] } = parts
  const activation = {
    ...filled({ keywords, exclude_keywords: excludeKeywords, patterns, tags }),
    ...kept({ min_signs: parts.minSigns?.toString() }),
  }
  const own = {
    ...kept({ version: parts.version, tier: parts.tier, maxTurns: parts.maxTurns?.toString() }),
    ...kept({ 'disable-model-invocation': parts.isOnlyByName ? 'true' : undefined }),
    ...filled({ tools }),
    ...(Object.keys(activation).length > 0 && { activation }),
    ...(snippets.length > 0 && { snippets: snippets.map(snippetOf) }),
  }
  return Object.keys(own).length === 0 ? {} : { metadata: { threadsmith: own } }
}

function snippetOf({ name, description, parameters = [], isComplete, code }: SnippetParts): YamlMap {
  return {
    ...{ name, ...kept({ description: description || undefined, complete: isComplete ? 'true' : undefined }) },
    ...(parameters.length > 0 && { parameters: parameters.map(parameterOf) }),
    code,
  }
}

function parameterOf({ name, pattern, examples }: ParameterParts): YamlMap {
  return { name, ...kept({ pattern }), ...filled({ examples }) }
}

function kept(texts: Readonly<Record<string, string | undefined>>): YamlMap {
  return Object.fromEntries(Object.entries(texts).flatMap(([key, text]) => (text === undefined ? [] : [[key, text]])))
}

function filled(lists: Readonly<Record<string, readonly string[]>>): YamlMap {
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0))
}

function fileText(header: YamlMap, body: string): string {
  // What a text file cannot hold, or a reader would change.
  const text = body.toWellFormed().replaceAll('\0', '').replace(/\r\n?/g, '\n')
  return `---\n${yamlText(header)}---\n${text}`
}

const specified: ReadonlySet<string> = new Set([
  ...['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools'],
])
/** Keys that stand at the top in files of others and mean something here. */
const understood: ReadonlySet<string> = new Set([
  ...['version', 'activation', 'credentials', 'requires', 'snippets', 'disable-model-invocation'],
])

/**
 * The same skill by the letter of agentskills.io, for others to read: ours goes below `metadata.threadsmith`, what nobody knows
 * below `metadata`. A file that is so already stays as it is, byte for byte. @throws Rejection for what is no SKILL.md.
 */
export function strictSkillText(bytes: Uint8Array): string {
  const source = sourceOf(bytes)
  const { fields, warnings } = frontMatterOf(source)
  const others = Object.keys(fields).filter((key) => !specified.has(key))
  const isStrict = others.length === 0 && source.warnings.length === 0 && warnings.length === 0
  if (isStrict && !Array.isArray(fields['allowed-tools'])) return new TextDecoder().decode(bytes)
  const header = yamlMapOf(fields)
  return fileText({ ...specifiedOf(header), ...metadataOf(header) }, source.body)
}

/** The same file in other words: nothing else of it changes. @throws Rejection for what is no SKILL.md. */
export function rewordedText(bytes: Uint8Array, words: Pick<SkillFileParts, 'name' | 'description' | 'body'>): string {
  const { name, description, body } = words
  return fileText({ ...yamlMapOf(frontMatterOf(sourceOf(bytes)).fields), name, description }, body)
}

function specifiedOf(header: YamlMap): YamlMap {
  const { name = '', description = '', license, compatibility, 'allowed-tools': asked } = header
  return {
    ...{ name, description },
    ...(license !== undefined && { license }),
    ...(compatibility !== undefined && { compatibility }),
    ...(asked !== undefined && { 'allowed-tools': typeof asked === 'string' ? asked : Object.values(asked).join(' ') }),
  }
}

function metadataOf(header: YamlMap): YamlMap {
  const metadata = mapIn(header, 'metadata')
  const own = mapIn(metadata, 'threadsmith')
  const moved = Object.entries(header).filter(([key]) => !specified.has(key))
  // What stands in our own place already is what counts.
  const ours = { ...Object.fromEntries(moved.filter(([key]) => understood.has(key) || key in metadata)), ...own }
  const foreign = Object.fromEntries(moved.filter(([key]) => !understood.has(key) && !(key in metadata)))
  const all = { ...metadata, ...foreign, ...(Object.keys(ours).length > 0 && { threadsmith: ours }) }
  return Object.keys(all).length === 0 ? {} : { metadata: all }
}

function mapIn(map: YamlMap, key: string): YamlMap {
  const value = map[key]
  return typeof value === 'object' && !Array.isArray(value) ? yamlMapOf(value) : {}
}

function yamlMapOf(map: object): YamlMap {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, yamlOf(value)]))
}

function yamlOf(value: unknown): YamlValue {
  if (Array.isArray(value)) return value.map(yamlOf)
  return typeof value === 'object' && value !== null ? yamlMapOf(value) : String(value)
}
