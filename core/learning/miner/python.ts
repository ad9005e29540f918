import type { Json } from '../../domain/json.ts'
import { isList } from './json-path.ts'

/** A value as Python: all texts by JSON escaping, so that nothing that was read becomes code. Source: learning 3.11. */
export function pythonOf(value: Json): string {
  if (value === null) return 'None'
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (isList(value)) return `[${value.map(pythonOf).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  const fields = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${pythonOf(item)}`)
  return `{${fields.join(', ')}}`
}

export function isPythonName(name: string): boolean {
  return /^[a-z_][a-z0-9_]*$/i.test(name) && !reserved.has(name)
}

const reserved: ReadonlySet<string> = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global if import ' +
    'in is lambda nonlocal not or pass raise return try while with yield match case type'
  ).split(' '),
)

/** `key=value, …` of a call; a key that Python keeps for itself goes through a dict. */
export function keywordsOf(args: readonly (readonly [string, string])[]): string {
  return args
    .map(([key, code]) => (isPythonName(key) ? `${key}=${code}` : `**{${JSON.stringify(key)}: ${code}}`))
    .join(', ')
}
