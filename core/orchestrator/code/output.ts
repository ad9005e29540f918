import type { Json } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'

/** What a code step did, as far as the model hears of it. */
export interface CodeOutcome {
  readonly stdout: string
  readonly calls: readonly ShownCall[]
  /** What the model should know of how it was run. */
  readonly notes?: readonly string[]
  /** The value of the last expression; absent or null where there is none. */
  readonly returned?: Json
  /** Why it failed; its `state` is then what it was before. */
  readonly failure?: { readonly text: string }
}

export interface ShownCall {
  readonly name: string
  readonly ok: boolean
  readonly result: Json
  /** The Python that gives the whole result in the next block, `previous_results["c1"]` for one; null where nothing does. */
  readonly where: string | null
}

/** The message that goes back to the model (engine-behaviour 2.5, RULES 34). What was cut is said, at either place. */
export function formatOutput({ stdout, calls, notes = [], returned, failure }: CodeOutcome): string {
  const parts = [
    ...notes,
    stdout.trim() === '' ? '' : `[stdout]\n${stdout.trimEnd()}`,
    ...calls.map(shownCall),
    returned === undefined || returned === null ? '' : `[return] ${shown(returned)}`,
    failure === undefined ? '' : `[error]\n${failure.text}\n\`state\` is as it was before this code.`,
  ].filter((part) => part !== '')
  return parts.length === 0 ? '[code executed, no output]' : lastPart(parts.join('\n\n'))
}

function shownCall({ name, ok, result, where }: ShownCall): string {
  const text = shown(result)
  if (!ok) return `[${name} ERROR] ${cut(text, limits.errorCharacters, null)}`
  return `[${name}] ${cut(text, limits.codePreviewCharacters, where)}`
}

function cut(text: string, max: number, where: string | null): string {
  if (text.length <= max) return text
  const rest = where === null ? 'print the part that you need' : `the whole is ${where}: use it, do not type it again`
  return `${text.slice(0, max).toWellFormed()}\n[${text.length - max} more characters; ${rest}]`
}

function lastPart(text: string): string {
  const max = limits.codeOutputCharacters
  if (text.length <= max) return text
  return `[the first ${text.length - max} characters of this output were cut]\n${text.slice(-max).toWellFormed()}`
}

function shown(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
