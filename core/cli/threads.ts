import type { CallRow, ThreadHeader, ThreadState } from '../domain/thread.ts'
import type { Access } from './access.ts'
import { watch } from './rest.ts'
import { report } from './run.ts'
import type { Terminal } from './terminal.ts'

export interface ListOptions {
  readonly state: ThreadState | undefined
  readonly limit: number
  readonly before: string | undefined
}

/** `thread list`: newest first. */
export async function list(access: Access, terminal: Terminal, options: ListOptions): Promise<number> {
  const before = options.before === undefined ? undefined : await access.call('thread.get', { id: options.before })
  const { rows } = await access.call('thread.list', {
    limit: options.limit,
    ...(options.state && { state: options.state }),
    ...(before && { before: before.number }),
  })
  for (const thread of rows) {
    const { id, number, title, state, goal, createdAt, steps } = thread
    terminal.json({ id, title, state, goal, createdAt: new Date(createdAt).toISOString(), steps })
    const shownState = terminal.status(stateText(thread), state !== 'Failed')
    terminal.line(`#${String(number).padEnd(5)} `, shownState, `  ${title}  `, terminal.dim(`${steps} steps, ${id}`))
  }
  if (rows.length === 0) terminal.note('no threads')
  return 0
}

function stateText({ state, outcome }: ThreadHeader): string {
  return (outcome === null ? state : `${state}, ${outcome}`).padEnd(16)
}

export interface ShowOptions {
  readonly id: string
  readonly events: boolean
  readonly messages: boolean
}

/** `thread show`: the thread with its steps, and on request its events (whole, in order) and messages. */
export async function show(access: Access, terminal: Terminal, options: ShowOptions): Promise<number> {
  const thread = await access.call('thread.get', { id: options.id })
  const calls = await allCalls(access, thread.id)
  const steps = stepsOf(calls)
  const events = options.events ? await allEvents(access, thread.id) : undefined
  const messages = options.messages ? await messagesOf(access, thread) : undefined
  terminal.json({ ...thread, steps, ...(events && { events }), ...(messages && { messages }) })
  terminal.line(`#${thread.number} ${thread.title}`)
  terminal.line(
    terminal.dim(`${stateText(thread).trim()}${thread.reason === null ? '' : `: ${thread.reason}`}  ${thread.id}`),
  )
  for (const { step, model, ms, actions } of steps) {
    terminal.line(`step ${step}  ${model}  ${ms ?? '…'} ms`)
    for (const action of actions) {
      const isGood = action.state === 'done'
      const mark = terminal.status(isGood ? '✓' : '✕', isGood)
      terminal.line('  ', mark, ` ${action.name} `, terminal.dim(action.summary), `  ${action.ms ?? '…'} ms`)
    }
  }
  for (const event of events ?? [])
    terminal.line(`${event.seq} ${new Date(event.at).toISOString()} ${event.kind} ${JSON.stringify(event.data)}`)
  for (const message of messages ?? []) terminal.line(`\n${message.role}:\n${message.content}`)
  return 0
}

export async function stop(access: Access, terminal: Terminal, id: string): Promise<number> {
  const { id: threadId, state, number } = await access.call('thread.stop', { id })
  terminal.json({ threadId, state })
  terminal.line(`#${number} ${state}`)
  return 0
}

/** `thread resume`: goes on to the next rest, as `run` does. */
export async function resume(access: Access, terminal: Terminal, id: string): Promise<number> {
  const watching = await watch(access, {})
  const { id: threadId } = await access.call('thread.resume', { id })
  const thread = await watching.untilRest(threadId)
  watching.end()
  if (!terminal.isJson) return report(access, terminal, thread)
  terminal.json({ threadId, state: thread.state })
  return thread.outcome === 'answered' || thread.state === 'Waiting' ? 0 : 1
}

async function allCalls(access: Access, id: string): Promise<CallRow[]> {
  const calls: CallRow[] = []
  let afterStep: number | null = -1
  while (afterStep !== null) {
    const page: { rows: readonly CallRow[]; next: number | null } = await access.call('thread.calls', { id, afterStep })
    calls.push(...page.rows)
    afterStep = page.next
  }
  return calls
}

function stepsOf(calls: readonly CallRow[]) {
  const models = calls.filter((call) => call.kind === 'model')
  const actions = Map.groupBy(
    calls.filter((call) => call.kind === 'action'),
    (call) => call.step,
  )
  return models.map((model) => ({
    step: model.step,
    model: model.name,
    state: model.state,
    ms: durationOf(model),
    inputTokens: model.inputTokens,
    outputTokens: model.outputTokens,
    actions: (actions.get(model.step) ?? []).map((action) => ({
      path: action.path,
      name: action.name,
      state: action.state,
      ok: action.state === 'done',
      summary: action.summary,
      ms: durationOf(action),
    })),
  }))
}

function durationOf({ startedAt, endedAt }: CallRow): number | null {
  return endedAt === null ? null : endedAt - startedAt
}

async function allEvents(access: Access, id: string) {
  const events = []
  let after: number | null = 0
  while (after !== null) {
    const page: { rows: readonly { seq: number }[]; next: number | null } = await access.call('thread.events', {
      id,
      after,
    })
    for (const { seq } of page.rows) events.push(await access.call('event.body', { seq }))
    after = page.next
  }
  return events
}

async function messagesOf(access: Access, thread: ThreadHeader) {
  const { rows } = await access.call('chat.messages', { conversationId: thread.conversationId, limit: 1_000 })
  return rows.filter((message) => message.threadId === thread.id)
}
