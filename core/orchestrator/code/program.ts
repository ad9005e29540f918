import { type Names, namesOf } from './names.ts'
import { calleeOf, type Syntax, textOf } from './syntax.ts'

/** A program, what it calls its things, and which host functions it may call. */
export interface Program extends Syntax {
  readonly names: Names
  readonly known: ReadonlySet<string>
  /** Every call of a host function, in the order of the text. */
  readonly hostCalls: readonly { readonly name: string; readonly from: number }[]
  /** Where each function that the program defines stands. */
  readonly functions: ReadonlyMap<string, { readonly from: number; readonly to: number }>
}

export function createProgram(syntax: Syntax, known: ReadonlySet<string>): Program {
  const names = namesOf(syntax)
  const hostCalls = []
  const functions = new Map<string, { from: number; to: number }>()
  for (const node of syntax.nodes) {
    const callee = node.name === 'CallExpression' ? calleeOf(syntax, node) : null
    if (callee !== null && known.has(callee) && !names.bound.has(callee))
      hostCalls.push({ name: callee, from: node.from })
    const defined = node.name === 'FunctionDefinition' ? node.getChild('VariableName') : null
    if (defined !== null) functions.set(textOf(syntax, defined), { from: node.from, to: node.to })
  }
  return { ...syntax, names, known, hostCalls, functions }
}

/** True for a name that the program gave no meaning of its own. */
export function isFree({ names }: Program, name: string): boolean {
  return !names.bound.has(name)
}

export function isHost(program: Program, name: string): boolean {
  return program.known.has(name) && isFree(program, name)
}

/** The first host function that is called inside this part of the text; null where none is. */
export function hostCalledIn(
  { hostCalls }: Program,
  part: { readonly from: number; readonly to: number },
): string | null {
  return hostCalls.find(({ from }) => from >= part.from && from < part.to)?.name ?? null
}
