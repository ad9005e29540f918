import path from 'node:path'
import { onTestFinished } from 'vitest'
import { AppError } from '../../../../core/domain/error.ts'
import type { ModelDelta, ModelRef, ToolDefinition } from '../../../../core/domain/model.ts'
import { defaultSettings, type LocalModelSettings, type Settings } from '../../../../core/domain/settings.ts'
import { findLibrary } from '../../../../core/models/local/library.ts'
import { createLocalModels, type LocalModelsOptions } from '../../../../core/models/local/local.ts'
import { createModels, type Models } from '../../../../core/models/models.ts'
import type { SandboxChild } from '../../../../core/sandbox/sandbox.ts'
import { spawnLocal } from '../../../support/children.ts'
import { temporaryFolder } from '../../../support/engine.ts'
import { type TinyLlama, writeTinyLlama } from '../../../support/tiny-gguf.ts'

/** The library is an optional part: where it is absent, what needs it is skipped. */
export const hasLibrary = findLibrary() !== undefined
if (!hasLibrary) console.warn('node-llama-cpp is not installed: tests that run a model are skipped')

export interface LocalWorld {
  readonly local: ReturnType<typeof createLocalModels>
  readonly models: Models
  /** Every process that was started, oldest first. */
  readonly children: readonly SandboxChild[]
  readonly list: () => readonly LocalModelSettings[]
  /** Adds a tiny llama and answers how to ask for it. */
  readonly give: (options?: TinyLlama & { readonly name?: string }) => Promise<ModelRef>
}

export function localWorld(
  options: Partial<LocalModelsOptions> & {
    readonly limits?: Settings['modelLimits']
    /** Told what each process sends. */
    readonly onMessage?: (message: unknown) => void
  } = {},
): LocalWorld {
  const { limits = {}, onMessage, ...parts } = options
  const dataDir = options.dataDir ?? temporaryFolder()
  const spawn = options.spawn ?? spawnLocal
  const children: SandboxChild[] = []
  let list: readonly LocalModelSettings[] = []
  const save = (models: readonly LocalModelSettings[]) => {
    list = models
  }
  const clock = { now: () => Date.UTC(2026, 0, 1), monotonic: () => performance.now() }
  const local = createLocalModels({
    dataDir,
    list: { current: () => list, save },
    idleMs: () => 60_000,
    clock,
    ...parts,
    spawn: () => {
      const child = spawn()
      children.push(child)
      if (onMessage !== undefined) child.onMessage(onMessage)
      return child
    },
  })
  const models = createModels({
    settings: () => ({ ...defaultSettings, modelLimits: limits }),
    secrets: { get: async () => undefined },
    embedded: {},
    local,
    clock,
    random: () => 0.5,
    wait: async () => undefined,
  })
  onTestFinished(async () => {
    await models.close()
    await local.close()
  })
  return {
    local,
    models,
    children,
    list: () => list,
    async give({ name = 'tiny', ...tiny } = {}) {
      const file = writeTinyLlama(path.join(temporaryFolder(), `${name}.gguf`), tiny)
      const added = await local.add(file)
      // One thread: the machine that runs the tests may be busy, and threads of one model wait for each other.
      await local.change(added.name, { contextTokens: null, threads: 1 })
      return { providerId: 'local', model: added.name }
    },
  }
}

export interface Question {
  readonly text?: string
  readonly tools?: readonly ToolDefinition[]
  readonly maxOutputTokens?: number
  readonly signal?: AbortSignal
  readonly onDelta?: (delta: ModelDelta) => void
}

/** One question at temperature 0, with all that was streamed. */
export async function askLocal(models: Models, ref: ModelRef, question: Question = {}) {
  const { text = 'hello', tools = [], maxOutputTokens = 24, signal = new AbortController().signal } = question
  const deltas: ModelDelta[] = []
  const onDelta = (delta: ModelDelta) => {
    deltas.push(delta)
    question.onDelta?.(delta)
  }
  const call = { ref, messages: [{ role: 'user' as const, content: text }], tools, maxOutputTokens, temperature: 0 }
  const completed = await models.complete(call, { signal, onDelta })
  return { ...completed, deltas }
}

export async function failureOf(promise: Promise<unknown>): Promise<AppError> {
  try {
    await promise
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('it did not fail')
}
