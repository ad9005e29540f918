import type { LiveEvent } from '../domain/contract.ts'
import { AppError } from '../domain/error.ts'
import type { ActionFinished } from '../domain/event.ts'
import { modelRefText } from '../domain/model.ts'
import type { ThreadHeader } from '../domain/thread.ts'
import type { Access } from './access.ts'
import { watch } from './rest.ts'
import type { Terminal } from './terminal.ts'

export interface RunOptions {
  readonly goal: string
  readonly project: string
  readonly model: string | undefined
  readonly maxSteps: number | undefined
}

/** `run "<goal>"`: one thread from its goal to its next rest. Answers the exit code. */
export async function run(access: Access, terminal: Terminal, options: RunOptions): Promise<number> {
  const project = await access.call('project.open', { folder: options.project })
  const model = options.model === undefined ? undefined : await findModel(access, terminal, options.model)
  const show = terminal.isInteractive ? progress(terminal) : {}
  const watching = await watch(access, show)
  const { threadId } = await access.call('thread.send', {
    projectId: project.id,
    text: options.goal,
    ...(model && { model }),
    ...(options.maxSteps && { maxSteps: options.maxSteps }),
  })
  const thread = await watching.untilRest(threadId)
  watching.end()
  return report(access, terminal, thread)
}

/** What `run` and `thread resume` print of a thread that has come to rest, and the exit code that follows. */
export async function report(access: Access, terminal: Terminal, thread: ThreadHeader): Promise<number> {
  const text = await answerOf(access, thread)
  const actions = await actionsOf(access, thread.id)
  const { id: threadId, state, outcome, steps, inputTokens, outputTokens } = thread
  const usage = { inputTokens, outputTokens, usd: inputTokens + outputTokens === 0 ? 0 : null }
  terminal.json({ threadId, state, outcome, text, steps, actions, usage })
  if (terminal.isInteractive) terminal.line('')
  else terminal.line(text)
  if (thread.reason !== null && outcome !== 'answered') terminal.note(`${state}: ${thread.reason}`)
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

/** On a terminal: each action as it ends, and the answer as it comes. */
function progress(terminal: Terminal) {
  return {
    onEvent(event: LiveEvent) {
      if (event.kind !== 'action.finished' || !isFinished(event.data)) return
      const { name, summary, ok, durationMs } = event.data
      terminal.line(terminal.status(ok ? '✓' : '✕', ok), ` ${name} `, terminal.dim(`${summary}  ${durationMs} ms`))
    },
    onDelta(delta: { kind: string; text: string }) {
      if (delta.kind === 'text') terminal.write(delta.text)
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
