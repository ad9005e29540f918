import type { EvidenceStep, PartEvidence } from '../../domain/candidate.ts'
import type { StoredEvent } from '../../domain/event.ts'
import { sanitizeText } from '../../domain/text.ts'
import type { ThreadHeader } from '../../domain/thread.ts'
import { goalPattern } from '../miner/goal-pattern.ts'
import type { Mined } from '../miner/miner.ts'

/** A thread that something was learnt from, with its log. */
export interface SourceThread {
  readonly thread: Pick<ThreadHeader, 'id' | 'number' | 'goal'>
  readonly record: readonly StoredEvent[]
}

const mostSteps = 6
const quoteCharacters = 160

/** Each part of the file with the steps that it comes from: goals for words and parameters, calls for lines of code. Source: RULES 22. */
export function proofOf(mined: Mined, content: string, sources: readonly SourceThread[]): readonly PartEvidence[] {
  const { activation, evidence } = mined
  const goals = new Map(sources.flatMap((source) => goalOf(source)))
  const calls = new Map(sources.flatMap(callsIn))
  const inGoals = (threadIds: readonly string[]) => threadIds.flatMap((id) => goals.get(id) ?? []).slice(0, mostSteps)
  const words = evidence.keywords.map(
    ({ keyword, threadIds }): PartEvidence => ({
      part: 'keyword',
      text: keyword,
      line: null,
      steps: inGoals(threadIds),
    }),
  )
  const patterns = activation.patterns.map((pattern): PartEvidence => {
    const matching = sources.filter(({ thread }) => goalPattern(pattern).isIn(thread.goal))
    return {
      part: 'pattern',
      text: `(?i)${pattern}`,
      line: null,
      steps: inGoals(matching.map(({ thread }) => thread.id)),
    }
  })
  const lineOf = lineFinder(content)
  const parameters = evidence.parameters.map(({ name, values }): PartEvidence => {
    const said = values.flatMap(({ threadId, value }) => {
      const goal = goals.get(threadId)
      return goal === undefined ? [] : [{ ...goal, quote: quoted(`${value} in: ${goal.quote}`) }]
    })
    return { part: 'parameter', text: name, line: null, steps: said.slice(0, mostSteps) }
  })
  const lines = evidence.lines.flatMap(({ text, calls: made }): readonly PartEvidence[] => {
    if (text.trim() === '') return []
    const steps = spread(made).flatMap(({ threadId, callId }) => calls.get(`${threadId} ${callId}`) ?? [])
    return [{ part: 'line', text: text.trim(), line: lineOf(text), steps: steps.slice(0, mostSteps) }]
  })
  return [...words, ...patterns, ...parameters, ...lines]
}

function goalOf({ thread, record }: SourceThread): readonly (readonly [string, EvidenceStep])[] {
  const created = record.find(({ kind }) => kind === 'thread.created')
  if (created === undefined) return []
  const place = { threadId: thread.id, threadNumber: thread.number, step: 0, seq: created.seq }
  return [[thread.id, { ...place, quote: quoted(thread.goal) }]]
}

function callsIn({ thread, record }: SourceThread): readonly (readonly [string, EvidenceStep])[] {
  return record.flatMap((event) => {
    if (event.kind !== 'action.finished') return []
    const { step, path, name, summary } = event.data
    const place = { threadId: thread.id, threadNumber: thread.number, step, seq: event.seq }
    return [[`${thread.id} ${step}/${path}`, { ...place, quote: quoted(`${name} ${summary}`) }] as const]
  })
}

function quoted(text: string): string {
  return sanitizeText(text).replace(/\s+/g, ' ').trim().slice(0, quoteCharacters).toWellFormed()
}

/** One of each thread first: what many threads did shows more than what one did often. */
function spread<Call extends { readonly threadId: string }>(calls: readonly Call[]): readonly Call[] {
  const firsts = calls.filter(({ threadId }, at) => calls.findIndex((call) => call.threadId === threadId) === at)
  return [...firsts, ...calls.filter((call) => !firsts.includes(call))]
}

/** Lines of the code stand in the file in their order, some of them more than once. */
function lineFinder(content: string): (text: string) => number | null {
  const lines = content.split('\n')
  let from = 0
  return (text) => {
    const at = lines.findIndex((line, place) => place >= from && line.trim() === text.trim())
    if (at < 0) return null
    from = at + 1
    return at + 1
  }
}
