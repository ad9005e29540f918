import type { StoredEvent } from '../../core/domain/event.ts'
import { type RunRecord, runMs, waits } from './run.ts'
import { everyKey, ledgerIn, textOf, touched, turns } from './script.ts'

/** A promise that was not kept. */
export interface Violation {
  readonly what: 'twice' | 'lost' | 'unrecorded' | 'late' | 'stuck' | 'untold' | 'partial'
  readonly detail: string
}

/** A call or a run may take so many times its deadline: the machine has other things to do. */
const longest = 3

/** How long each model call took, as a share of the deadline that it had. */
export function ratiosOf(events: readonly StoredEvent[]): readonly number[] {
  return events.flatMap((event) => {
    if (event.kind === 'model.completed') return [event.data.durationMs / waits.totalMs]
    return event.kind === 'model.failed' ? [event.data.durationMs / deadlineOf(event, events)] : []
  })
}

/** A server that never began has the time for the first token; everything else, own retries too, the time of one whole answer. */
function deadlineOf(failed: StoredEvent & { kind: 'model.failed' }, events: readonly StoredEvent[]): number {
  const { threadId, data, body } = failed
  const isRetried = events.some(
    (event) => event.kind === 'model.retried' && event.threadId === threadId && event.data.step === data.step,
  )
  return /^first-token timeout/.test(body.message) && !isRetried ? waits.firstTokenMs : waits.totalMs
}

export const runRatiosOf = ({ turns: taken }: RunRecord) => taken.map(({ tookMs }) => tookMs / runMs)

/** Everything that was promised, looked at once the run is over. */
export function violationsOf(record: RunRecord): readonly Violation[] {
  return [...ofEffects(record), ...ofTimes(record), ...ofErrors(record), ...ofPartialTexts(record)]
}

function ofEffects({ folder, events, turns: taken }: RunRecord): readonly Violation[] {
  const violations: Violation[] = []
  const done = touched(ledgerIn(folder))
  for (const key of new Set(done)) {
    const count = done.filter((each) => each === key).length
    if (count > 1) violations.push({ what: 'twice', detail: `${key}: ${count} times` })
  }
  const completed = events.flatMap((event) =>
    event.kind === 'action.finished' && event.data.ok && event.data.name === 'touch' ? [event.data.summary] : [],
  )
  if (completed.toSorted().join() !== done.toSorted().join()) {
    violations.push({ what: 'unrecorded', detail: `done ${done.join()}, on record ${completed.join()}` })
  }
  const isAnswered = taken.at(-1)?.outcome === 'answered'
  if (!isAnswered)
    violations.push({ what: 'stuck', detail: `${taken.at(-1)?.thread.reason} once nothing failed any more` })
  const missing = everyKey.filter((key) => !done.includes(key))
  if (isAnswered && missing.length > 0) violations.push({ what: 'lost', detail: missing.join() })
  return violations
}

function ofTimes(record: RunRecord): readonly Violation[] {
  const late = (what: string, ratio: number): Violation => ({
    what: 'late',
    detail: `${what}: ${ratio.toFixed(2)} × its deadline`,
  })
  return [
    ...ratiosOf(record.events).flatMap((ratio) => (ratio > longest ? [late('a model call', ratio)] : [])),
    ...runRatiosOf(record).flatMap((ratio) => (ratio > longest ? [late('a run', ratio)] : [])),
    ...record.turns.flatMap(({ outcome, thread }): Violation[] =>
      outcome === null ? [{ what: 'stuck', detail: `#${thread.number} is ${thread.state}` }] : [],
    ),
  ]
}

/** Each failure has a code of the list, and says what happened, what is safe and what to do. */
function ofErrors({ events, turns: taken }: RunRecord): readonly Violation[] {
  const failed = events.flatMap((event) => (event.kind === 'model.failed' ? [event.data] : []))
  const silent = failed.filter(({ code, userMessage }) => !code.startsWith('model.') || !/ kept\b/.test(userMessage))
  const untold = taken.filter(({ outcome, thread }) => outcome !== 'answered' && outcome !== null && !thread.reason)
  return [
    ...silent.map(({ code, userMessage }): Violation => ({ what: 'untold', detail: `${code}: ${userMessage}` })),
    ...untold.map(({ thread }): Violation => ({ what: 'untold', detail: `#${thread.number} ended without a reason` })),
  ]
}

/** What a person saw of an answer that broke off is on record, and it is the beginning of what the model said. */
function ofPartialTexts({ events, shown }: RunRecord): readonly Violation[] {
  const said = [...Array.from({ length: turns }, (_, turn) => textOf(turn)), 'all is done']
  return events.flatMap((event): Violation[] => {
    if (event.kind !== 'model.failed') return []
    const { partialText } = event.body
    const seen = shown.get(`${event.threadId} ${event.data.step}`) ?? ''
    const isKept = partialText.startsWith(seen) && said.some((text) => text.startsWith(partialText))
    return isKept ? [] : [{ what: 'partial', detail: `shown “${seen}”, kept “${partialText}”` }]
  })
}
