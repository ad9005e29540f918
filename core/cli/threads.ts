import type { ThreadHeader, ThreadState } from '../domain/thread.ts'
import type { Access } from './access.ts'
import { watch } from './rest.ts'
import { exitCodeOf, progress, report } from './run.ts'
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
  const numbers = await numbersOf(access, rows)
  for (const thread of rows) {
    const { id, number, title, state, goal, createdAt, steps, parentId } = thread
    terminal.json({ id, title, state, goal, createdAt: new Date(createdAt).toISOString(), steps })
    const shownState = terminal.status(stateText(thread), state !== 'Failed')
    const child = parentId === null ? '' : `↳ of #${numbers.get(parentId) ?? '?'}: `
    terminal.line(
      `#${String(number).padEnd(5)} `,
      shownState,
      `  ${child}${title}  `,
      terminal.dim(`${steps} steps, ${id}`),
    )
  }
  if (rows.length === 0) terminal.note('no threads')
  return 0
}

/** Of the threads whose code asked for others, by id. */
async function numbersOf(access: Access, threads: readonly ThreadHeader[]): Promise<ReadonlyMap<string, number>> {
  const parents = [...new Set(threads.flatMap(({ parentId }) => parentId ?? []))]
  const found = await Promise.all(parents.map((id) => access.call('thread.get', { id })))
  return new Map(found.map(({ id, number }) => [id, number]))
}

export function stateText({ state, outcome }: ThreadHeader): string {
  return (outcome === null ? state : `${state}, ${outcome}`).padEnd(16)
}

export async function stop(access: Access, terminal: Terminal, id: string): Promise<number> {
  const { id: threadId, state, number } = await access.call('thread.stop', { id })
  terminal.json({ threadId, state })
  terminal.line(`#${number} ${state}`)
  return 0
}

/** `thread resume`: goes on to the next rest, as `run` does. */
export async function resume(access: Access, terminal: Terminal, id: string): Promise<number> {
  return toRest(access, terminal, () => access.call('thread.resume', { id }))
}

export interface ForkOptions {
  readonly id: string
  /** Counts from 0, as `thread show` does. */
  readonly step: number
  /** What is said after that step. */
  readonly edit?: string
}

/** `thread fork`: a new thread that goes on from a step of another one to its next rest. */
export async function fork(access: Access, terminal: Terminal, { id, step, edit }: ForkOptions): Promise<number> {
  const text = edit === undefined ? {} : { text: edit }
  return toRest(access, terminal, async () => {
    const thread = await access.call('thread.fork', { id, step, ...text })
    terminal.note(`thread #${thread.number} goes on from step ${step} of ${id}`)
    return thread
  })
}

async function toRest(access: Access, terminal: Terminal, begin: () => Promise<ThreadHeader>): Promise<number> {
  const shown = progress(terminal)
  const watching = await watch(access, shown)
  const { id: threadId } = await begin()
  shown.follow(threadId)
  const thread = await watching.untilRest(threadId)
  watching.end()
  if (!terminal.isJson) return report(access, terminal, thread)
  terminal.json({ threadId, state: thread.state })
  return exitCodeOf(thread)
}
