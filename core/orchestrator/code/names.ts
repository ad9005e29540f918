import type { SyntaxNode } from '@lezer/common'
import { around, childrenOf, type Syntax, textOf } from './syntax.ts'

/** What a program calls its things. */
export interface Names {
  /** Everything that it assigns, defines, imports or takes as a parameter. */
  readonly bound: ReadonlySet<string>
  /** Bound outside of functions, with the position of the first time. */
  readonly global: ReadonlyMap<string, number>
  /** What a name of the program means of `asyncio`: `aio` is `asyncio`, `gather` is `asyncio.gather`. */
  readonly asyncio: ReadonlyMap<string, string>
  /** Positions of names that are bound there, or are no uses of a variable at all (keys of arguments, imports). */
  readonly notUsed: ReadonlySet<number>
}

const scopes = ['FunctionDefinition', 'LambdaExpression']

export function namesOf(syntax: Syntax): Names {
  const bound = new Set<string>()
  const global = new Map<string, number>()
  const asyncio = new Map<string, string>()
  const notUsed = new Set<number>()
  const bind = (node: SyntaxNode) => {
    const name = textOf(syntax, node)
    notUsed.add(node.from)
    bound.add(name)
    const isGlobal = node.parent?.name === 'FunctionDefinition' ? !around(node.parent, scopes) : !around(node, scopes)
    if (isGlobal && !global.has(name)) global.set(name, node.from)
  }
  for (const node of syntax.nodes) {
    for (const target of targetsOf(node)) bind(target)
    if (node.name === 'ImportStatement') {
      for (const { module, local, nameNode } of importsOf(syntax, node)) {
        if (module === 'asyncio' || module.startsWith('asyncio.')) asyncio.set(local, module)
        if (nameNode !== null) bind(nameNode)
      }
      for (const name of node.getChildren('VariableName')) notUsed.add(name.from)
    }
    if (node.name === 'AssignOp' && node.parent?.name === 'ArgList' && node.prevSibling)
      notUsed.add(node.prevSibling.from)
  }
  return { bound, global, asyncio, notUsed }
}

/** The nodes of the names that this node binds. */
function targetsOf(node: SyntaxNode): readonly SyntaxNode[] {
  const children = childrenOf(node)
  switch (node.name) {
    case 'AssignStatement': {
      const last = children.findLastIndex((child) => child.name === 'AssignOp')
      return children.slice(0, last).flatMap(variablesIn)
    }
    case 'UpdateStatement':
    case 'NamedExpression':
      return children.slice(0, 1).flatMap(variablesIn)
    case 'FunctionDefinition':
    case 'ClassDefinition':
      return node.getChildren('VariableName').slice(0, 1)
    case 'ParamList':
      return children.filter((child) => child.name === 'VariableName' && child.prevSibling?.name !== 'AssignOp')
    case 'WithStatement':
    case 'TryStatement':
      return children.filter((child) => child.prevSibling?.name === 'as').flatMap(variablesIn)
    default:
      return loopTargets(children)
  }
}

/** Of a `for` statement and of each `for` of a comprehension. */
function loopTargets(children: readonly SyntaxNode[]): readonly SyntaxNode[] {
  const found: SyntaxNode[] = []
  let isInside = false
  for (const child of children) {
    if (child.name === 'for') isInside = true
    else if (child.name === 'in') isInside = false
    else if (isInside) found.push(...variablesIn(child))
  }
  return found
}

function variablesIn(node: SyntaxNode): readonly SyntaxNode[] {
  if (node.name === 'VariableName') return [node]
  const unpacks = ['TupleExpression', 'ArrayExpression', 'ParenthesizedExpression'].includes(node.name)
  return unpacks ? childrenOf(node).flatMap(variablesIn) : []
}

export interface Import {
  /** `json`, `os.path`; of `from asyncio import gather` it is `asyncio.gather`. */
  readonly module: string
  readonly local: string
  /** Null for `*`. */
  readonly nameNode: SyntaxNode | null
}

export function importsOf(syntax: Syntax, statement: SyntaxNode): readonly Import[] {
  const children = childrenOf(statement).filter(({ name }) => !['(', ')', 'Comment'].includes(name))
  const at = children.findIndex((child) => child.name === 'import')
  const origin = children.slice(1, Math.max(at, 1)).map((child) => textOf(syntax, child))
  const parts: SyntaxNode[][] = [[]]
  for (const child of children.slice(at + 1)) {
    if (child.name === ',') parts.push([])
    else parts.at(-1)?.push(child)
  }
  return parts.flatMap((part) => importOf(syntax, part, origin.join('')))
}

function importOf(syntax: Syntax, part: readonly SyntaxNode[], origin: string): readonly Import[] {
  const [first] = part
  if (first === undefined) return []
  const as = part.findIndex((child) => child.name === 'as')
  const path = part.slice(0, as < 0 ? part.length : as)
  const module = [...(origin === '' ? [] : [`${origin}.`]), ...path.map((child) => textOf(syntax, child))].join('')
  const named = as < 0 ? first : part[as + 1]
  const nameNode = named?.name === 'VariableName' ? named : null
  return [{ module, local: nameNode === null ? '*' : textOf(syntax, nameNode), nameNode }]
}
