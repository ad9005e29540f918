import type { SyntaxNode, Tree } from '@lezer/common'
import { parser } from '@lezer/python'
import { limits } from '../../domain/limits.ts'

/** A program, its tree, and every node of it: parents first, in the order of the text. */
export interface Syntax {
  readonly text: string
  readonly top: SyntaxNode
  readonly nodes: readonly SyntaxNode[]
}

/** Tolerant parsing of hostile text costs seconds; what is no Python is told by the interpreter, in its own process. */
const strict = parser.configure({ strict: true })

/**
 * `not python`: or nested deeper than anybody writes. `too long`: more than `limits.codeParts` steps of the parser, about
 * one for each word and sign, and one for each line of a text in quotes.
 */
export function parsePython(text: string): Syntax | 'not python' | 'too long' {
  const parse = strict.startParse(text)
  try {
    let tree = parse.advance()
    for (let parts = 1; tree === null; parts += 1) {
      if (parts > limits.codeParts) return 'too long'
      tree = parse.advance()
    }
    return { text, top: tree.topNode, nodes: nodesOf(tree) }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return 'not python'
    throw error
  }
}

function nodesOf(tree: Tree): readonly SyntaxNode[] {
  const cursor = tree.cursor()
  const nodes: SyntaxNode[] = []
  do nodes.push(cursor.node)
  while (cursor.next())
  return nodes
}

export function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  const children: SyntaxNode[] = []
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child)
  return children
}

/** The nearest node around this one that has one of the names; null where there is none. */
export function around(node: SyntaxNode, names: readonly string[]): SyntaxNode | null {
  for (let each = node.parent; each !== null; each = each.parent) if (names.includes(each.name)) return each
  return null
}

export function textOf({ text }: Pick<Syntax, 'text'>, node: { readonly from: number; readonly to: number }): string {
  return text.slice(node.from, node.to)
}

/** From 1. */
export function lineAt(text: string, position: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < position; at = text.indexOf('\n', at + 1)) line += 1
  return line
}

/** One argument of a call as it stands in the text. `star` is '*' or '**' before it. */
export interface Argument {
  readonly value: SyntaxNode
  readonly key: string | null
  readonly star: '' | '*' | '**'
  /** With its key or star. */
  readonly from: number
  readonly to: number
}

/** Null for a bare generator, `f(x for x in y)`: its one argument has no node of its own. */
export function argumentsOf(syntax: Syntax, call: SyntaxNode): readonly Argument[] | null {
  const list = call.getChild('ArgList')
  if (list === null || list.getChild('for') !== null) return null
  const found: Argument[] = []
  let part: SyntaxNode[] = []
  for (const child of childrenOf(list).slice(1)) {
    if (child.name === 'Comment') continue
    if (child.name !== ',' && child.name !== ')') part.push(child)
    else if (part.length > 0) {
      found.push(argumentOf(syntax, part))
      part = []
    }
  }
  return found
}

function argumentOf(syntax: Syntax, part: readonly SyntaxNode[]): Argument {
  const [first, second] = part
  const value = part.at(-1)
  if (first === undefined || value === undefined) throw new RangeError('an argument without a node')
  const star = first.name === '*' || first.name === '**' ? first.name : ''
  const key = second?.name === 'AssignOp' ? textOf(syntax, first) : null
  return { value, key, star, from: first.from, to: value.to }
}

/** What is called, as it is written without blanks: `asyncio.gather`, `f`; null for anything more involved. */
export function calleeOf(syntax: Syntax, call: SyntaxNode): string | null {
  const callee = call.firstChild
  if (callee === null || callee.to - callee.from > longestName) return null
  if (callee.name !== 'VariableName' && callee.name !== 'MemberExpression') return null
  const name = textOf(syntax, callee).replace(/\s+/g, '')
  return /^[\p{L}\p{N}_.]+$/u.test(name) ? name : null
}

/** Longer ones are none of ours, and looking at each part of a long chain takes the square of its length. */
export const longestName = 200
