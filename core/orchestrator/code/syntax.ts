import type { SyntaxNode } from '@lezer/common'
import { parser } from '@lezer/python'

/** A program and its tree. */
export interface Syntax {
  readonly text: string
  readonly top: SyntaxNode
}

/** Tolerant parsing of hostile text costs seconds; what is no Python is told by the interpreter, in its own process. */
const strict = parser.configure({ strict: true })

/** Null where the text is not Python, or nested deeper than anybody writes. */
export function parsePython(text: string): Syntax | null {
  try {
    return { text, top: strict.parse(text).topNode }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return null
    throw error
  }
}

/** Every node, parents first, in the order of the text. */
export function* nodesIn(root: SyntaxNode): Generator<SyntaxNode> {
  const cursor = root.cursor()
  do {
    if (cursor.from >= root.to && cursor.from > root.from) return
    yield cursor.node
  } while (cursor.next())
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
  if (callee === null || (callee.name !== 'VariableName' && callee.name !== 'MemberExpression')) return null
  const name = textOf(syntax, callee).replace(/\s+/g, '')
  return /^[\p{L}\p{N}_.]+$/u.test(name) ? name : null
}
