import { AppError } from '../domain/error.ts'
import { parseSkill } from './file/parse.ts'
import { writeSkillFile } from './file/write.ts'

/** What an agent says of a skill that it proposes. */
export interface SkillDraft {
  readonly name: string
  readonly description: string
  readonly body: string
  readonly tags: readonly string[]
  readonly keywords: readonly string[]
}

/** A draft as the SKILL.md that it would be. @throws AppError skill.invalid, with what is the matter. */
export function skillTextOf(draft: SkillDraft): string {
  const text = writeSkillFile({ ...draft, body: `\n${draft.body.trim()}\n` })
  const verdict = parseSkill(new TextEncoder().encode(text), draft.name)
  if (verdict.outcome !== 'reject') return text
  const problem = verdict.diagnostics.map(({ message }) => message).join(' ')
  throw new AppError('skill.invalid', {
    message: `this is no skill: ${problem}`,
    userMessage: `What the agent wrote is no skill: ${problem} Nothing was proposed.`,
  })
}
