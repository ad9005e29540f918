import { AppError } from '../../../core/domain/error.ts'
import type { ModelDelta, ModelRef, ProviderSettings } from '../../../core/domain/model.ts'
import { defaultSettings, type Settings } from '../../../core/domain/settings.ts'
import {
  type Completed,
  createModels,
  type Models,
  type ModelsOptions,
  type RetryNotice,
} from '../../../core/models/models.ts'

export const testModel: ModelRef = { providerId: 'local', model: 'test-model' }

export function localProvider(baseUrl: string, fields: Partial<ProviderSettings> = {}): ProviderSettings {
  return { id: 'local', kind: 'openai-compatible', title: 'Local server', baseUrl, keyName: null, ...fields }
}

export interface TestModels extends Models {
  readonly waits: readonly number[]
}

/** Models on one server; waits are recorded and not waited. */
export function modelsOn(
  provider: ProviderSettings,
  options: Partial<ModelsOptions> & { readonly limits?: Settings['modelLimits'] } = {},
): TestModels {
  const { limits = {}, ...parts } = options
  const waits: number[] = []
  let ids = 0
  const models = createModels({
    settings: () => ({ ...defaultSettings, providers: [provider], modelLimits: limits }),
    secrets: { get: async () => undefined },
    embedded: {},
    clock: { now: () => Date.UTC(2026, 0, 1), monotonic: () => performance.now() },
    random: () => {
      ids += 1
      return (ids % 1000) / 1000
    },
    wait: async (ms) => {
      waits.push(ms)
    },
    ...parts,
  })
  return { ...models, waits }
}

export interface Asked {
  readonly completed?: Completed
  readonly error?: AppError
  readonly deltas: readonly ModelDelta[]
  readonly retries: readonly RetryNotice[]
}

/** One question, with everything that came of it; an error that is no AppError is thrown on. */
export async function ask(
  models: Models,
  options: { readonly signal?: AbortSignal; readonly onDelta?: (delta: ModelDelta) => void } = {},
): Promise<Asked> {
  const deltas: ModelDelta[] = []
  const retries: RetryNotice[] = []
  try {
    const completed = await models.complete(
      { ref: testModel, messages: [{ role: 'user', content: 'hello' }], tools: [] },
      {
        signal: options.signal ?? new AbortController().signal,
        onDelta: (delta) => {
          deltas.push(delta)
          options.onDelta?.(delta)
        },
        onRetry: (notice) => {
          retries.push(notice)
        },
      },
    )
    return { completed, deltas, retries }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { error, deltas, retries }
  }
}
