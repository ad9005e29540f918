import { AppError } from '../domain/error.ts'

/** Every option of the line; each command says which it takes. */
export const options = {
  json: { type: 'boolean' },
  data: { type: 'string' },
  help: { type: 'boolean' },
  version: { type: 'boolean' },
  project: { type: 'string' },
  model: { type: 'string' },
  'max-steps': { type: 'string' },
  'budget-usd': { type: 'string' },
  approve: { type: 'string' },
  state: { type: 'string' },
  limit: { type: 'string' },
  before: { type: 'string' },
  events: { type: 'boolean' },
  messages: { type: 'boolean' },
  step: { type: 'string' },
  edit: { type: 'string' },
  reason: { type: 'string' },
  scope: { type: 'string' },
  stop: { type: 'boolean' },
  'no-run': { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  rehearse: { type: 'boolean' },
  to: { type: 'string' },
  chunk: { type: 'string' },
  cut: { type: 'string' },
  type: { type: 'string' },
  skill: { type: 'string' },
  all: { type: 'boolean' },
  out: { type: 'string' },
  url: { type: 'string' },
  title: { type: 'string' },
  dns: { type: 'string' },
  now: { type: 'string' },
  from: { type: 'string' },
  tz: { type: 'string' },
  count: { type: 'string', short: 'n' },
  redirect: { type: 'string', multiple: true },
} as const
export type OptionName = keyof typeof options
export type Values = Readonly<Partial<Record<OptionName, string | boolean | (string | boolean)[]>>>

/** What a command finds on its line, after its name. */
export interface Line {
  readonly rest: readonly string[]
  readonly values: Values
  readonly currentFolder: string
}

export function text(values: Values, name: OptionName): string | undefined {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}

/** @throws AppError usage for what is no whole number from `min` to `max`. */
export function count(values: Values, name: OptionName, bounds: { readonly min?: number; readonly max: number }) {
  const value = text(values, name)
  return value === undefined ? undefined : whole(value, `--${name}`, bounds)
}

export function whole(
  value: string,
  what: string,
  { min = 1, max }: { readonly min?: number; readonly max: number },
): number {
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
  if (number >= min && number <= max) return number
  throw wrongUsage(`${what} takes a whole number from ${min} to ${max}`)
}

export function only(rest: readonly string[], what: string): string {
  const [first, ...more] = rest
  if (first === undefined || more.length > 0) throw wrongUsage(`this takes ${what}`)
  return first
}

export function none(rest: readonly string[]): void {
  if (rest.length > 0) throw wrongUsage(`this takes nothing more: ${rest.join(' ')}`)
}

export function wrongUsage(message: string): AppError {
  return new AppError('usage', { message, userMessage: `${message}. \`threadsmith help\` shows every command.` })
}
