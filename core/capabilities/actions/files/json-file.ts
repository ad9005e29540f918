import { isJsonObject, type Json } from '../../../domain/json.ts'
import { limits } from '../../../domain/limits.ts'
import type { OpenedFile } from '../../paths.ts'
import { refusal } from '../refusal.ts'
import { readText, refuseLarge } from './text-stream.ts'

/** The value in a JSON file of at most 8 MiB: parsing happens in one go and must not hold up the process. */
export async function readJsonFile(file: OpenedFile, signal: AbortSignal): Promise<Json> {
  refuseLarge(file, limits.jsonFileBytes, 'Use search_files or read_file, or write one value a line (jsonl) for table.')
  const pieces: string[] = []
  for await (const text of readText(file, signal)) pieces.push(text)
  return parseJson(pieces.join(''), `"${file.path}"`)
}

/** Throws action.args that says where `name` stops being JSON, or that it nests too deeply. */
export function parseJson(text: string, name: string): Json {
  if (nestingOf(text) > limits.vmValueDepth) {
    throw refusal('action.args', `${name} nests deeper than ${limits.vmValueDepth} levels; it is not read.`)
  }
  try {
    return JSON.parse(text)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.slice(0, 200) : String(cause)
    throw refusal('action.args', `${name} is not valid JSON: ${reason}${lineOf(text, reason)}.`)
  }
}

function lineOf(text: string, reason: string): string {
  const position = /at position (\d+)(?!.*line)/.exec(reason)?.[1]
  if (position === undefined) return ''
  return ` (line ${text.slice(0, Number(position)).split('\n').length})`
}

/** How deep brackets nest, outside strings. Deeper values would overflow the stack of whoever writes them out again. */
export function nestingOf(text: string): number {
  let depth = 0
  let deepest = 0
  let isInString = false
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit === 0x22) isInString = !isInString
    else if (isInString) at += unit === 0x5c ? 1 : 0
    else if (unit === 0x5b || unit === 0x7b) {
      depth += 1
      if (depth > deepest) deepest = depth
    } else if (unit === 0x5d || unit === 0x7d) depth -= 1
  }
  return deepest
}

/** `orders[0].lines` as its parts; a name with dots or brackets is written `["a.b"]`. Throws action.args. */
export function parseJsonPath(at: string): readonly (string | number)[] {
  const parts: (string | number)[] = []
  const part = /\.?(?:([^.[\]]+)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\])/y
  const text = at.trim().replace(/^\$\.?/, '')
  while (part.lastIndex < text.length) {
    const start = part.lastIndex
    const found = part.exec(text)
    if (!found)
      throw refusal(
        'action.args',
        `"${at}" is no path: write it as orders[0].lines (it fails at character ${start + 1}).`,
      )
    const [, name, index, quoted] = found
    parts.push(index !== undefined ? Number(index) : (name ?? JSON.parse(`"${quoted ?? ''}"`)))
  }
  return parts
}

/** The value at a path. Throws action.args that names what there is instead. */
export function valueAt(value: Json, path: readonly (string | number)[]): Json {
  return path.reduce<Json>((current, part, depth) => {
    const next = stepInto(current, part)
    if (next !== undefined) return next
    const where = depth === 0 ? 'The top' : `"${path.slice(0, depth).join('.')}"`
    throw refusal('action.args', `There is nothing at "${path.join('.')}". ${where} is ${describeValue(current)}.`)
  }, value)
}

function stepInto(value: Json, part: string | number): Json | undefined {
  // items.0 is read as items[0].
  if (Array.isArray(value)) return value[Number(part)]
  return isJsonObject(value) && Object.hasOwn(value, part) ? value[part] : undefined
}

function describeValue(value: Json): string {
  if (Array.isArray(value)) return `a list of ${value.length} items`
  if (!isJsonObject(value)) return `${jsonType(value)}, not an object`
  const keys = Object.keys(value)
  return `an object with ${keys.length} keys: ${keys.slice(0, 40).join(', ').slice(0, 600)}`
}

export function jsonType(value: Json): 'null' | 'boolean' | 'number' | 'text' | 'list' | 'object' {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  if (isJsonObject(value)) return 'object'
  return typeof value === 'string' ? 'text' : typeof value === 'number' ? 'number' : 'boolean'
}
