import type { CodeCategory } from '../../domain/code.ts'
import { limits } from '../../domain/limits.ts'

/** What is wrong with code, found before it runs. */
export interface CodeProblem {
  /** The model's own line, from 1. */
  readonly line: number
  /** What does not work and what to write instead, for the model. */
  readonly text: string
  readonly category: CodeCategory
}

/** The names of the host's functions that are not actions. */
export const codeFunctions = ['FINAL', 'llm_query', 'llm_query_batched', 'rlm_query', 'parallel'] as const

/** Names of Python’s own that code counts on: what stands before it may not mean something else by them. */
export const builtinNames = [
  ...['abs', 'all', 'any', 'bool', 'dict', 'enumerate', 'filter', 'float', 'int', 'isinstance', 'len', 'list', 'map'],
  ...[
    'max',
    'min',
    'print',
    'range',
    'repr',
    'reversed',
    'round',
    'set',
    'sorted',
    'str',
    'sum',
    'tuple',
    'type',
    'zip',
  ],
] as const

/** Made by `prepareCode` only; a program that names one itself is refused. */
export const reservedNames = ['__parallel__', '__save_state__', '__value__', '__grouped__'] as const

const modules = ['asyncio', 'datetime', 'json', 'math', 'os', 'pathlib', 're', 'sys', 'typing']
const moduleList = 'datetime, json, math, pathlib, re and typing'

interface Advice {
  readonly text: string
  /** The action to name when the thread has it. */
  readonly action?: string
  readonly category?: CodeCategory
}

const files: Advice = {
  text: 'files are reached by actions only',
  action: 'read_file',
  category: 'os_denied',
}
const network: Advice = { text: 'there is no network here', action: 'http', category: 'os_denied' }
const processes: Advice = { text: 'no process can be started here', action: 'shell', category: 'os_denied' }
const threads: Advice = { text: 'write parallel(a(…), b(…)) for calls that do not depend on each other' }
const loops: Advice = { text: 'write the loop out' }
const frames: Advice = { text: 'use lists and dicts', action: 'table' }

const missingModules: Readonly<Record<string, Advice>> = {
  collections: { text: 'count with d[k] = d.get(k, 0) + 1, group with d.setdefault(k, []).append(x)' },
  itertools: loops,
  functools: loops,
  operator: { text: 'write a lambda' },
  dataclasses: { text: 'use a dict' },
  enum: { text: 'use plain strings' },
  copy: { text: 'write list(x) or {**d}' },
  statistics: { text: 'the mean is sum(xs) / len(xs), the median stands in the middle of sorted(xs)' },
  random: { text: 'nothing here is random' },
  time: { text: 'waiting is not possible', action: 'time', category: 'os_denied' },
  csv: { text: 'split lines with line.split(",")', action: 'table' },
  pprint: { text: 'write print(json.dumps(x, indent=2))' },
  logging: { text: 'write print(…)' },
  pandas: frames,
  numpy: frames,
  requests: network,
  httpx: network,
  aiohttp: network,
  urllib: network,
  http: network,
  socket: network,
  subprocess: processes,
  multiprocessing: threads,
  threading: threads,
  concurrent: threads,
  shutil: files,
  glob: files,
  tempfile: files,
  io: files,
}

export function isModule(name: string): boolean {
  return modules.includes(name)
}

/** Why a module cannot be imported; null for one that can. */
export function moduleAdvice(module: string, known: ReadonlySet<string>): Omit<CodeProblem, 'line'> | null {
  const [root = ''] = module.split('.')
  if (modules.includes(root)) return null
  const advice = missingModules[root]
  const category = advice?.category ?? 'name_lookup'
  const missing = `there is no module ${root} here, only ${moduleList}`
  return { category, text: advice === undefined ? missing : `${missing}; ${withAction(advice, known)}` }
}

const noCode: Advice = { text: 'code cannot make code here: write it directly', category: 'os_denied' }
const noNames: Advice = { text: 'keep values in a dict of your own' }
const end: Advice = { text: 'the block ends by itself after its last line; FINAL(answer) gives the answer' }

const missingBuiltins: Readonly<Record<string, Advice>> = {
  open: files,
  eval: noCode,
  exec: noCode,
  compile: noCode,
  __import__: noCode,
  globals: noNames,
  locals: noNames,
  vars: noNames,
  dir: noNames,
  setattr: { text: 'write d["key"] = value' },
  delattr: { text: 'write d.pop("key")' },
  callable: { text: 'you know which of your names are functions' },
  super: { text: 'there are no classes' },
  input: { text: 'nobody can be asked from code: end with FINAL(question)' },
  format: { text: 'write an f-string: f"{value:.2f}"' },
  exit: end,
  quit: end,
}

/** Why a function of Python cannot be called here; null for a name that is none of these. */
export function builtinAdvice(name: string, known: ReadonlySet<string>): Omit<CodeProblem, 'line'> | null {
  const advice = Object.hasOwn(missingBuiltins, name) ? missingBuiltins[name] : undefined
  if (advice === undefined) return null
  return {
    category: advice.category ?? 'name_lookup',
    text: `${name}() does not exist here: ${withAction(advice, known)}`,
  }
}

function withAction({ text, action }: Advice, known: ReadonlySet<string>): string {
  return action !== undefined && known.has(action) ? `${text}; the action is ${action}(…)` : text
}

/** What to say of a name that nobody defined. */
export function undefinedAdvice(name: string, known: readonly string[]): string {
  const builtin = builtinAdvice(name, new Set(known))
  if (builtin !== null) return `${builtin.text}.`
  if (isModule(name)) return `Write import ${name} first, in this block.`
  const close = closest(name, known)
  if (close !== null) return `Did you mean ${close}?`
  return 'Names of earlier blocks are gone: keep what you need in state, and define functions in the block that calls them.'
}

/** The known name that is written nearly so; null where none is. */
function closest(name: string, known: readonly string[]): string | null {
  if (name.length > limits.actionNameCharacters) return null
  const words = wordsOf(name)
  const sameWords = known.find((each) => wordsOf(each) === words)
  if (sameWords !== undefined) return sameWords
  const distances = known.map((each) => ({ each, distance: distance(name.toLowerCase(), each.toLowerCase()) }))
  const best = distances.toSorted((a, b) => a.distance - b.distance)[0]
  return best !== undefined && best.distance <= Math.max(1, Math.floor(name.length / 4)) ? best.each : null
}

function wordsOf(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_-]+/)
    .toSorted()
    .join(' ')
}

/** Levenshtein, two neighbours swapped counting once. */
function distance(a: string, b: string): number {
  let before: readonly number[] = []
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swap = isSwap ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY
      row.push(Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + change, swap))
    }
    before = last
    last = row
  }
  return last[b.length] ?? 0
}
