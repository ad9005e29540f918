import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { type Action, defineAction } from '../../core/capabilities/action.ts'
import type { EffectType } from '../../core/domain/action.ts'
import type { Completion } from '../../core/domain/model.ts'
import { createEngine, type Engine } from '../../core/engine.ts'
import { textOfStep } from './text-of-step.mjs'
import { type Timed, timed } from './timed.mjs'

export interface StepCost extends Timed {
  /** What each further step adds to the store's file once its log is moved into it. */
  readonly diskBytesPerStep: number
  /** What must be stored of a step: the model's answer with the call's arguments, and the result. */
  readonly payloadBytesPerStep: number
  readonly slowestStatementMs: number
}

/** `reads`: on record in one transaction with its result. `writes`: its intent is committed before it runs, so two a step. */
export type StepKind = 'reads' | 'writes'

export interface Steps {
  readonly steps: number
  /** Of the call's argument, and of its result. */
  readonly textBytes: number
  readonly kind: StepKind
}

const parameters = z.strictObject({ text: z.string() })

function noop(name: string, effects: readonly EffectType[]): Action {
  return defineAction({
    ...{ name, effects, parameters, isIdempotent: name === 'reads' },
    description: 'Answers its text.',
    summarize: () => '',
    run: ({ text }) => text,
  })
}

/** One thread of so many steps through the whole engine, everything committed to a fresh store on disk. */
export async function engineSteps({ steps, textBytes, kind }: Steps): Promise<StepCost> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'threadsmith-bench-'))
  const usage = { inputTokens: 100, outputTokens: 20 }
  let [asked, until] = [0, 0]
  // A window that is never full: the peers do not compact.
  const models = [{ providerId: 'scripted', model: 'scripted', title: 'scripted', contextTokens: 10_000_000 }]
  const scripted = {
    models: () => models,
    async complete(): Promise<Completion> {
      asked += 1
      if (asked > until) return { text: 'done', toolCalls: [], finishReason: 'stop', usage }
      const call = { id: `c${asked}`, name: kind, arguments: { text: textOfStep(asked, textBytes) } }
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
    actions: [noop('reads', ['Compute']), noop('writes', ['WriteLocal'])],
  })
  try {
    const { id } = await engine.api.call('project.open', { folder: import.meta.dirname })
    const run = (count: number) => {
      begin(count)
      return timeThread(engine, id, count)
    }
    const sizeNow = async () => {
      await engine.store.checkpoint()
      return fs.statSync(path.join(dataDir, 'threadsmith.db')).size
    }
    // A store in use: its files are made, and its log is as long as it was before it was moved into them.
    await run(steps)
    const before = await sizeNow()
    const { usPerStep, cpuUsPerStep } = await run(steps)
    const slowestStatementMs = Math.max(...engine.store.statementTimes().map((time) => time.worstMs))
    const diskBytesPerStep = ((await sizeNow()) - before) / steps
    const payloadBytesPerStep = payloadBytes(textBytes, kind)
    return { usPerStep, cpuUsPerStep, diskBytesPerStep, payloadBytesPerStep, slowestStatementMs }
  } finally {
    await engine.stop('the bench has ended')
    fs.rmSync(dataDir, { recursive: true })
  }
}

function payloadBytes(textBytes: number, kind: StepKind): number {
  const text = textOfStep(1, textBytes)
  const answer = { text: '', toolCalls: [{ id: 'c100', name: kind, arguments: { text } }] }
  return JSON.stringify(answer).length + JSON.stringify({ result: text }).length
}

async function timeThread(engine: Engine, projectId: string, steps: number): Promise<Timed> {
  const input = { projectId, text: 'go', model: 'scripted/scripted', maxSteps: steps + 5 }
  let id = ''
  const figures = await timed(steps, async () => {
    id = (await engine.api.call('thread.send', input)).threadId
    await engine.threads.join([id], AbortSignal.timeout(120_000))
  })
  const thread = await engine.api.call('thread.get', { id })
  if (thread.outcome !== 'answered' || thread.steps !== steps + 1) {
    throw new Error(`the thread ended ${thread.outcome} after ${thread.steps} steps: ${thread.reason}`)
  }
  return figures
}
