import type { Json, JsonObject } from '../domain/json.ts'
import type { Outcome, ThreadHeader } from '../domain/thread.ts'
import type { Store } from '../store/store.ts'
import { eventsOf } from '../threads/threads.ts'

/** What came of a skill's run. Times are in ms, tokens those of the run and its children. Source: seed L; RULES 19. */
export interface SkillRunResult {
  readonly threadId: string
  /** The answer; of a run that gave none, why. */
  readonly text: string
  /** Of the cards that it drew, in their order, each once. */
  readonly canvasIds: readonly CanvasId[]
  /** Null for one that is suspended: it goes on when it is resumed. */
  readonly outcome: Outcome | null
  /** What is worth saying of how it ended: that its answer was cut off, made from partial work, or is empty. */
  readonly note: string | null
  readonly metrics: SkillRunMetrics
}

/** A card: its own id is one of a thread's, and runs may well choose the same. */
type CanvasId = { readonly threadId: string; readonly id: string }

export interface SkillRunMetrics {
  /** In which it ran; waits do not count. */
  readonly elapsedMs: number
  readonly turns: number
  readonly toolCalls: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly usd: number
}

/** From the run's record. */
export function resultOf(store: Store, thread: ThreadHeader): SkillRunResult {
  const canvasIds = new Set<string>()
  let toolCalls = 0
  let [elapsedMs, turns] = [0, 0]
  for (const event of eventsOf(store, thread.id)) {
    if (event.kind === 'canvas.emitted') canvasIds.add(event.data.id)
    if (event.kind === 'action.finished') toolCalls += 1
    if (event.kind === 'step.started') turns = Math.max(turns, event.data.step + 1)
    if (event.kind === 'skill.ran') elapsedMs = event.data.elapsedMs
  }
  const { outcome, reason, inputTokens, outputTokens, usd } = thread
  const answer = store.events.lastAnswer(thread.id)
  return {
    threadId: thread.id,
    text: answer ?? reason ?? `it ended ${outcome ?? thread.state}`,
    canvasIds: [...canvasIds].map((id) => ({ threadId: thread.id, id })),
    outcome,
    note: answer === undefined ? null : noteOf(answer, reason),
    metrics: { elapsedMs, turns, toolCalls, inputTokens, outputTokens, usd },
  }
}

function noteOf(answer: string, reason: string | null): string | null {
  if (answer.trim() !== '') return reason
  return reason === null ? 'its answer is empty' : `${reason}; its answer is empty`
}

/** What the model reads of it. */
export function told({ text, canvasIds, outcome, note, metrics }: SkillRunResult): JsonObject {
  const { elapsedMs, turns, toolCalls } = metrics
  const more: Record<string, Json> = {}
  if (note !== null) more.note = note
  if (canvasIds.length > 0) more.canvasIds = canvasIds
  return { text, outcome, ...more, metrics: { elapsedMs, turns, toolCalls } }
}
