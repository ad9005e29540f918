import type { SyntaxNode } from '@lezer/common'
import { builtinAdvice, type CodeProblem, isModule, moduleAdvice } from './advice.ts'
import { asyncioCalls, concurrentCallOf } from './concurrency.ts'
import { importsOf } from './names.ts'
import { hostCalledIn, isFree, isHost, type Program } from './program.ts'
import { type Argument, argumentsOf, around, calleeOf, longestName, textOf } from './syntax.ts'

type Found = Omit<CodeProblem, 'line'>
type Check = (program: Program, node: SyntaxNode) => Found | null

/** What cannot run here, in the order of the text, each with what to write instead; the first ones only. */
export function problemsOf(program: Program): readonly (Found & { readonly from: number })[] {
  const found = []
  for (const node of program.nodes) {
    if (found.length >= mostProblems) break
    const problem = checks[node.name]?.(program, node) ?? null
    if (problem !== null) found.push({ ...problem, from: node.from })
  }
  return found
}

/** More of them tell a model nothing more. */
const mostProblems = 20

const unsupported = (text: string) => (): Found => ({ text, category: 'syntax_error' })
const noYield = unsupported('generators (yield) do not exist here: append to a list and return it')

const checks: Readonly<Record<string, Check>> = {
  ClassDefinition: unsupported('classes do not exist here: use dicts and functions'),
  YieldStatement: noYield,
  YieldExpression: noYield,
  MatchStatement: unsupported('match does not exist here: use if / elif'),
  Decorator: unsupported('decorators do nothing here: call the function directly'),
  WithStatement: checkWith,
  ForStatement: (_program, node) =>
    node.getChild('async') === null ? null : unsupported('async for does not exist here: write for')(),
  ImportStatement: checkImport,
  CallExpression: checkCall,
  MemberExpression: checkMember,
  BinaryExpression: checkPercent,
  VariableName: checkName,
}

function checkWith(program: Program, node: SyntaxNode): Found {
  const isOpening = node.getChildren('CallExpression').some((call) => calleeOf(program, call) === 'open')
  const opening = isOpening ? builtinAdvice('open', program.known) : null
  if (opening !== null) return opening
  return unsupported('with does not exist here: call what it wraps, one after another or in parallel(a(…), b(…))')()
}

function checkImport(program: Program, node: SyntaxNode): Found | null {
  for (const { module, local } of importsOf(program, node)) {
    const isIgnored = module.startsWith('__future__')
    const advice = isIgnored ? null : moduleAdvice(module, program.known)
    if (advice !== null) return advice
    if (local === '*') return unsupported('import * does not exist here: name what you import')()
    if (module === 'os.path' || module.startsWith('os.path.')) return noPaths
  }
  return null
}

const noPaths: Found = {
  category: 'name_lookup',
  text: 'os.path does not exist here: from pathlib import Path, then Path(a) / b, Path(p).name, .suffix, .parent',
}

function checkMember(program: Program, node: SyntaxNode): Found | null {
  if (node.to - node.from > longestName) return null
  const path = textOf(program, node).replace(/\s+/g, '')
  const [root = '', name = ''] = path.split('.')
  if (root !== 'os' || !program.names.bound.has('os') || node.parent?.name === 'MemberExpression') return null
  if (name === 'path') return noPaths
  return {
    category: 'os_denied',
    text: `os.${name} does not exist here: files and settings are reached by actions only`,
  }
}

function checkPercent(program: Program, node: SyntaxNode): Found | null {
  const [left, operator] = [node.firstChild, node.getChild('ArithOp')]
  const isText = left?.name === 'String' && !textOf(program, left).startsWith('b')
  if (!isText || operator === null || textOf(program, operator) !== '%') return null
  return unsupported('"…" % values does not exist here: write an f-string, f"{name}: {value:.2f}"')()
}

