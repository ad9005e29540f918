import { hash } from 'node:crypto'
import type { JsonObject } from '../../domain/json.ts'
import type { Call } from './canonical.ts'
import { bodyLines, functionText, type Line } from './emit.ts'
import type { Episode } from './episode.ts'
import type { AlignedNode } from './group.ts'
import { type Guard, guardsOf } from './guards.ts'
import { functionName, pythonNameOf } from './naming.ts'
import { type FoundParameter, tokensIn } from './parameter-book.ts'
import { type MinedParameter, nameParameters } from './parameters.ts'
import type { NodePlan } from './plan.ts'
import { type Program, programOf } from './program.ts'
import { returnedOf } from './returned.ts'
import type { Stopwatch } from './stopwatch.ts'

/** A function that was learnt from threads side by side, not yet judged. */
export interface Synthesis {
  readonly name: string
  readonly code: string
  readonly lines: readonly Line[]
  readonly parameters: readonly MinedParameter[]
  readonly nodes: readonly NodePlan[]
  readonly guards: readonly Guard[]
  readonly program: Program
  /** The first argument that nothing explains: the function ends before it. */
  readonly unexplained: string | null
  /** A write takes something that only the caller can say. */
  readonly hasFreeWrite: boolean
  /** Its value holds every number and id of the answers, and nothing is left to do. */
  readonly isComplete: boolean
  /** Of the program with its parameters numbered, without what it gives back: equal for programs that do the same. */
  readonly fingerprint: string
}

export interface SynthesisTask {
  readonly nodes: readonly AlignedNode[]
  readonly threads: readonly Episode[]
  /** Of the host: neither the function nor a parameter may hide one. */
  readonly actions: readonly string[]
  readonly stopwatch: Pick<Stopwatch, 'check' | 'rest'>
}

/** From threads side by side to a function. What cannot be explained is cut off, with all that comes after it. */
export async function synthesise({ nodes, threads, actions, stopwatch }: SynthesisTask): Promise<Synthesis> {
  const goals = threads.map(({ goal }) => goal)
  const program = await programOf(nodes, goals, stopwatch)
  const guards = guardsOf(program.nodes)
  const returned = returnedOf(
    program,
    threads.map(({ answer }) => answer),
  )
  const raw = bodyLines(program.nodes, guards, returned.code)
  const code = raw.map(({ text }) => text).join('\n')
  const called = program.nodes.flatMap(({ calls }) => calls.map(({ action }) => action))
  const taken = new Set([...given, ...[...called, ...actions].map(pythonNameOf)])
  const named = nameParameters(program.book.found, { code, goals, taken })
  const body = raw.map((line) => ({ ...line, text: named.name(line.text) }))
  const name = functionName(program.nodes, taken)
  const lines = functionText(
    name,
    named.parameters.map((parameter) => parameter.name),
    body,
  )
  const text = lines.map((line) => line.text).join('\n')
  return {
    ...{ name, lines, guards, program, nodes: program.nodes, unexplained: program.unexplained },
    ...{ code: `${text}\n`, parameters: named.parameters },
    hasFreeWrite: program.nodes.some(({ calls }) =>
      calls.some((call) => call.isWrite && takesFree(call, program.book.found)),
    ),
    isComplete: returned.isComplete && program.unexplained === null,
    fingerprint: hash(
      'sha256',
      numbered(
        raw
          .slice(0, -1)
          .map(({ text: line }) => line)
          .join('\n'),
      ),
    ),
  }
}

/** Names that code finds beside those of the actions. */
const given = ['json', 'given', 'state', 'goal', 'context', 'previous_results', 'step_number', 'user_timezone']

function takesFree(call: NodePlan['calls'][number], found: readonly FoundParameter[]): boolean {
  const free = new Set(found.flatMap(({ token, isFree }) => (isFree ? [token] : [])))
  return [...call.arguments.values()].some(({ code }) => tokensIn(code).some((token) => free.has(token)))
}

function numbered(code: string): string {
  const tokens = tokensIn(code)
  return tokens.reduce((text, token, at) => text.replaceAll(token, `<${at}>`), code)
}

/** The calls that it makes for one of its threads, in its order. */
export function callsOfThread(nodes: readonly NodePlan[], thread: number): readonly Call[] {
  return nodes.flatMap(({ node }) => node.threads[thread]?.flat() ?? [])
}

/** What it was given in one of its threads. */
export function argumentsOfThread(parameters: readonly MinedParameter[], thread: number): JsonObject {
  return Object.fromEntries(parameters.map(({ name, values }) => [name, values[thread] ?? '']))
}
