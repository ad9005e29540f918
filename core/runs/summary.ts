import { hash } from 'node:crypto'
import { limits } from '../domain/limits.ts'
import { boundText } from '../domain/text.ts'
import { isTerminal, type ThreadHeader } from '../domain/thread.ts'
import type { Memory } from '../memory/memory.ts'
import { createTaint } from '../orchestrator/orchestrator.ts'
import type { Store } from '../store/store.ts'
import { eventsOf, runMarkOf } from '../threads/threads.ts'

export interface SummaryParts {
  readonly store: Store
  readonly memory: Pick<Memory, 'writeDoc'>
}

/** More do not end in the moments before a crash. */
const newestThreads = 20

/**
 * What a run answered, for those that come after it: a Summary with skill and objective as its tags. A tag is short, and ends
 * with … where it was cut; the objective is whole in the text. One thread is one write, however often it is made. Source: seed L, Side effects on completion; RULES 40.
 */
export function keepSummary({ store, memory }: SummaryParts, thread: ThreadHeader): void {
  const mark = isTerminal(thread.state) ? runMarkOf(store, thread.id) : undefined
  const answer = mark && store.events.lastAnswer(thread.id)
  if (mark === undefined || answer === undefined || answer.trim() === '') return
  const objective = thread.goal.replace(/\s+/g, ' ').trim()
  memory.writeDoc({
    ...{ projectId: thread.projectId, type: 'Summary', provenance: 'action' },
    title: titleOf(`${mark.skill}: ${objective}`),
    content: contentOf(thread.goal.trim(), answer),
    tags: ['skill-run', boundText(mark.skill, longestTag), boundText(objective, longestTag)],
    untrusted: hasReadOthers(store, thread.id),
    ...{ sourceThreadId: thread.id, callKey: `${thread.id}/summary` },
  })
}

/** Of the newest threads that ended in a process that did not live to keep it. */
export function keepMissedSummaries(parts: SummaryParts): void {
  const newest = parts.store.threads.list({ conversations: false, limit: newestThreads })
  for (const thread of newest) keepSummary(parts, thread)
}

/** Two long ones that begin alike stay two: runs of one objective are versions of one doc. */
function titleOf(whole: string): string {
  const bounded = boundText(whole, limits.memoryTitleCharacters)
  if (bounded === whole) return whole
  const mark = ` (${hash('sha256', whole).slice(0, 6)})`
  return `${boundText(whole, limits.memoryTitleCharacters - mark.length)}${mark}`
}

/** As long as a person's own tags may be. */
const longestTag = 40

/** Whole where both fit; else each has at least its half. */
function contentOf(objective: string, answer: string): string {
  const most = limits.memoryDocCharacters
  const frame = 'Objective: \n\n'.length
  const told = boundText(objective, Math.max(most / 2, most - answer.length) - frame)
  return boundText(`Objective: ${told}\n\n${answer}`, most)
}

function hasReadOthers(store: Store, threadId: string): boolean {
  const taint = createTaint({ trustsProject: false, said: [] })
  for (const event of eventsOf(store, threadId)) taint.note(event)
  return taint.sources.length > 0
}
