import type { Call } from './canonical.ts'
import { createWorkspace, frameOf, type Workspace } from './frame.ts'
import type { AlignedNode } from './group.ts'
import { learnLoop, planLoop } from './loops.ts'
import { createParameterBook, type ParameterBook } from './parameter-book.ts'
import { isUnexplained, type NodePlan, planCall, type Unexplained } from './plan.ts'
import { sourcesIn } from './source.ts'
import type { Stopwatch } from './stopwatch.ts'

/** What explains the calls of all threads, as far as it does. */
export interface Program {
  readonly nodes: readonly NodePlan[]
  readonly workspace: Workspace
  readonly book: ParameterBook
  /** The first argument that nothing explains; null where all are. */
  readonly unexplained: string | null
}

/** One program for all of these threads, node by node; it ends before the first one that cannot be explained. Source: learning 3.6. */
export async function programOf(
  nodes: readonly AlignedNode[],
  goals: readonly string[],
  stopwatch: Pick<Stopwatch, 'check' | 'rest'>,
): Promise<Program> {
  const book = createParameterBook()
  const workspace = createWorkspace(goals, book, stopwatch.check)
  const plans: NodePlan[] = []
  for (const node of nodes) {
    await stopwatch.rest()
    const found = planNode(node, { workspace, next: plans.length + 1 })
    if (isUnexplained(found))
      return { nodes: plans, workspace, book, unexplained: `n${plans.length + 1}.${found.unexplained}` }
    plans.push(...found)
  }
  return { nodes: plans, workspace, book, unexplained: null }
}

interface Place {
  readonly workspace: Workspace
  /** The number of the next node. */
  readonly next: number
}

function planNode(node: AlignedNode, { workspace, next }: Place): readonly NodePlan[] | Unexplained {
  const name = `n${next}`
  const isOnce = node.body.length === 1 && node.threads.every(({ length }) => length === 1)
  if (isOnce) return planOnce(node, name, workspace)
  const loop = planLoop(node, name, workspace)
  if (!isUnexplained(loop)) {
    learnLoop(loop, workspace)
    return [loop]
  }
  return unrolled(node, { workspace, next }) ?? loop
}

function planOnce(node: AlignedNode, name: string, workspace: Workspace): readonly NodePlan[] | Unexplained {
  const calls = node.threads.flatMap((iterations) => iterations[0]?.[0] ?? [])
  const plan = planCall({
    calls,
    frame: frameOf(
      workspace,
      calls.map((_, thread) => thread),
    ),
  })
  if (isUnexplained(plan)) return plan
  const found = sourcesIn({ code: name, leaf: name, values: calls.map(({ result }) => result) })
  workspace.add(found.scalars, found.lists)
  return [{ name, node, calls: [plan], loop: null }]
}

const mostUnrolled = 8

/** As often in each thread, and no loop: single calls one after the other, as they came or by the look of their arguments. */
function unrolled(node: AlignedNode, { workspace, next }: Place): readonly NodePlan[] | null {
  const [first = []] = node.threads
  const isEven = node.threads.every(({ length }) => length === first.length)
  if (!isEven || first.length * node.body.length > mostUnrolled) return null
  const asTheyCame = node.threads.map((iterations) => iterations.flat())
  const byLook = asTheyCame.map((calls) => [...calls].sort((a, b) => compare(lookOf(a), lookOf(b))))
  const isOneStep = asTheyCame.every((calls) => new Set(calls.map(({ stepId }) => stepId)).size === 1)
  for (const threads of isOneStep ? [asTheyCame, byLook] : [asTheyCame]) {
    const plans = planEach(threads, { workspace, next })
    if (plans !== null) return plans
  }
  return null
}

function planEach(threads: readonly (readonly Call[])[], { workspace, next }: Place): readonly NodePlan[] | null {
  const [first = []] = threads
  const plans: NodePlan[] = []
  for (const at of first.keys()) {
    const node = { body: [''], threads: threads.map((calls) => calls.slice(at, at + 1).map((call) => [call])) }
    const plan = planOnce(node, `n${next + at}`, workspace)
    if (isUnexplained(plan)) return null
    plans.push(...plan)
  }
  return plans
}

/** Arguments without what differs from task to task: letters stay, figures go. */
function lookOf({ key }: Call): string {
  return key.replace(/\d+/g, '0')
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
