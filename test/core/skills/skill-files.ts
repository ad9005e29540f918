import { parseSkill } from '../../../core/skills/file/parse.ts'
import type { LoadedSkill, SkillLibrary } from '../../../core/skills/library.ts'

export interface SkillText {
  readonly keywords?: readonly string[]
  readonly excluded?: readonly string[]
  readonly patterns?: readonly string[]
  readonly tags?: readonly string[]
  readonly requires?: Readonly<Record<string, readonly string[]>>
  readonly minSigns?: number
  readonly snippets?: readonly {
    readonly name: string
    readonly description?: string
    readonly complete?: string
    readonly parameters?: readonly {
      readonly name: string
      readonly pattern?: string
      readonly examples?: readonly string[]
    }[]
    readonly code: string
  }[]
  readonly version?: string
  readonly body?: string
  readonly isOnlyByName?: boolean
  readonly source?: LoadedSkill['source']
  readonly trust?: LoadedSkill['trust']
  readonly run?: { readonly tier?: string; readonly tools?: readonly string[]; readonly maxTurns?: string }
}

/** A skill as the parser reads it from a SKILL.md. */
export function skillOf(name: string, text: SkillText = {}): LoadedSkill {
  const { source = 'authored', trust = 'trusted', body = `How to ${name}.`, version = '1.0.0' } = text
  const { keywords = [], excluded = [], patterns = [], tags = [], requires = {}, snippets = [] } = text
  const header = {
    ...{ name, version, description: `About ${name}.`, requires, snippets },
    activation: {
      ...{ keywords, exclude_keywords: excluded, patterns, tags },
      ...(text.minSigns !== undefined && { min_signs: String(text.minSigns) }),
    },
    'disable-model-invocation': text.isOnlyByName ? 'true' : 'false',
    ...(text.run && {
      metadata: { threadsmith: { activation: { keywords, exclude_keywords: excluded, patterns, tags }, ...text.run } },
    }),
  }
  const lines = Object.entries(header).map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
  const verdict = parseSkill(new TextEncoder().encode(['---', ...lines, '---', body].join('\n')), name)
  if (verdict.outcome === 'reject') throw new Error(verdict.diagnostics.map(({ message }) => message).join())
  const { skill, diagnostics } = verdict
  const at = {
    id: name,
    version: 1,
    projectId: null,
    file: `/skills/${name}/SKILL.md`,
    folder: null,
    place: 'built in',
    sha256: '',
  }
  return { ...skill, ...at, source, trust, diagnostics }
}

export function libraryOf(...skills: readonly LoadedSkill[]): SkillLibrary {
  return { skills, rejected: [], get: (name) => skills.find((skill) => skill.name === name) }
}
