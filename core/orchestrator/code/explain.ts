import type { CodeCategory } from '../../domain/code.ts'
import { limits } from '../../domain/limits.ts'
import type { VmState } from '../../sandbox/sandbox.ts'
import { codeFunctions, moduleAdvice, undefinedAdvice } from './advice.ts'
import { modelLine, type PreparedCode } from './prepare.ts'

type Failed = Extract<VmState, { kind: 'failed' }>

/** Why a code step failed. */
export interface CodeFailure {
  readonly category: CodeCategory
  /** The model's own line, from 1; null where none is known. */
  readonly line: number | null
  /** For the model: the error, its line and what to write instead. */
  readonly text: string
}

export interface RanCode {
  /** The model's own text. */
  readonly source: string
  readonly prepared: PreparedCode
  /** As given to `prepareCode`. */
  readonly known: readonly string[]
  /** The message that the host raised last, where it raised one: uncaught, it is the action's error, not the code's. */
  readonly raised?: string
}

/** What a model reads of problems that were found before its code ran. Throws RangeError without any. */
export function explainProblems(prepared: PreparedCode, source: string): CodeFailure {
  const [first] = prepared.problems
  if (first === undefined) throw new RangeError('there is no problem to explain')
  const texts = prepared.problems.slice(0, mostProblems).map(({ line, text }) => quoted(source, line, `${text}.`))
  const more = prepared.problems.length - texts.length
  const rest = more > 0 ? [`… and ${more} more of this kind.`] : []
  return { ...first, text: ['Nothing of this code was run.', ...texts, ...rest].join('\n') }
}
const mostProblems = 5

/** What a model reads of a program that failed; its lines are those that the model wrote. */
export function explainFailure(state: Failed, ran: RanCode): CodeFailure {
  const line = lineOf(state, ran.prepared)
  const message = clearOfOurs(state.error.message)
  const { category, advice } = adviceFor(state, message, ran)
  const text = line === null ? message : quoted(ran.source, line, message)
  return { category, line, text: advice === null ? text : `${text}\n${advice}` }
}

/** What is not closed is noticed only at our own last lines. */
function lineOf({ line, error, traceback }: Failed, prepared: PreparedCode): number | null {
  if (line === null) return null
  const own = modelLine(prepared, line)
  if (own !== null) return own
  if (error.code === 'sandbox.syntax') return prepared.lines
  // It broke inside a function that is not the model's: where the model called it.
  const lines = linesOfTraceback(traceback).map((each) => modelLine(prepared, each))
  return lines.findLast((each) => each !== null) ?? null
}

/** Of every frame, the innermost last. */
export function linesOfTraceback(traceback: string): readonly number[] {
  return [...traceback.matchAll(/^ {2}File ".*", line (\d+)/gm)].map((match) => Number(match[1]))
}

function quoted(source: string, line: number, message: string): string {
  const own = source.replace(/\r\n?/g, '\n').split('\n')[line - 1] ?? ''
  const shown = own.length <= longestLine ? own : `${own.slice(0, longestLine).toWellFormed()}…`
  return `Line ${line}: ${message}\n  ${line} | ${shown}`
}
const longestLine = 200

/** The model did not write these, and cannot look them up. */
function clearOfOurs(message: string): string {
  return message
    .replaceAll('the arguments of __save_state__', '`state`')
    .replaceAll('the arguments of __parallel__', 'the arguments of parallel')
    .slice(0, limits.errorCharacters)
}

interface Told {
  readonly category: CodeCategory
  readonly advice: string | null
}

function adviceFor({ error }: Failed, message: string, ran: RanCode): Told {
  switch (error.code) {
    case 'sandbox.died':
      return { category: 'vm_panic', advice: 'The sandbox broke down. Use less memory and less nesting.' }
    case 'sandbox.limit':
      return { category: 'resource_limit', advice: limitAdvice[String(error.data?.limit)] ?? null }
    case 'engine.value':
      return {
        category: 'runtime_error',
        advice:
          'Only None, bool, int, float, str, list and dict with str keys can leave the code: convert with str(…).',
      }
    default:
      return raisedAdvice(error.code === 'sandbox.syntax', message, ran)
  }
}

const limitAdvice: Readonly<Record<string, string>> = {
  time: 'The code took too long. Do less at once; counting and searching is quicker in an action.',
  memory: 'The code used too much memory. Work on parts, and keep only what you need.',
  allocations: 'The code used too much memory. Work on parts, and keep only what you need.',
  recursion: 'The calls went too deep. Write a loop with a list of what is still to do.',
}

function raisedAdvice(isSyntax: boolean, message: string, ran: RanCode): Told {
  if (ran.raised !== undefined && ran.raised !== '' && message.endsWith(ran.raised.slice(0, limits.errorCharacters)))
    return { category: 'tool_error', advice: 'Catch it with try / except RuntimeError to go on without this call.' }
  const name = /^NameError: name '([^']+)' is not defined/.exec(message)?.[1]
  if (name !== undefined)
    return { category: 'name_lookup', advice: undefinedAdvice(name, [...ran.known, ...codeFunctions]) }
  const module = /^ModuleNotFoundError: No module named '([^']+)'/.exec(message)?.[1]
  const missing = module === undefined ? null : moduleAdvice(module, new Set(ran.known))
  if (missing !== null) return { category: missing.category, advice: `${missing.text}.` }
  const known = gaps.find(({ pattern }) => pattern.test(message))
  const category = known?.category ?? (isSyntax ? 'syntax_error' : 'runtime_error')
  return { category, advice: known?.advice ?? null }
}

const outside = 'Nothing outside is reached but by actions: files, time and settings too.'

/** What the interpreter lacks, by the words of its errors, and what does the same. */
const gaps: readonly { readonly pattern: RegExp; readonly advice: string; readonly category?: CodeCategory }[] = [
  { pattern: /PermissionError|is not supported in this environment/, advice: outside, category: 'os_denied' },
  {
    pattern: /external functions are not yet supported in this context/,
    advice: 'A host function cannot be called from inside sorted, map, filter, min or max: write a for loop.',
  },
  {
    pattern: /parser does not yet support class|not yet support (yield|pattern|async|the|type)/i,
    advice: 'This Python has no classes, generators, match or with: use dicts, functions, lists and if / elif.',
    category: 'syntax_error',
  },
  { pattern: /has no attribute 'format'|operand type\(s\) for %: 'str'/, advice: 'Write an f-string.' },
  {
    pattern: /comma thousands separator/,
    advice: 'Write the plain number, or f"{n:,}" with nothing else in the format.',
  },
  { pattern: /for \|: 'dict' and 'dict'/, advice: 'Write {**a, **b}.' },
  { pattern: /not slice$/, advice: 'A slice cannot be assigned to: write a[:i] + new + a[j:].' },
  { pattern: /after \* must be an iterable/, advice: 'Write list(…) around it.' },
  { pattern: /callable replacement/, advice: 'Loop over re.findall, and build the text with a list and "".join.' },
  { pattern: /unpacking target: subscript/, advice: 'Unpack into plain names first.' },
  {
    pattern: /'str' object has no attribute 'get'|string indices must be/,
    advice: 'This is text: json.loads(text) makes a dict of it.',
  },
]
