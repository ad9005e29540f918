import type { Names } from './names.ts'
import type { Syntax } from './syntax.ts'

/** A program, what it calls its things, and which host functions it may call. */
export interface Program extends Syntax {
  readonly names: Names
  readonly known: ReadonlySet<string>
}

/** True for a name that the program gave no meaning of its own. */
export function isFree({ names }: Program, name: string): boolean {
  return !names.bound.has(name)
}

export function isHost(program: Program, name: string): boolean {
  return program.known.has(name) && isFree(program, name)
}
