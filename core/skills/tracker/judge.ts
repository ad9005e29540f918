import type { ErrorCode } from '../../domain/error.ts'
import type { StoredEvent } from '../../domain/event.ts'
import { canonicalJson } from '../../domain/json.ts'
import type { ToolCall } from '../../domain/model.ts'
import type { ActiveSkill, SkillUseHow } from '../../domain/skill.ts'
import type { ThreadHeader } from '../../domain/thread.ts'

/** What a thread that ended shows about one skill that it worked with. */
export interface Judged {
  readonly how: SkillUseHow
  readonly outcome: 'success' | 'failure' | null
  readonly reason: string
}

/** A skill of a thread, and how it came to it. */
export interface WorkedWith extends ActiveSkill {
  readonly how: 'selected' | 'loaded' | 'run'
}

/**
 * Judges only outcomes that a skill can influence. In this order: what a person or an outage ended counts nothing; a function of
 * the skill that raised, or whose calls the model made again, is a failure, however the thread ended; then the thread's own end,
 * and what was found wrong with it. Source: RULES 21, learning 4.1.
 */
export function judgeUse(
  skill: WorkedWith,
  thread: Pick<ThreadHeader, 'outcome' | 'state'>,
  record: readonly StoredEvent[],
): Judged {
  const calls = callsOf(skill, record)
  const how = calls.steps.length > 0 ? 'called' : skill.how
  const as = (outcome: Judged['outcome'], reason: string): Judged => ({ how, outcome, reason })
  const ending = endingOf(thread, record)
  if (ending === 'person') return as(null, 'a person ended the thread')
  if (ending === 'outage') return as(null, 'the model or a service could not be reached')
  const raised = calls.raised.find(({ counts }) => counts) ?? calls.raised.at(-1)
  if (raised !== undefined) return as(raised.counts ? 'failure' : null, raised.reason)
  const again = madeAgain(calls, record)
  if (again !== null) return as('failure', `the model made its calls again: ${again}`)
  if (ending === 'failed') return as('failure', 'the thread did not come to an answer')
  const issue = errorIssue(record)
  if (issue !== null) return as('failure', issue)
  return as('success', 'the thread was answered')
}

type Ending = 'answered' | 'failed' | 'outage' | 'person'

function endingOf({ outcome, state }: Pick<ThreadHeader, 'outcome' | 'state'>, record: readonly StoredEvent[]): Ending {
  switch (outcome) {
    case 'answered':
      return 'answered'
    case 'stopped':
    case 'denied':
    case 'interrupted':
    case 'budget':
      return 'person'
    case 'maxSteps':
      return 'failed'
    case 'failed':
    case null: {
      const last = record.findLast((event) => event.kind === 'thread.state' && event.data.code !== undefined)
      const code = last?.kind === 'thread.state' ? last.data.code : undefined
      return code !== undefined && isOutage(code)
        ? 'outage'
        : state === 'Failed' || outcome === 'failed'
          ? 'failed'
          : 'person'
    }
  }
}

/** Nothing that a skill says could have changed these. */
function isOutage(code: ErrorCode): boolean {
  return /^(?:model|store|engine|secret|sandbox|orchestrator|project)\./.test(code)
}

interface SkillCalls {
  /** Steps whose code called a function of the skill. */
  readonly steps: readonly { readonly step: number; readonly path: string }[]
  readonly raised: readonly { readonly counts: boolean; readonly reason: string }[]
}

function callsOf({ name, version }: WorkedWith, record: readonly StoredEvent[]): SkillCalls {
  const steps: { step: number; path: string }[] = []
  const raised: { counts: boolean; reason: string }[] = []
  for (const event of record) {
    if (event.kind !== 'code.finished') continue
    const { step, path, snippets = [] } = event.data
    const own = snippets.filter((each) => each.skill === name && each.version === version)
    if (own.length === 0) continue
    steps.push({ step, path })
    const fault = own.find((each) => each.raised)
    if (fault !== undefined)
      raised.push(raisedAs(fault.name, event.body.traceback ?? '', failedCalls(record, step, path)))
  }
  return { steps, raised }
}

/** Why a function of a skill raised: its own guard, a parameter that was not given, and what was out of reach do not count. */
function raisedAs(
  name: string,
  traceback: string,
  codes: readonly ErrorCode[],
): { readonly counts: boolean; readonly reason: string } {
  if (/skill guard:/.test(traceback))
    return { counts: false, reason: `a guard of ${name} stopped it before it did anything` }
  if (/TypeError: .*(?:missing|unexpected|required).*argument/.test(traceback))
    return { counts: false, reason: `${name} was called without what it needs` }
  if (codes.some((code) => unreachable.test(code)))
    return { counts: false, reason: `${name} could not reach a service` }
  if (codes.some((code) => refused.test(code)))
    return { counts: false, reason: `a person said no to what ${name} would do` }
  return { counts: true, reason: `its function ${name} failed` }
}
const unreachable = /^(?:http\.(?:connect|lost|timeout)|action\.rate|secret\.|http\.credential)/
const refused = /^(?:policy\.denied|approval\.)/

/** Codes of the calls of a code step that failed. */
function failedCalls(record: readonly StoredEvent[], step: number, path: string): readonly ErrorCode[] {
  return record.flatMap((event) =>
    event.kind === 'action.finished' && event.data.step === step && event.data.path.startsWith(`${path}.`)
      ? (event.data.code ?? [])
      : [],
  )
}

/** A thread that ended well only because the model did the skill's work itself. Answers the call; null for none. */
function madeAgain({ steps }: SkillCalls, record: readonly StoredEvent[]): string | null {
  const isOwn = (event: { readonly step: number; readonly path: string }) =>
    steps.some(({ step, path }) => event.step === step && event.path.startsWith(`${path}.`))
  if (steps.length === 0) return null
  const own = new Map<string, number>()
  let asked: readonly ToolCall[] = []
  for (const event of record) {
    if (event.kind === 'model.completed') asked = event.body.toolCalls
    if (event.kind !== 'action.started') continue
    const key = `${event.data.name} ${argumentsOf(event, asked)}`
    if (isOwn(event.data)) own.set(key, event.data.step)
    // A call within the same step is the loop of the code.
    else if ((own.get(key) ?? event.data.step) < event.data.step) return `${event.data.name} ${event.data.summary}`
  }
  return null
}

/** The same text for the same arguments, wherever on record they stand. */
function argumentsOf(
  { data, body }: StoredEvent & { readonly kind: 'action.started' },
  asked: readonly ToolCall[],
): string {
  const call = asked.find(({ id }) => id === data.callId)
  return canonicalJson(body?.arguments ?? (call !== undefined && 'arguments' in call ? call.arguments : data.summary))
}

function errorIssue(record: readonly StoredEvent[]): string | null {
  for (const event of record) {
    if (event.kind !== 'trace.analysed') continue
    const issue = event.data.issues.find((each) => each.severity === 'Error' && each.class !== 'llm_error')
    if (issue !== undefined) return issue.reason
  }
  return null
}
