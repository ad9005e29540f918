import type { SyntaxNode } from '@lezer/common'
import { type Edit, lineBreaksOf } from './edits.ts'
import { isHost, type Program } from './program.ts'
import { type Argument, argumentsOf, calleeOf, textOf } from './syntax.ts'

/**
 * Host calls answer before the next line runs, so `async` and `await` say nothing here and are taken out; what was to run
 * at the same time becomes one host call, `__parallel__([[name, [args], {kwargs}], …])`. Only calls that stand there in
 * the text become such a list: no value of the program, and no text that it read, can turn into a call.
 */
export function concurrencyEdits(program: Program, node: SyntaxNode): readonly Edit[] {
  switch (node.name) {
    case 'await':
      return node.nextSibling === null ? [] : [{ from: node.from, to: afterBlanks(program.text, node.to), text: '' }]
    case 'async':
      return node.parent?.name === 'FunctionDefinition'
        ? [{ from: node.from, to: afterBlanks(program.text, node.to), text: '' }]
        : []
    case 'CallExpression':
      return callEdits(program, node)
    default:
      return []
  }
}

/** What a call of asyncio means, `asyncio.gather` for one; also `parallel`. Null for every other call. */
export function concurrentCallOf(program: Program, call: SyntaxNode): string | null {
  const callee = calleeOf(program, call)
  if (callee === null) return null
  if (callee === 'parallel') return isHost(program, 'parallel') ? callee : null
  const [root = '', ...rest] = callee.split('.')
  const module = program.names.asyncio.get(root) ?? (root === 'asyncio' ? 'asyncio' : null)
  return module === null ? null : [module, ...rest].join('.')
}

const unwrapped = ['run', 'create_task', 'ensure_future', 'shield', 'wait_for', 'to_thread']
/** Calls of asyncio that have a meaning here. */
export const asyncioCalls: readonly string[] = [...unwrapped, 'gather', 'sleep'].map((name) => `asyncio.${name}`)

function callEdits(program: Program, call: SyntaxNode): readonly Edit[] {
  const name = concurrentCallOf(program, call)
  const list = call.getChild('ArgList')
  if (name === null || list === null) return []
  if (name === 'asyncio.sleep')
    return [{ from: call.from, to: call.to, text: `(None${lineBreaksOf(textOf(program, call))})` }]
  if (name === 'asyncio.gather' || name === 'parallel') return gatherEdits(program, call, list)
  return asyncioCalls.includes(name) ? unwrapEdits(program, call, name) : []
}

/** `asyncio.run(main())` is `(main())`; `asyncio.to_thread(f, x)` is `f(x)`. */
function unwrapEdits(program: Program, call: SyntaxNode, name: string): readonly Edit[] {
  const given = argumentsOf(program, call) ?? []
  const [first, second] = given
  if (first === undefined) return []
  const opening = (to: number, text: string) => ({
    from: call.from,
    to,
    text: text + lineBreaksOf(program.text.slice(call.from, to)),
  })
  if (name === 'asyncio.to_thread') {
    const open = opening(second?.from ?? call.to - 1, '')
    return [{ ...open, text: `${textOf(program, first.value)}(${open.text}` }]
  }
  const rest = program.text.slice(first.to, call.to - 1)
  return [opening(first.from, '('), { from: first.to, to: call.to - 1, text: lineBreaksOf(rest) }]
}

function gatherEdits(program: Program, call: SyntaxNode, list: SyntaxNode): readonly Edit[] {
  const given = argumentsOf(program, call)
  if (given === null) return []
  const items = given.filter((argument) => argument.key === null && argument.star !== '**')
  const [only] = items
  const isOneList = calleeOf(program, call) === 'parallel' && items.length === 1 && isList(only)
  const elements = isOneList && only !== undefined ? [{ ...only, star: '*' as const }] : items
  const calls = elements.map((element) => describedCalls(program, element))
  const isHostCalls = calls.length > 0 && calls.every((each) => each !== null)
  const isLenient = given.some(({ key, value }) => key === 'return_exceptions' && textOf(program, value) === 'True')
  const [open, close] = isHostCalls ? ['__parallel__([', isLenient ? '], return_exceptions=True)' : '])'] : ['[', ']']
  return [
    { from: call.from, to: list.from + 1, text: open + lineBreaksOf(program.text.slice(call.from, list.from)) },
    ...(isOneList && only !== undefined ? [{ from: only.from, to: only.from, text: '*' }] : []),
    ...given.filter((argument) => !items.includes(argument)).map((argument) => without(program, argument)),
    ...(isHostCalls ? calls.flatMap((each) => each ?? []) : []),
    { from: list.to - 1, to: list.to, text: close },
  ]
}

