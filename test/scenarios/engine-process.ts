// A process that hosts an engine and can be killed at any moment: `node engine-process.ts <dataDir> <folder> <steps>`.
// It starts the thread when the store is new, takes up what a kill left, and says `done` once the thread has ended.
import fs from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { defineAction } from '../../core/capabilities/action.ts'
import { actions } from '../../core/capabilities/capabilities.ts'
import type { CompletionRequest } from '../../core/domain/model.ts'
import { createEngine } from '../../core/engine.ts'

const [dataDir = '', folder = '', stepsText = '0'] = process.argv.slice(2)
const steps = Number(stepsText)

/** An effect that must never be repeated: nobody can undo a line that was appended. */
const appendLine = defineAction({
  name: 'append_line',
  description: 'Appends a line to effects.txt.',
  parameters: z.strictObject({ line: z.string() }),
  effects: ['WriteLocal'],
  isIdempotent: false,
  summarize: ({ line }) => line,
  run: async ({ line }, context) => {
    await pause(2)
    fs.appendFileSync(path.join(context.folder, 'effects.txt'), `${line}\n`)
    await pause(2)
    return line
  },
})

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** The next step follows from the transcript alone, as with any model: how many answers it has given so far. */
async function complete(request: CompletionRequest) {
  await pause(3)
  const turn = request.messages.filter((message) => message.role === 'assistant').length
  const usage = { inputTokens: 10, outputTokens: 5 }
  if (turn >= steps) return { text: `answered after ${turn}`, toolCalls: [], finishReason: 'stop', usage } as const
  // Now and then it only announces what it will do, and the loop has to nudge it.
  if (turn % 10 === 9) return { text: 'Let me check the files.', toolCalls: [], finishReason: 'stop', usage } as const
  const toolCalls = [
    { id: `a${turn}`, name: 'append_line', arguments: { line: `line ${turn}` } },
    { id: `m${turn}`, name: 'memory_write', arguments: { title: 'log', content: `note ${turn}` } },
    { id: `r${turn}`, name: 'list_files', arguments: {} },
  ]
  return { text: '', toolCalls, finishReason: 'tool_calls', usage } as const
}

const engine = await createEngine({
  dataDir,
  contentDir: path.resolve(import.meta.dirname, '../..'),
  version: 'scenario',
  command: 'scenario',
  recover: 'resume',
  actions: [...actions, appendLine],
  embedded: { scripted: { models: () => [], complete } },
})
const { rows } = await engine.api.call('thread.list', {})
let id = rows[0]?.id
if (id === undefined) {
  const project = await engine.api.call('project.open', { folder })
  const input = { projectId: project.id, text: 'go', model: 'scripted/scripted', maxSteps: steps + 10 }
  id = (await engine.api.call('thread.send', input)).threadId
}
const { state } = await engine.api.call('thread.get', { id })
if (state === 'Running') await engine.api.call('thread.send', { threadId: id, text: `said by process ${process.pid}` })
process.send?.('running')
await engine.threads.join([id], AbortSignal.timeout(60_000))
await engine.stop('the scenario has ended')
process.send?.('done')
process.disconnect?.()
