import type { Activation } from './activation.ts'
import { wordsOf } from './activation.ts'
import type { Episode } from './episode.ts'
import { nodesBehind } from './lines.ts'
import type { Synthesis } from './synthesis.ts'

/** Where each part of what was mined comes from. Source: RULES 22, learning 3.13. */
export interface Evidence {
  readonly lines: readonly LineEvidence[]
  readonly parameters: readonly { readonly name: string; readonly values: readonly ThreadValue[] }[]
  readonly keywords: readonly { readonly keyword: string; readonly threadIds: readonly string[] }[]
  /** Arguments that something else would have explained as well. */
  readonly ambiguous: readonly {
    readonly node: string
    readonly argument: string
    readonly alternatives: readonly string[]
  }[]
}

export interface LineEvidence {
  /** Counts from 1. */
  readonly line: number
  readonly text: string
  /** None for a line that no call shows. */
  readonly calls: readonly { readonly threadId: string; readonly stepId: string; readonly callId: string }[]
}
export interface ThreadValue {
  readonly threadId: string
  readonly value: string
}

const mostCalls = 24

export function evidenceOf(synthesis: Synthesis, threads: readonly Episode[], activation: Activation): Evidence {
  const { lines, nodes, parameters } = synthesis
  const byNode = new Map(
    nodes.map(({ name, node }) => [name, node.threads.flatMap((iterations) => iterations.slice(0, 2).flat())]),
  )
  const behind = nodesBehind(lines, nodes)
  return {
    lines: lines.map(({ text }, at) => ({
      ...{ line: at + 1, text },
      calls: (behind[at] ?? [])
        .flatMap((name) => byNode.get(name) ?? [])
        .slice(0, mostCalls)
        .map(({ threadId, stepId, callId }) => ({ threadId, stepId, callId })),
    })),
    parameters: parameters.map(({ name, values }) => ({
      name,
      values: threads.map(({ threadId }, thread) => ({ threadId, value: values[thread] ?? '' })),
    })),
    keywords: activation.keywords.map((keyword) => ({
      keyword,
      threadIds: threads.filter(({ goal }) => wordsOf(goal).has(keyword)).map(({ threadId }) => threadId),
    })),
    ambiguous: nodes.flatMap(({ name, calls }) =>
      calls.flatMap((call) =>
        [...call.arguments].flatMap(([argument, { alternatives }]) =>
          alternatives.length === 0 ? [] : [{ node: name, argument, alternatives }],
        ),
      ),
    ),
  }
}
