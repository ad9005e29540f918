import { isJsonObject, type Json } from './json.ts'
import { type Source, sourcesText } from './source.ts'

/**
 * A text of somebody else's as a model reads it: between marks that say where it came from, and that nothing in it can
 * imitate. The same text of the same sources gives the same bytes. `unfenced` gives it back.
 */
export function fenced(text: string, sources: readonly Source[]): string {
  if (sources.length === 0) return text
  return `${fenceStart(sources)}\n${withoutFences(withoutControlTokens(text))}\n${fenceEnd}`
}

/** The mark before the text: kind and name of its source. */
export function fenceStart(sources: readonly Source[]): string {
  const [source, ...others] = sources
  const isOne = source !== undefined && others.length === 0
  const name = withoutControlTokens(isOne ? source.name : sourcesText(sources)).replace(/["<>\n]/g, "'")
  return `<untrusted ${isOne ? source.kind : 'from'}="${name}">`
}

export const fenceEnd = '</untrusted>'

/** What stands between the marks; a text without them as it is. */
export function unfenced(text: string): string {
  const end = `\n${fenceEnd}`
  if (!text.startsWith('<untrusted ') || !text.endsWith(end)) return text
  return text.slice(text.indexOf('\n') + 1, -end.length)
}

// Signs that a reader could take for an angle bracket count as one.
const marks = /[<＜﹤]([\s/⧸∕]*untrusted)/gi

function withoutFences(text: string): string {
  return text.replace(marks, '‹$1')
}

/**
 * The words by which chat templates mark who speaks, broken up: kept to be read, but no tokenizer takes them for its own.
 * Families: `<|…|>` and its full-width twin, `<s>`, `<<SYS>>`, `<start_of_turn>`, `[INST]`, `[TOOL_CALLS]`.
 */
export function withoutControlTokens(text: string): string {
  if (!/[<>[［＜]/.test(text)) return text
  return text.replace(tags, '‹$1').replace(barEnds, '$1›').replace(brackets, '[ $1 ]')
}

const tags =
  /<(?=[|｜])|<(?=\/?s>)|<(?=<\/?SYS>>)|<(?=\/?(?:(?:start|end)_of_(?:turn|image|text)|bos|eos|pad|unk|mask|tool_(?:call|response)s?|think)>)/gi
const barEnds = /([|｜])>/g
const brackets =
  /\[(\/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|ARGS|CALL_ID|IMG|PREFIX|SUFFIX|MIDDLE))\]/gi

/** The same of every string of a value. */
export function jsonWithoutControlTokens(value: Json): Json {
  if (typeof value === 'string') return withoutControlTokens(value)
  if (Array.isArray(value)) return value.map(jsonWithoutControlTokens)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [withoutControlTokens(key), jsonWithoutControlTokens(each)]),
  )
}
