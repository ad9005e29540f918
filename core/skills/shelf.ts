import { AppError } from '../domain/error.ts'
import type { SkillChoice, SkillConfidence, SkillDetail, SkillHeader } from '../domain/skill.ts'
import { skillTokens } from './block.ts'
import type { LoadedSkill, SkillLibrary } from './library.ts'
import type { ThreadSkills } from './thread-skills.ts'

/** Skills as a person looks at them. Reads only. */
export interface SkillShelf {
  /** In the order of their names. */
  list(): readonly SkillHeader[]
  /** @throws AppError skill.not_found */
  get(name: string): SkillDetail
  /** How skills would be chosen for a goal in a new chat. */
  select(goal: string): SkillChoice
}

export function createSkillShelf(library: () => SkillLibrary, skills: ThreadSkills): SkillShelf {
  return {
    list: () =>
      library()
        .skills.map(headerOf)
        .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    get(name) {
      const skill = library().get(name)
      if (skill === undefined) throw noSkill(name)
      const { activation, body, snippets, isOnlyByName, sha256, file } = skill
      return {
        ...headerOf(skill),
        ...{ body, keywords: activation.keywords, excludeKeywords: activation.exclude_keywords },
        ...{ patterns: activation.patterns, tags: activation.tags, isOnlyByName, sha256, file },
        snippets: snippets.map(({ name: snippet, description, code }) => ({ name: snippet, description, code })),
        missing: skills.missing(skill),
      }
    },
    select: (goal) => skills.preview(goal),
  }
}

/** Uses are not counted yet. */
const noUses: SkillConfidence = { value: 1, low: 0, high: 1, n: 0 }

function headerOf(skill: LoadedSkill): SkillHeader {
  const { name, version, description, source, trust } = skill
  return { name, version, description, source, trust, confidence: noUses, tokens: skillTokens(skill) }
}

function noSkill(name: string): AppError {
  return new AppError('skill.not_found', {
    message: `no skill ${name}`,
    userMessage: `There is no skill "${name}". Nothing was changed. \`threadsmith skill list\` shows what there is.`,
  })
}
