import type { SyntaxNode } from '@lezer/common'
import { limits } from '../../domain/limits.ts'
import { type CodeProblem, codeFunctions, reservedNames } from './advice.ts'
import { concurrencyEdits } from './concurrency.ts'
import { applyEdits, type Edit } from './edits.ts'
import { groupedSource, idiomEdits } from './idioms.ts'
import { problemsOf } from './problems.ts'
import { createProgram, type Program } from './program.ts'
import { around, childrenOf, lineAt, parsePython, textOf } from './syntax.ts'

export interface PrepareOptions {
  /** Host functions that the code may call: the actions of the thread, `llm_query`, … `codeFunctions` are always known. */
  readonly known: readonly string[]
  /** Names of the variables that the VM is given, `state` among them. */
  readonly inputs: readonly string[]
  /** Definitions that stand before it, prepared already. */
  readonly before?: string
}

/** What the sandbox runs in place of a model's code. */
export interface PreparedCode {
  /**
   * Its value is that of the model's last expression or top-level `return`. Beside what the model calls it calls
   * `__parallel__(calls, return_exceptions=False)`, where a call is `[name, args, kwargs]` and the answer the list of
   * results in order, and, last of all, `__save_state__(state)`, to be answered by null.
   */
  readonly program: string
  /** The program without what saves the state and gives the value. */
  readonly definitions: string
  /** Lines of ours before the model's first. */
  readonly lineOffset: number
  /** Lines of the model's code. */
  readonly lines: number
  /** Where there are any, the program must not be run. */
  readonly problems: readonly CodeProblem[]
}

/**
 * Makes a model's CPython run on the interpreter's subset (RULES 9): what it can do otherwise is rewritten on the same
 * line, what it cannot is a problem that says what to write. Text that is no Python is left for the interpreter to refuse.
 */
export function prepareCode(source: string, { known, inputs, before = '' }: PrepareOptions): PreparedCode {
  const text = source.replace(/\r\n?/g, '\n')
  const lines = text.split('\n').length
  const nothing = { program: '', definitions: '', lineOffset: 0, lines, problems: [] }
  const refusal = refusalOf(text)
  if (refusal !== null) return { ...nothing, problems: [refusal] }
  const syntax = parsePython(text)
  if (syntax === 'too long') return { ...nothing, problems: [tooLong] }
  if (syntax === 'not python') {
    const definitions = `${before}${text}`
    return { ...nothing, program: `${definitions}\n${saving}`, definitions, lineOffset: before.split('\n').length - 1 }
  }
  const program = createProgram(syntax, new Set([...known, ...codeFunctions]))
  const body = applyEdits(text, editsOf(program))
  const head = before + headOf(program, { body, inputs })
  const definitions = `${head}${body}`
  return {
    ...{ program: `${definitions}\n${endOf(program)}`, definitions },
    lineOffset: head.split('\n').length - 1,
    lines,
    problems: problemsOf(program).map(({ from, ...found }) => ({ line: lineAt(text, from), ...found })),
  }
}

/** The model's line of a line of the prepared program; null for a line of ours. */
export function modelLine(prepared: Pick<PreparedCode, 'lineOffset' | 'lines'>, line: number): number | null {
  const own = line - prepared.lineOffset
  return own >= 1 && own <= prepared.lines ? own : null
}

const saving = '__save_state__(state)'

const tooLong: CodeProblem = {
  line: 1,
  category: 'resource_limit',
  text: 'the code is too long: do the work in several steps, with loops instead of repeated lines',
}

function refusalOf(text: string): CodeProblem | null {
  if (text.length > limits.codeCharacters) return tooLong
  // The interpreter takes names in their compatibility form, so other spellings of a reserved one count too.
  const plain = text.normalize('NFKC')
  const reserved = reservedNames.find((name) => plain.includes(name))
  if (reserved === undefined) return null
  const line = lineAt(plain, plain.indexOf(reserved))
  return { line, category: 'name_lookup', text: `${reserved} is a name of the engine's own: choose another` }
}

function editsOf(program: Program): readonly Edit[] {
  const edits: Edit[] = []
  for (const node of program.nodes) {
    edits.push(...concurrencyEdits(program, node), ...idiomEdits(program, node), ...returnEdits(program, node))
  }
  const last = lastExpression(program)
  if (last !== null) edits.push({ from: last.from, to: last.from, text: '__value__ = (' }, closing(last.to))
  return edits
}

const closing = (at: number): Edit => ({ from: at, to: at, text: ')' })

/** A `return` outside of functions ends the program: the state must have left before. */
function returnEdits(program: Program, node: SyntaxNode): readonly Edit[] {
  if (node.name !== 'ReturnStatement' || around(node, ['FunctionDefinition']) !== null) return []
  const word = node.firstChild
  if (word === null) return []
  if (word.nextSibling === null) return [{ from: word.from, to: word.to, text: `${saving}; return` }]
  const after = `); ${saving}; return ${plainValue(program)}`
  return [
    { from: word.from, to: word.to, text: '__value__ = (' },
    { from: node.to, to: node.to, text: after },
  ]
}

function endOf(program: Program): string {
  return lastExpression(program) === null ? `${saving}\nNone` : `${saving}\n${plainValue(program)}`
}

/** The last statement, where it is an expression: as in a REPL its value is what the code gives. */
function lastExpression(program: Program): SyntaxNode | null {
  const last = childrenOf(program.top).findLast(({ name }) => name !== 'Comment') ?? null
  const statement =
    last?.name === 'StatementGroup' ? (childrenOf(last).findLast(({ name }) => name !== ';') ?? null) : last
  return statement?.name === 'ExpressionStatement' ? statement : null
}

const plainTypes = ['str', 'int', 'float', 'bool', 'list', 'dict', 'tuple', 'set']

/** A value that is no plain data (a date, a function) leaves as its text, as a REPL would show it. */
function plainValue({ names }: Program): string {
  const isShadowed = [...plainTypes, 'isinstance', 'repr'].some((name) => names.bound.has(name))
  if (isShadowed) return '__value__'
  return `__value__ if __value__ is None or isinstance(__value__, (${plainTypes.join(', ')})) else repr(__value__)`
}

/**
 * The interpreter takes a name for the host's when a function that stands before its first assignment uses it: such names
 * are assigned at the very beginning.
 */
function headOf(program: Program, { body, inputs }: { readonly body: string; readonly inputs: readonly string[] }) {
  const early = new Set<string>()
  for (const node of program.nodes) {
    if (node.name !== 'VariableName') continue
    const name = textOf(program, node)
    const boundAt = program.names.global.get(name)
    const isEarly = boundAt !== undefined && boundAt > node.from && !early.has(name)
    if (!isEarly || inputs.includes(name) || program.known.has(name)) continue
    if (around(node, ['FunctionDefinition', 'LambdaExpression']) !== null) early.add(name)
  }
  const grouped = body.includes('__grouped__(') ? `${groupedSource}\n` : ''
  return (early.size > 0 ? `${[...early].join(' = ')} = None\n` : '') + grouped
}
