import { limits } from '../../domain/limits.ts'
import { writeSkillFile } from '../../skills/skills.ts'
import type { Mined } from '../miner/miner.ts'

/** Of an activation: that many of its signs must be in a goal. Source: learning 3.10. */
const signsNeeded = 2

/** A mined function as a SKILL.md. */
export function skillFileOf(mined: Mined): string {
  const words = wordsOf(mined)
  const { name, activation, snippet, parameters, isComplete, actions } = mined
  return writeSkillFile({
    ...{ name, description: words.description, body: `\n${words.body.trim()}\n`, allowedTools: actions },
    keywords: activation.keywords,
    excludeKeywords: activation.excludeKeywords,
    patterns: activation.patterns.map((pattern) => `(?i)${pattern}`),
    minSigns: signsNeeded,
    snippets: [
      {
        ...{ name: snippet.name, description: snippet.description, code: snippet.code, isComplete },
        parameters: parameters.map(({ name: parameter, pattern, examples }) => ({
          ...{ name: parameter, pattern: pattern ?? undefined, examples },
        })),
      },
    ],
  })
}

/** Plain words for what was found, where there is no model to say it better. */
function wordsOf({ snippet, parameters, endsBefore, support }: Mined) {
  const takes = parameters.map(({ name }) => name).join(', ')
  const whole = endsBefore === null ? '' : `, up to what only reading can decide`
  const description = `Learnt from ${support.length} threads: ${snippet.description.split(';')[0] ?? ''}${takes === '' ? '' : `, for a given ${takes}`}${whole}.`
  const rest =
    endsBefore === null
      ? 'Its value is what those threads found.'
      : 'It does the first part: do the rest from its value.'
  const body = [
    `Call \`${snippet.name}\` once, with what the goal says. ${rest}`,
    'Where it stops at a guard, this is another case: nothing was changed by it, go on by hand.',
  ]
  return { description: description.slice(0, limits.skillDescriptionCharacters), body: body.join('\n') }
}
