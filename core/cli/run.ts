import type { LiveEvent } from '../domain/contract.ts'
import { AppError } from '../domain/error.ts'
import type { ActionFinished, LiveDelta } from '../domain/event.ts'
import { modelRefText } from '../domain/model.ts'
import type { ThreadHeader } from '../domain/thread.ts'
import type { Access } from './access.ts'
import { decideHere } from './ask.ts'
import { wrongUsage } from './line.ts'
import { watch } from './rest.ts'
import type { Terminal } from './terminal.ts'
import type { ApproveMode } from './thread-commands.ts'

export interface RunOptions {
  readonly goal: string
  readonly project: string
  readonly model?: string
  /** Its run, in the place of an ordinary thread. */
  readonly skill?: string
  readonly maxSteps?: number
  readonly budgetUsd?: number
  /** Undefined: `ask` on a terminal, else `none`. */
  readonly approve?: ApproveMode
}

/**
 * `run "<goal>"`: one thread from its goal to its next rest. Answers the exit code. @throws AppError usage for `--approve ask`
 * where nobody can be asked.
 */
export async function run(access: Access, terminal: Terminal, options: RunOptions): Promise<number> {
  const { goal, skill, maxSteps, budgetUsd, approve = terminal.canAsk ? 'ask' : 'none' } = options
  if (approve === 'ask' && !terminal.canAsk) throw wrongUsage('--approve ask needs a terminal, without --json')
  const project = await access.call('project.open', { folder: options.project })
  const model = options.model === undefined ? undefined : await findModel(access, terminal, options.model)
  const budget = budgetUsd === undefined ? undefined : await budgetOf(access, budgetUsd)
  const shown = progress(terminal)
  const watching = await watch(access, shown)
  const { threadId } = await access.call('thread.send', {
    projectId: project.id,
    text: goal,
    approvesAll: approve === 'all',
    ...(model && { model }),
    ...(skill && { skill }),
    ...(maxSteps && { maxSteps }),
    ...(budget && { budget }),
  })
  shown.follow(threadId)
  const asks = approve === 'ask'
  const thread = await (asks ? decideHere(access, terminal, watching, threadId) : watching.untilRest(threadId))
  watching.end()
  return report(access, terminal, thread)
}

/** The usual limits of a thread, with another amount of money. */
async function budgetOf(access: Access, usd: number) {
  const { tokens, ms } = (await access.call('settings.get', {})).budgets.thread
  return { tokens, usd, ms }
}

/** What `run` and `thread resume` print of a thread that has come to rest, and the exit code that follows. */
export async function report(access: Access, terminal: Terminal, thread: ThreadHeader): Promise<number> {
  const text = await answerOf(access, thread)
  const actions = await actionsOf(access, thread.id)
  const { id: threadId, state, outcome, steps, inputTokens, outputTokens, usd } = thread
  const usage = { inputTokens, outputTokens, usd }
  terminal.json({ threadId, state, outcome, text, steps, actions, usage })
  if (terminal.isInteractive) terminal.line('')
  else terminal.line(text)
  if (thread.reason !== null && outcome !== 'answered') terminal.note(`${state}: ${thread.reason}`)
  if (state === 'Waiting') terminal.note('`threadsmith approval list` shows what it asks for')
  return exitCodeOf(thread)
}

/** 0 when answered or waiting for a person, 1 for every other end. */
export function exitCodeOf({ outcome, state }: ThreadHeader): number {
  return outcome === 'answered' || state === 'Waiting' ? 0 : 1
}

/** The last thing that the model said in this thread. */
async function answerOf(access: Access, thread: ThreadHeader): Promise<string> {
  const { rows } = await access.call('chat.messages', { conversationId: thread.conversationId, limit: 50 })
  const answers = rows.filter((message) => message.threadId === thread.id && message.role === 'assistant')
  return answers.at(-1)?.content ?? ''
}

async function actionsOf(access: Access, id: string) {
  const actions: { name: string; ok: boolean; ms: number }[] = []
  let afterStep = -1
  for (;;) {
    const { rows, next } = await access.call('thread.calls', { id, afterStep })
    for (const { kind, name, state, startedAt, endedAt } of rows) {
      if (kind === 'action') actions.push({ name, ok: state === 'done', ms: (endedAt ?? startedAt) - startedAt })
    }
    if (next === null) return actions
    afterStep = next
  }
}

/** On a terminal: each action of one thread as it ends, and the answer as it comes. An app has other threads at work. */
export function progress(terminal: Terminal) {
  let followed: string | undefined
  return {
    follow(threadId: string) {
      if (terminal.isInteractive) followed = threadId
    },
    onEvent(event: LiveEvent) {
      if (event.threadId !== followed || event.kind !== 'action.finished' || !isFinished(event.data)) return
      const { name, summary, ok, durationMs } = event.data
      terminal.line(terminal.status(ok ? '✓' : '✕', ok), ` ${name} `, terminal.dim(`${summary}  ${durationMs} ms`))
    },
    onDelta({ threadId, kind, text }: LiveDelta) {
      if (threadId === followed && kind === 'text') terminal.write(text)
    },
  }
}

function isFinished(data: LiveEvent['data']): data is ActionFinished {
  return 'ok' in data && 'summary' in data
}

/** A model by its name or `<provider>/<name>`: among the configured servers, then on the usual local ports. */
async function findModel(access: Access, terminal: Terminal, name: string): Promise<string> {
  for (const provider of await access.call('model.list', {})) {
    const model = provider.models.find((each) => each.model === name || modelRefText(each) === name)
    if (model !== undefined) return modelRefText(model)
  }
  for (const server of await access.call('model.discover', {})) {
    if (!server.models.some((each) => each.model === name)) continue
    const { kind, title, baseUrl } = server
    const saved = await access.call('provider.save', { provider: { kind, title, baseUrl } })
    terminal.note(`${title} at ${baseUrl} was added to your models`)
    return modelRefText({ providerId: saved.id, model: name })
  }
  throw new AppError('model.not_found', {
    message: `no model ${name}`,
    userMessage: `No server offers a model named ${name}. Nothing was run. \`threadsmith model list\` shows what there is.`,
  })
}
