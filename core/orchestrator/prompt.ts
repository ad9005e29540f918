import type { Capability } from '../capabilities/capabilities.ts'
import { isJsonObject, type Json } from '../domain/json.ts'
import type { ToolDefinition } from '../domain/model.ts'

export interface PromptFacts {
  /** Epoch ms. */
  readonly startedAt: number
  readonly projectName: string
  readonly folder: string
  /** Fenced Python of an answer is run. */
  readonly runsCode: boolean
  /** Of the thread: 0 for what a person began. */
  readonly depth: number
  /** What the work in this project is for. */
  readonly goals: readonly string[]
  /** Who is asked for; '' where nothing is said of them. */
  readonly profile: string
  /** All skills in a few lines; '' for none. */
  readonly catalogue: string
  /** Rules and wishes of earlier threads, as a block of its own; '' for none. */
  readonly learnt: string
}

/** What a skill's run is told. */
export interface RunFacts extends Pick<PromptFacts, 'startedAt' | 'projectName' | 'folder' | 'runsCode'> {
  /** Profile and what memory holds of the matter; '' for nothing. */
  readonly userContext: string
  /** The skill in its marks. */
  readonly skill: string
  /** Actions that it asks for and does not have, each with the reason. */
  readonly withheld: readonly string[]
}

export interface Prompts {
  /** The system message of a thread: made once, when it begins, and kept on record. The same facts give the same bytes. */
  system(facts: PromptFacts): string
  /** The system message of a skill's run. */
  run(facts: RunFacts): string
  /** The actions as functions of code, for a model that calls none. */
  functions(actions: readonly ToolDefinition[]): string
}

/** `texts` are those of prompts/*.md; `timeZone` an IANA name; `groups` what threads are leased. */
export function createPrompts(
  texts: { readonly system: string; readonly code: string; readonly functions: string; readonly run: string },
  timeZone: string,
  groups: readonly Capability[],
): Prompts {
  const dayAndTime = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'full', timeStyle: 'short' })
  const knowledge = groups.flatMap((capability) => capability.knowledge).map((line) => `- ${line}`)
  return {
    /** Facts of the beginning only: one that changed on every step would break the provider's prefix cache. */
    system({ startedAt, projectName, folder, runsCode, depth, goals, profile, catalogue, learnt }) {
      const now = `${dayAndTime.format(new Date(startedAt))} (${timeZone})`
      const parts = [texts.system.trim(), ...knowledge]
      if (runsCode) parts.push('', texts.code.trim())
      if (depth > 0) parts.push('', childNote)
      if (catalogue !== '') parts.push('', catalogue)
      if (profile !== '') parts.push('', profile)
      if (goals.length > 0) parts.push('', 'Goals of this project:', ...goals.map((goal) => `- ${goal}`))
      if (learnt !== '') parts.push('', learnt)
      return [...parts, '', `Project: ${projectName}`, `Folder: ${folder}`, `Now: ${now}`].join('\n')
    },
    run({ startedAt, projectName, folder, runsCode, userContext, skill, withheld }) {
      const now = `${dayAndTime.format(new Date(startedAt))} (${timeZone})`
      const known = userContext === '' ? 'Nothing is on file.' : userContext.trim()
      const parts = ['# USER CONTEXT', '', known, '', texts.run.trim(), '', skill]
      if (withheld.length > 0) parts.push('', 'Not available here:', ...withheld.map((line) => `- ${line}`))
      if (runsCode) parts.push('', texts.code.trim())
      return [...parts, '', `Project: ${projectName}`, `Folder: ${folder}`, `Now: ${now}`].join('\n')
    },
    functions: (actions) => [texts.functions.trim(), '', ...actions.map(signatureOf)].join('\n'),
  }
}

/** `- read_file(path: string, from?: integer)`: what it does. */
function signatureOf({ name, description, parameters }: ToolDefinition): string {
  const { properties, required } = parameters
  const needed: readonly Json[] = Array.isArray(required) ? required : []
  const given = Object.entries(isJsonObject(properties) ? properties : {}).map(([parameter, schema]) => {
    const type = isJsonObject(schema) && typeof schema.type === 'string' ? schema.type : 'any'
    return `${parameter}${needed.includes(parameter) ? '' : '?'}: ${type}`
  })
  return `- \`${name}(${given.join(', ')})\`: ${description}`
}

const childNote =
  'You work on one part of a larger task. Answer just what is asked, with the figures and names that you found; nobody reads anything but your answer.'
