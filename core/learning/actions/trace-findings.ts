import { z } from 'zod'
import { type Action, defineAction } from '../../capabilities/capabilities.ts'
import type { JsonObject } from '../../domain/json.ts'
import { type Finding, type FindingsParts, findingsFor } from '../findings.ts'
import { isForeignResult } from './foreign-result.ts'

/** What went wrong since the last time, with what is known to mend it; a known fix is proposed at once. */
export function createTraceFindingsAction(parts: FindingsParts): Action {
  return defineAction({
    name: 'trace_findings',
    description:
      'What went wrong in threads that ended since it was last asked: each kind of issue, how often, and the known fix that was proposed for it. Those that are open have none.',
    parameters: z.strictObject({}),
    effects: ['ReadLocal', 'Compute'],
    // Keyed by the call: run again, it reads and proposes the same.
    isIdempotent: true,
    source: (_parameters, ended) =>
      ended.ok && isForeignResult(ended.value)
        ? { kind: 'error', name: 'threads that went wrong', isOfProject: false }
        : null,
    summarize: () => 'issues since the last time',
    run(_parameters, { projectId, threadId, callKey }) {
      const { threads, findings, isMore } = findingsFor(parts, { projectId, threadId, callKey })
      const told = findings.map(findingFacts)
      return {
        ...{ threads, findings: told, isMore, isUntrusted: findings.some(({ isUntrusted }) => isUntrusted) },
        ...accountOf(threads, findings),
      }
    },
  })
}

function findingFacts({ signature, issue, threads, known, made }: Finding): JsonObject {
  return {
    issue: signature,
    severity: issue.severity,
    reason: issue.reason,
    threads: threads.map(({ number }) => number),
    known: known.map(({ id, level, strategy }) => ({ id, level, strategy })),
    made: madeWords(made),
  }
}

function madeWords(made: Finding['made']): string {
  switch (made.kind) {
    case 'item':
      return `${made.item.id}: ${made.item.state}, by the known fix ${made.patternId}`
    case 'doc':
      return `${made.docId}: ${made.title}`
    case 'refused':
      return `not taken: ${made.why}`
    case 'open':
      return 'open'
  }
}

/** What a firing may say of itself where nothing else was done. */
function accountOf(threads: number, findings: readonly Finding[]): JsonObject {
  if (threads === 0) return { done: 'Nothing went wrong since the last time.', evidence: [] }
  const of = (kind: Finding['made']['kind']) => findings.filter(({ made }) => made.kind === kind)
  const made = [...of('item'), ...of('doc')]
  const [open, refused] = [of('open').length, of('refused')]
  const [first] = refused
  const rest = [
    open === 0 ? '' : ` ${open} ${open === 1 ? 'kind of issue has' : 'kinds of issues have'} no known fix.`,
    first === undefined ? '' : ` ${refused.length} ${madeWords(first.made)}.`,
  ].join('')
  return {
    done: `Looked at ${threads} ${threads === 1 ? 'thread' : 'threads'} that went wrong; made ${made.length} of ${findings.length} by known fixes.${rest}`,
    evidence: made.slice(0, 10).map(({ signature, made: each }) => `${signature}: ${madeWords(each)}`),
  }
}
