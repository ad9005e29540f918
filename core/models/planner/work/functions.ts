import { RE2JS } from 're2js'
import { z } from 'zod'
import type { ModelMessage } from '../../../domain/model.ts'
import { functionsHeading, wholeAnswerMark } from '../../../domain/skill.ts'

/** A function of an active skill, as the prompt tells of it. */
interface SkillFunction {
  readonly skill: string
  readonly name: string
  readonly parameters: readonly { readonly name: string; readonly pattern: string | null }[]
  /** Its value says all that was asked for. */
  readonly isWhole: boolean
}

const facts = z.object({ pattern: z.string().optional() })

/** In the order in which their skills were chosen. Only what the engine itself says of skills is read. */
function functionsIn(messages: readonly ModelMessage[]): readonly SkillFunction[] {
  const told = messages.filter(({ role, content }) => role === 'system' && content.startsWith('## Skills\n'))
  return told.flatMap(({ content }) =>
    [...content.matchAll(/^<skill name="([^"]*)"[^>]*>\n(.*?)^<\/skill>$/gms)].flatMap(([, skill = '', text = '']) =>
      functionsOf(skill, text),
    ),
  )
}

const heading = `\n${functionsHeading}\n`

function functionsOf(skill: string, text: string): readonly SkillFunction[] {
  const at = `\n${text}`.lastIndexOf(heading)
  if (at < 0) return []
  const found: { skill: string; name: string; parameters: SkillFunction['parameters'][number][]; isWhole: boolean }[] =
    []
  for (const line of text.slice(at + heading.length - 1).split('\n')) {
    const [, name] = /^- `([a-z_]\w*)\(/.exec(line) ?? []
    if (name !== undefined) {
      found.push({ skill, name, parameters: [], isWhole: line.endsWith(wholeAnswerMark) })
      continue
    }
    const [, parameter = '', json = ''] = /^ {2}- `([a-z_]\w*)` (\{.*\})$/.exec(line) ?? []
    const read = facts.safeParse(parsedJson(json))
    if (read.success) found.at(-1)?.parameters.push({ name: parameter, pattern: read.data.pattern ?? null })
  }
  return found
}

/**
 * Code that answers what was said by a function of a skill: the first whose value is the whole answer and whose parameters all stand
 * in it, by their own patterns. Null where there is none, or code is not run, or one was tried for this already.
 */
export function codeForSkill(messages: readonly ModelMessage[], said: string): string | null {
  if (!messages.some(({ role, content }) => role === 'system' && /^## Code$/m.test(content))) return null
  const asked = messages.findLastIndex(({ role, content }) => role === 'user' && content === said)
  const after = messages.slice(asked + 1)
  if (after.some(({ role, content }) => role === 'assistant' && content.includes(fence))) return null
  for (const each of functionsIn(messages)) {
    if (!each.isWhole) continue
    const args = each.parameters.map(({ name, pattern }) => {
      const value = pattern === null ? null : valueIn(said, pattern)
      return value === null ? null : `${name}=${JSON.stringify(value)}`
    })
    if (args.every((arg) => arg !== null)) return codeOf(each, args)
  }
  return null
}

const fence = '```repl\n'

/** The value is given as it is: the planner puts no words around what it did not work out itself. */
function codeOf({ skill, name }: SkillFunction, args: readonly string[]): string {
  const lines = [
    `found = ${name}(${args.join(', ')})`,
    `lines = ${JSON.stringify([`By the skill ${skill}:`, ''])}`,
    'for key, value in found.items():',
    '    lines.append("- " + key + ": **" + str(value) + "**")',
    'FINAL(found["answer"] if "answer" in found else "\\n".join(lines))',
  ]
  return `${fence}${lines.join('\n')}\n\`\`\``
}

function valueIn(said: string, pattern: string): string | null {
  try {
    const matcher = RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE).matcher(said)
    return matcher.find() && matcher.groupCount() > 0 ? matcher.group(1) : null
  } catch {
    // A pattern of another engine finds nothing here.
    return null
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
