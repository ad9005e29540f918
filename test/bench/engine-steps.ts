import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { defineAction } from '../../core/capabilities/action.ts'
import type { Completion } from '../../core/domain/model.ts'
import { createEngine, type Engine } from '../../core/engine.ts'

export interface StepCost {
  readonly usPerStep: number
  readonly diskBytesPerStep: number
  readonly slowestStatementMs: number
}

const noop = defineAction({
  name: 'noop',
  description: 'Answers its text.',
  parameters: z.strictObject({ text: z.string() }),
  effects: ['Compute'],
  isIdempotent: true,
  summarize: () => '',
  run: ({ text }) => text,
})

/** One thread of so many steps through the whole engine, everything committed to a fresh store on disk. */
export async function engineSteps(steps: number, resultBytes: number): Promise<StepCost> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'threadsmith-bench-'))
  const text = 'x'.repeat(resultBytes)
  const usage = { inputTokens: 100, outputTokens: 20 }
  let [asked, until] = [0, 0]
  const scripted = {
    models: () => [],
    async complete(): Promise<Completion> {
      asked += 1
      if (asked > until) return { text: 'done', toolCalls: [], finishReason: 'stop', usage }
      const call = { id: `c${asked}`, name: 'noop', arguments: { text } }
      return { text: '', toolCalls: [call], finishReason: 'tool_calls', usage }
    },
  }
  const begin = (count: number) => {
    ;[asked, until] = [0, count]
  }
  const engine = await createEngine({
    dataDir,
    contentDir: path.resolve(import.meta.dirname, '../..'),
    version: 'bench',
    command: 'bench',
    embedded: { scripted },
    actions: [noop],
  })
  try {
    const { id } = await engine.api.call('project.open', { folder: import.meta.dirname })
    const run = (count: number) => {
      begin(count)
      return timeThread(engine, id, count)
    }
    // The first thread of a new store makes its files; the peer has none to make.
    await run(20)
    const usPerStep = await run(steps)
    const slowestStatementMs = Math.max(...engine.store.statementTimes().map((time) => time.worstMs))
    await engine.store.checkpoint()
    const { size } = fs.statSync(path.join(dataDir, 'threadsmith.db'))
    return { usPerStep, diskBytesPerStep: size / (steps + 20), slowestStatementMs }
  } finally {
    await engine.stop('the bench has ended')
    fs.rmSync(dataDir, { recursive: true })
  }
}

async function timeThread(engine: Engine, projectId: string, steps: number): Promise<number> {
  const input = { projectId, text: 'go', model: 'scripted/scripted', maxSteps: steps + 5 }
  const from = performance.now()
  const { threadId } = await engine.api.call('thread.send', input)
  await engine.threads.join([threadId], AbortSignal.timeout(120_000))
  const usPerStep = ((performance.now() - from) * 1_000) / steps
  const thread = await engine.api.call('thread.get', { id: threadId })
  if (thread.outcome !== 'answered' || thread.steps !== steps + 1) {
    throw new Error(`the thread ended ${thread.outcome} after ${thread.steps} steps: ${thread.reason}`)
  }
  return usPerStep
}
