import type { SyntaxNode } from '@lezer/common'
import { without } from './concurrency.ts'
import { type Edit, lineBreaksOf } from './edits.ts'
import { importsOf } from './names.ts'
import { isFree, type Program } from './program.ts'
import { argumentsOf, calleeOf, childrenOf, textOf } from './syntax.ts'

/** What the interpreter lacks and what does the same: the model need not know. */
export function idiomEdits(program: Program, node: SyntaxNode): readonly Edit[] {
  switch (node.name) {
    case 'ImportStatement':
      return importEdits(program, node)
    case 'CallExpression':
      return callEdits(program, node)
    case 'DeleteStatement':
      return deleteEdits(program, node)
    case 'FormatReplacement':
      return groupedEdits(program, node)
    case 'MemberExpression':
      return methodEdits(program, node)
    case 'VariableName':
      return textOf(program, node) === '__name__' ? [{ from: node.from, to: node.to, text: '"__main__"' }] : []
    default:
      return []
  }
}

/** What these import is taken out of the program by other rewriting. */
function importEdits(program: Program, node: SyntaxNode): readonly Edit[] {
  const isGone = importsOf(program, node).every(({ module }) => /^(asyncio|__future__)(\.|$)/.test(module))
  return isGone ? [{ from: node.from, to: node.to, text: `pass${lineBreaksOf(textOf(program, node))}` }] : []
}

function callEdits(program: Program, node: SyntaxNode): readonly Edit[] {
  const callee = calleeOf(program, node)
  const lacks = callee === 'enumerate' ? 'start' : callee === 'print' ? 'file' : null
  const argument = lacks === null ? undefined : argumentsOf(program, node)?.find(({ key }) => key === lacks)
  if (argument === undefined) return []
  return lacks === 'start' ? [{ from: argument.from, to: argument.value.from, text: '' }] : [without(program, argument)]
}

/** `del d[k]` → `d.pop(k)`, `del x` → `x = None`. */
function deleteEdits(program: Program, node: SyntaxNode): readonly Edit[] {
  const targets = childrenOf(node).filter(({ name }) => name !== 'del' && name !== ',')
  const statements = targets.map((target) => deletion(program, target))
  if (statements.includes(null)) return []
  return [{ from: node.from, to: node.to, text: statements.join('; ') + lineBreaksOf(textOf(program, node)) }]
}

function deletion(program: Program, target: SyntaxNode): string | null {
  if (target.name === 'VariableName') return `${textOf(program, target)} = None`
  const open = target.getChild('[')
  if (target.name !== 'MemberExpression' || open === null || textOf(program, target).includes(':')) return null
  return `${program.text.slice(target.from, open.from)}.pop(${program.text.slice(open.to, target.to - 1)})`
}

/** `{n:,.2f}` → `{__grouped__((n), 2)}`. */
function groupedEdits(program: Program, node: SyntaxNode): readonly Edit[] {
  const spec = node.getChild('FormatSpec')
  const value = node.firstChild?.nextSibling
  if (spec === null || value == null || node.getChild('FormatConversion') !== null) return []
  const parts = /^:(?:([^{}]?[<>^])|=)?(\d*),(?:\.(\d+))?[fd]?$/.exec(textOf(program, spec))
  if (parts === null) return []
  const [, align = '>', width = '', places = '-1'] = parts
  const rest = width === '' ? '' : `:${align}${width}`
  return [
    { from: value.from, to: value.from, text: '__grouped__((' },
    { from: spec.from, to: spec.to, text: `), ${places})${rest}` },
  ]
}

/** Methods have no value of their own here: `key=d.get` → `key=(lambda value: d.get(value))`. */
function methodEdits(program: Program, node: SyntaxNode): readonly Edit[] {
  const list = node.parent
  const isGiven = list?.name === 'ArgList' && (isKey(program, node) || isFirstOfMap(program, node, list))
  if (!isGiven || node.getChild('[') !== null) return []
  const method = /^str\.(\w+)$/.exec(textOf(program, node))?.[1]
  if (method !== undefined && isFree(program, 'str'))
    return [{ from: node.from, to: node.to, text: `(lambda value: value.${method}())` }]
  return [
    { from: node.from, to: node.from, text: '(lambda value: ' },
    { from: node.to, to: node.to, text: '(value))' },
  ]
}

function isKey(program: Program, node: SyntaxNode): boolean {
  const equals = node.prevSibling
  const key = equals?.name === 'AssignOp' ? equals.prevSibling : null
  return key != null && textOf(program, key) === 'key'
}

function isFirstOfMap(program: Program, node: SyntaxNode, list: SyntaxNode): boolean {
  const call = list.parent
  const name = call === null ? null : calleeOf(program, call)
  return (name === 'map' || name === 'filter') && node.prevSibling?.name === '(' && isFree(program, name)
}

/** What `__grouped__` is, where a program needs it. */
export const groupedSource = `def __grouped__(n, places):
    text = str(n) if places < 0 else f'{n:.{places}f}'
    whole, dot, rest = text.partition('.')
    sign = '-' if whole.startswith('-') else ''
    digits = whole[len(sign):]
    parts = []
    while len(digits) > 3:
        parts.insert(0, digits[-3:])
        digits = digits[:-3]
    parts.insert(0, digits)
    return sign + ','.join(parts) + dot + rest`
