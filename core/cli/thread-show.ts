import type { EventHeader } from '../domain/event.ts'
import { limits } from '../domain/limits.ts'
import type { CallRow, ThreadHeader } from '../domain/thread.ts'
import type { Access } from './access.ts'
import type { Terminal } from './terminal.ts'
import { stateText } from './threads.ts'

export interface ShowOptions {
  readonly id: string
  readonly events: boolean
  readonly messages: boolean
}

/**
 * `thread show`: the thread with its steps, what was asked of a person, and on request its events (whole, in order) and
 * messages. Calls of code stand below it, indented.
 */
export async function show(access: Access, terminal: Terminal, options: ShowOptions): Promise<number> {
  const thread = await access.call('thread.get', { id: options.id })
  const steps = stepsOf(await allCalls(access, thread.id))
  const headers = await allHeaders(access, thread.id)
  const forkedFrom = originOf(headers)
  const approvals = approvalsOf(headers)
  const events = options.events ? await wholeEvents(access, headers) : undefined
  const messages = options.messages ? await messagesOf(access, thread) : undefined
  terminal.json({
    ...{ ...thread, ...(forkedFrom && { forkedFrom }), steps, approvals: [...approvals.values()] },
    ...{ ...(events && { events }), ...(messages && { messages }) },
  })
  await printHead(access, terminal, { thread, forkedFrom })
  for (const step of steps) printStep(terminal, step, approvals)
  for (const event of events ?? [])
    terminal.line(`${event.seq} ${new Date(event.at).toISOString()} ${event.kind} ${JSON.stringify(event.data)}`)
  for (const message of messages ?? []) terminal.line(`\n${message.role}:\n${message.content}`)
  return 0
}

interface Head {
  readonly thread: ThreadHeader
  readonly forkedFrom: ReturnType<typeof originOf>
}

async function printHead(access: Access, terminal: Terminal, { thread, forkedFrom }: Head): Promise<void> {
  const { number, title, reason, id, parentId } = thread
  const because = reason === null ? '' : `: ${reason}`
  terminal.line(`#${number} ${title}`)
  terminal.line(terminal.dim(`${stateText(thread).trim()}${because}  ${id}`))
  if (terminal.isJson) return
  if (parentId !== null) {
    const parent = await access.call('thread.get', { id: parentId })
    terminal.line(terminal.dim(`asked for by the code of #${parent.number}`))
  }
  if (forkedFrom !== undefined) {
    const source = await access.call('thread.get', { id: forkedFrom.threadId })
    terminal.line(terminal.dim(`forked from step ${forkedFrom.step} of #${source.number}`))
  }
}

type Step = ReturnType<typeof stepsOf>[number]
type Asked = ReadonlyMap<string, AskedApproval>

function printStep(terminal: Terminal, { step, model, ms, calls }: Step, approvals: Asked): void {
  terminal.line(`step ${step}  ${model}  ${ms ?? '…'} ms`)
  for (const { path, kind, name, state, summary, ms: took } of calls) {
    const indent = '  '.repeat(path.split('.').length)
    const mark = terminal.status(marks[state], state !== 'failed' && state !== 'refused')
    const what = kind === 'action' || kind === 'code' ? name : `${kind} ${name}`
    terminal.line(indent, mark, ` ${what} `, terminal.dim(summary), `  ${took ?? '…'} ms`)
    const approval = approvals.get(`${step}/${path}`)
    if (approval !== undefined) terminal.line(indent, terminal.dim(`  ${decisionText(approval)}`))
  }
}

const marks: Readonly<Record<CallRow['state'], string>> = {
  waiting: '?',
  started: '…',
  done: '✓',
  failed: '✕',
  refused: '✕',
  interrupted: '✕',
  cancelled: '–',
}

function decisionText({ id, state, scope, reason }: AskedApproval): string {
  if (state === 'pending') return `waits for you: threadsmith approval approve ${id}`
  const how = state === 'approved' ? `approved, ${scope ?? 'once'}` : state
  return reason === null ? how : `${how}: ${reason}`
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

/** `actions` are the calls of actions alone, wherever they stand. */
function stepsOf(rows: readonly CallRow[]) {
  const steps = Map.groupBy(rows, (row) => row.step)
  return [...steps.values()].flatMap(([first, ...more]) => {
    if (first === undefined) return []
    const calls = (first.path === '0' ? more : [first, ...more]).map(callOf)
    const { step, name: model, state, inputTokens, outputTokens } = first
    const actions = calls.flatMap(({ kind, childId: _, ...action }) => (kind === 'action' ? [action] : []))
    return [{ step, model, state, ms: durationOf(first), inputTokens, outputTokens, actions, calls }]
  })
}

function callOf(row: CallRow) {
  const { path, kind, name, state, summary, childId } = row
  return { path, kind, name, state, ok: state === 'done', summary, ms: durationOf(row), childId }
}

function durationOf({ startedAt, endedAt }: CallRow): number | null {
  return endedAt === null ? null : endedAt - startedAt
}

async function allHeaders(access: Access, id: string): Promise<readonly EventHeader[]> {
  const headers: EventHeader[] = []
  let after: number | null = 0
  while (after !== null) {
    const asked = { id, after, limit: limits.pageRows }
    const page: { rows: readonly EventHeader[]; next: number | null } = await access.call('thread.events', asked)
    headers.push(...page.rows)
    after = page.next
  }
  return headers
}

async function wholeEvents(access: Access, headers: readonly EventHeader[]) {
  const events = []
  for (const { seq } of headers) events.push(await access.call('event.body', { seq }))
  return events
}

function originOf([first]: readonly EventHeader[]) {
  return first?.kind === 'thread.created' ? first.data.forkedFrom : undefined
}

/** What was asked of a person, by its place in the thread. */
interface AskedApproval {
  readonly id: string
  readonly step: number
  readonly path: string
  readonly action: string
  readonly hash: string
  readonly state: 'pending' | 'approved' | 'denied' | 'expired' | 'cancelled'
  readonly scope: string | null
  readonly reason: string | null
}

function approvalsOf(headers: readonly EventHeader[]): Asked {
  const asked = new Map<string, AskedApproval>()
  for (const { kind, data } of headers) {
    if (kind === 'approval.requested') {
      const { approvalId: id, step, path, name: action, argsHash: hash } = data
      asked.set(`${step}/${path}`, { id, step, path, action, hash, state: 'pending', scope: null, reason: null })
    } else if (kind === 'approval.decided') {
      const key = `${data.step}/${data.path}`
      const before = asked.get(key)
      if (before?.id === data.approvalId)
        asked.set(key, { ...before, state: data.state, scope: data.scope, reason: data.reason })
    }
  }
  return asked
}

async function messagesOf(access: Access, thread: ThreadHeader) {
  const { rows } = await access.call('chat.messages', { conversationId: thread.conversationId, limit: 1_000 })
  return rows.filter((message) => message.threadId === thread.id)
}
