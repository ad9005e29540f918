import { z } from 'zod'
import { isJsonObject, type Json } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { type ActionContext, defineAction } from '../action.ts'
import { openProject, withFile } from '../paths.ts'
import { resultCharacters } from './allowance.ts'
import { jsonType, parseJson, parseJsonPath, readJsonFile, valueAt } from './files/json-file.ts'
import { pathText, summaryText } from './parameters.ts'
import { refusal } from './refusal.ts'

const parameters = z.strictObject({
  op: z
    .enum(['get', 'keys', 'length', 'type', 'format'])
    .describe('format gives indented text; length counts items, keys or characters.'),
  path: pathText.min(1).optional().describe('A JSON file inside the project; either this or text.'),
  text: z.string().optional().describe('JSON text.'),
  at: z.string().max(500).default('').describe('Where in it: orders[0].lines. Default: the top.'),
})
type Parameters = z.output<typeof parameters>

export const json = defineAction({
  name: 'json',
  description: 'Reads JSON from a file or a text: a value, the keys of an object, a length, a type, or indented text.',
  parameters,
  effects: ['Compute', 'ReadLocal'],
  isIdempotent: true,
  // A text that it was given is the caller's own.
  source: ({ path }) => (path === undefined ? null : { kind: 'file', name: path }),
  summarize: ({ op, path, at }) => summaryText([op, path, at].filter((part) => part).join(' ')),
  run: async (asked, context) => {
    const path = parseJsonPath(asked.at)
    const value = valueAt(await load(asked, context), path)
    return { at: asked.at, type: jsonType(value), ...answers[asked.op](value) }
  },
})

async function load({ path, text }: Parameters, context: ActionContext): Promise<Json> {
  if (text !== undefined && path === undefined) return parseJson(text, 'The text')
  if (path === undefined || text !== undefined) throw refusal('action.args', 'Give either path or text.')
  return withFile(await openProject(context), path, (file) => readJsonFile(file, context.signal))
}

const answers: Readonly<Record<Parameters['op'], (value: Json) => { readonly [key: string]: Json }>> = {
  get(value) {
    if (resultCharacters(value) <= roomCharacters) return { value }
    const start = fitText(JSON.stringify(value))
    return {
      text: start,
      complete: false,
      note: `The value has ${JSON.stringify(value).length} characters; text is its start.`,
    }
  },
  keys(value) {
    if (!isJsonObject(value)) throw refusal('action.args', `There are no keys: it is a ${jsonType(value)}.`)
    const keys = Object.keys(value)
    const shown = keys.slice(0, 500).map((key) => key.slice(0, 100))
    if (keys.length <= 500) return { keys: shown }
    return { keys: shown, complete: false, note: `There are ${keys.length} keys; the first 500 are shown.` }
  },
  length(value) {
    if (typeof value === 'string') return { length: [...value].length }
    if (Array.isArray(value)) return { length: value.length }
    if (isJsonObject(value)) return { length: Object.keys(value).length }
    throw refusal('action.args', `There is no length: it is ${value === null ? 'null' : `a ${jsonType(value)}`}.`)
  },
  type: () => ({}),
  format(value) {
    const whole = JSON.stringify(value, null, 2)
    const text = fitText(whole)
    if (text.length === whole.length) return { text }
    return {
      text,
      complete: false,
      note: `The text has ${whole.length} characters; its first ${text.length} are shown.`,
    }
  },
}

const roomCharacters = limits.actionResultCharacters - 4_000

function fitText(text: string): string {
  let start = text.slice(0, limits.readFileCharacters)
  while (resultCharacters(start) > roomCharacters) start = start.slice(0, start.length >> 1)
  return start.toWellFormed()
}