function checkCall(program: Program, node: SyntaxNode): Found | null {
  const callee = calleeOf(program, node)
  if (callee !== null && isFree(program, callee)) {
    const missing = program.known.has(callee) ? null : builtinAdvice(callee, program.known)
    if (missing !== null) return missing
  }
  return checkFormat(program, node) ?? checkAsyncio(program, node) ?? checkCallback(program, node, callee)
}

function checkAsyncio(program: Program, node: SyntaxNode): Found | null {
  const name = concurrentCallOf(program, node)
  if (name === null || name === 'parallel' || asyncioCalls.includes(name)) return null
  return unsupported(`${name} does not exist here: for calls at the same time write parallel(a(…), b(…))`)()
}

function checkFormat(program: Program, node: SyntaxNode): Found | null {
  const callee = node.firstChild
  if (callee?.name !== 'MemberExpression' || callee.firstChild?.name !== 'String') return null
  const isFormat = callee.lastChild !== null && textOf(program, callee.lastChild) === 'format'
  return isFormat ? unsupported('str.format does not exist here: write an f-string, f"{name}: {value:.2f}"')() : null
}

/** What takes a function: which of its arguments that is, and the loop that does the same. */
const takers: Readonly<Record<string, { readonly key?: string; readonly loop: (name: string) => string }>> = {
  map: { loop: (name) => `[${name}(x) for x in xs]` },
  filter: { loop: (name) => `[x for x in xs if ${name}(x)]` },
  sorted: { key: 'key', loop: keyLoop },
  min: { key: 'key', loop: keyLoop },
  max: { key: 'key', loop: keyLoop },
  sort: { key: 'key', loop: keyLoop },
}

function keyLoop(name: string): string {
  return `scores = [${name}(x) for x in xs], then order by these values`
}

/** The interpreter cannot wait for the host inside its own functions. */
function checkCallback(program: Program, node: SyntaxNode, callee: string | null): Found | null {
  const method = node.firstChild?.name === 'MemberExpression' ? node.firstChild.lastChild : null
  const name = method === null ? (callee ?? '') : textOf(program, method)
  const taker = Object.hasOwn(takers, name) ? takers[name] : undefined
  const isTaker = taker !== undefined && (callee === name ? isFree(program, name) : name === 'sort')
  if (!isTaker) return null
  for (const argument of argumentsOf(program, node) ?? []) {
    if (taker.key !== undefined && argument.key !== taker.key) continue
    const host = hostCalledBy(program, argument)
    if (host !== null)
      return { category: 'runtime_error', text: `${host} cannot be called inside ${name}(): write ${taker.loop(host)}` }
    if (taker.key === undefined) break
  }
  return null
}

function hostCalledBy(program: Program, { value }: Argument): string | null {
  if (value.name === 'LambdaExpression') return hostCalledIn(program, value)
  if (value.name !== 'VariableName') return null
  const name = textOf(program, value)
  if (isHost(program, name)) return name
  const defined = program.functions.get(name)
  return defined === undefined ? null : hostCalledIn(program, defined)
}

/** A host function has no value: its name means something only where it is called. */
function checkName(program: Program, node: SyntaxNode): Found | null {
  const name = textOf(program, node)
  if (!isHost(program, name) || program.names.notUsed.has(node.from)) return null
  const isCalled = node.parent?.name === 'CallExpression' && node.parent.firstChild?.from === node.from
  if (isCalled || isGivenToTaker(program, node)) return null
  if (node.parent?.name === 'MemberExpression' && isModule(name))
    return { category: 'name_lookup', text: `${name} is an action here until you write import ${name} first` }
  return {
    category: 'name_lookup',
    text: `${name} can only be called, as ${name}(…): it cannot be stored or passed on`,
  }
}

function isGivenToTaker(program: Program, node: SyntaxNode): boolean {
  const call = node.parent?.name === 'ArgList' ? around(node, ['CallExpression']) : null
  const name = call === null ? undefined : calleeOf(program, call)?.split('.').at(-1)
  return name !== undefined && (Object.hasOwn(takers, name) || name === 'to_thread')
}