function isList(argument: Argument | undefined): boolean {
  return (
    argument?.star === '' &&
    /^(Array|ArrayComprehension|Parenthesized|Tuple|Comprehension)Expression$|^VariableName$/.test(argument.value.name)
  )
}

/** The argument and the comma beside it. */
export function without(program: Program, { from, to }: Argument): Edit {
  const [before, after] = [commaFrom(program.text, from - 1, -1), commaFrom(program.text, to, 1)]
  const start = before ?? from
  const end = before === null && after !== null ? after + 1 : to
  return { from: start, to: end, text: lineBreaksOf(program.text.slice(start, end)) }
}

/** The edits that turn the host calls of one element into descriptions; null where something else stands there. */
function describedCalls(program: Program, { value, star }: Argument): readonly Edit[] | null {
  if (star === '') return describe(program, value)
  if (value.name === 'ArrayComprehensionExpression' || value.name === 'ComprehensionExpression') {
    const element = value.firstChild?.nextSibling
    return element != null && element.nextSibling?.name === 'for' ? describe(program, element) : null
  }
  if (value.name !== 'ArrayExpression' && value.name !== 'TupleExpression') return null
  const edits: Edit[] = []
  for (let each = value.firstChild?.nextSibling; each != null && each.nextSibling !== null; each = each.nextSibling) {
    if (each.name === ',' || each.name === 'Comment') continue
    const described = describe(program, each)
    if (described === null) return null
    edits.push(...described)
  }
  return edits
}

/** `f(x, y=1)` → `["f", [x], {"y": 1}]`, awaited or not; null for what is no plain host call. */
function describe(program: Program, node: SyntaxNode): readonly Edit[] | null {
  const call = node.name === 'AwaitExpression' ? node.lastChild : node
  if (call?.name !== 'CallExpression') return null
  const name = calleeOf(program, call)
  const given = argumentsOf(program, call)
  const list = call.getChild('ArgList')
  if (name === null || given === null || list === null || !isHost(program, name) || !isDescribable(name)) return null
  const firstNamed = given.findIndex((argument) => argument.key !== null || argument.star === '**')
  const named = firstNamed < 0 ? [] : given.slice(firstNamed)
  if (named.some((argument) => argument.key === null && argument.star !== '**')) return null
  const [first] = named
  const start = first === undefined ? list.to - 1 : first.from
  const keys = named.flatMap((argument) => (argument.key === null ? [] : [keyEdit(program, argument, argument.key)]))
  return [
    {
      from: call.from,
      to: list.from + 1,
      text: `["${name}", [${lineBreaksOf(program.text.slice(call.from, list.from))}`,
    },
    { from: start, to: start, text: '], {' },
    ...keys,
    { from: list.to - 1, to: list.to, text: '}]' },
  ]
}

function isDescribable(name: string): boolean {
  return !name.startsWith('FINAL') && name !== 'parallel'
}

/** The position of a comma that only blanks stand before; null where something else does. */
function commaFrom(text: string, from: number, direction: 1 | -1): number | null {
  let at = from
  while (/\s/.test(text[at] ?? '')) at += direction
  return text[at] === ',' ? at : null
}

function keyEdit(program: Program, { from, value }: Argument, key: string): Edit {
  return { from, to: value.from, text: `"${key}": ${lineBreaksOf(program.text.slice(from, value.from))}` }
}

function afterBlanks(text: string, from: number): number {
  let at = from
  while (text[at] === ' ' || text[at] === '\t') at += 1
  return at
}
