import { AppError } from '../domain/error.ts'
import { previewOf } from '../domain/event.ts'
import { faultPoint } from '../domain/fault-point.ts'
import { limits } from '../domain/limits.ts'
import { type ContextMessage, conversationContext } from '../domain/profile.ts'
import type { Journal } from '../events/events.ts'
import type { ChildRest, Children, Conversation, RecordedQuery, Taint } from '../orchestrator/orchestrator.ts'
import { asParent } from './children.ts'
import { runMarkOf } from './run-mark.ts'
import { planRun } from './spawn-run.ts'
import type { RunCall, RunCalls, Working } from './working.ts'

interface RunCallParts {
  readonly journal: Journal
  readonly taint: Taint
  readonly conversation: Conversation
  readonly children: Children
}

export function createRunCalls(working: Working, { journal, taint, conversation, children }: RunCallParts): RunCalls {
  const { run, parts } = working
  const { thread } = run
  const { store } = parts

  function begunBy(callKey: string): string | undefined {
    return store.threads.childrenOf(thread.id).find(({ id }) => runMarkOf(store, id)?.call === callKey)?.id
  }

  async function begin({ callKey, wish }: RunCall, place: Place): Promise<string> {
    if (thread.depth >= limits.maxDepth) throw tooDeep(runMarkOf(store, thread.id) !== undefined)
    const wanted = await wish({ conversation: await conversationText(place), sources: taint.sources })
    run.controller.signal.throwIfAborted()
    const marked = { ...wanted, mark: { ...wanted.mark, call: callKey } }
    const { child, insert } = planRun(parts, { parent: asParent(working), wish: marked, sources: taint.sources })
    const facts = { step: place.step, path: place.child, childId: child.id, number: child.number }
    journal.stage({ kind: 'child.spawned', data: { ...facts, summary: previewOf(wanted.goal) } })
    faultPoint('child.planned')
    journal.commitWith((append) => {
      insert(append)
      faultPoint('child.inserted')
    })
    faultPoint('child.spawned')
    return child.id
  }

  /** A short conversation as it is; of a long one the fast tier's summary, or its end where there is no model. */
  async function conversationText(place: Place): Promise<string> {
    const { step, query } = place
    const messages = conversation.messages.flatMap(({ role, content }): readonly ContextMessage[] =>
      (role === 'user' || role === 'assistant') && content.trim() !== '' ? [{ role, content }] : [],
    )
    const whole = messages.map(({ role, content }) => `${role}: ${content}`).join('\n\n')
    if (whole.length <= limits.conversationContextCharacters) return whole
    const prompt = `${instructions}\n\n${whole.slice(-mostSummed).toWellFormed()}`
    const signal = run.controller.signal
    try {
      const asked = { step, path: query, prompt, maxOutputTokens: limits.summaryTokens, recorded: recorded(place) }
      const summary = await parts.orchestrator.aside({
        ...asked,
        thread,
        journal,
        signal,
        meter: parts.meters.of(thread),
      })
      if (summary !== null && summary.trim() !== '') return summary
    } catch (error) {
      signal.throwIfAborted()
      // Its failure is on record; the end of the conversation is enough to go on with.
      if (!(error instanceof AppError)) throw error
    }
    return conversationContext(messages)
  }

  /** The summary that a run of this call before had asked for. */
  function recorded({ step, query }: Place): RecordedQuery | undefined {
    const row = store.calls.tail(thread.id).get(`${step}/${query}`)
    if (row === undefined) return undefined
    const [last] = row.endSeq === null ? [] : store.events.ofThread(thread.id, row.endSeq - 1, 1)
    const finished = last?.kind === 'query.finished' ? { data: last.data, text: last.body.text } : undefined
    return { purpose: 'conversation', ...(finished && { finished }) }
  }

  function end(place: Place, childId: string, rest: Extract<ChildRest, { kind: 'ended' }>): void {
    const row = store.calls.tail(thread.id).get(`${place.step}/${place.child}`)
    if (row !== undefined && row.endSeq !== null) return
    const { outcome, text, sources } = rest
    const facts = { step: place.step, path: place.child, childId, outcome, ok: outcome === 'answered' }
    const data = { ...facts, summary: previewOf(text), ...(sources.length > 0 && { sources }) }
    journal.stage({ kind: 'child.finished', data, body: { text } })
    faultPoint('child.finished')
  }

  return {
    async run(call) {
      const place = placeOf(call.callKey)
      const childId = begunBy(call.callKey) ?? (await begin(call, place))
      const rest = await children.run(childId)
      faultPoint('child.rested')
      if (rest.kind === 'ended') end(place, childId, rest)
      return { ...rest, childId }
    },
  }
}

interface Place {
  readonly step: number
  /** Below the call's own: its row is the call's. */
  readonly query: string
  readonly child: string
}

function placeOf(callKey: string): Place {
  const [, step = '0', path = ''] = callKey.split('/')
  return { step: Number(step), query: `${path}.0`, child: `${path}.1` }
}

/** Older than that is not summed up: the question has to fit the fast tier's window. */
const mostSummed = 24_000

const instructions =
  'Sum up this conversation in at most 150 words for somebody who takes over one part of it: what the user wants, what is known, names and figures exactly. Answer with the summary only.'

function tooDeep(isRun: boolean): AppError {
  return new AppError('thread.depth', {
    message: `${isRun ? 'a skill’s run' : 'a child of rlm_query'} cannot run ${isRun ? 'another' : 'a'} skill: do it with your own actions, or load the skill`,
    userMessage: isRun
      ? 'A run of a skill wanted to run another one, which is not possible. Nothing was changed.'
      : 'A thread that another one had asked wanted to run a skill, which is not possible. Nothing was changed.',
  })
}
