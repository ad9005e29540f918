import type { ProviderKind } from '../../domain/model.ts'
import type { ModelProvider } from '../provider.ts'
import { ollama } from './ollama.ts'
import { openaiCompatible } from './openai-compatible.ts'

/** Kinds of server that are reached over the network. */
export const providers: Readonly<Partial<Record<ProviderKind, ModelProvider>>> = {
  'openai-compatible': openaiCompatible,
  ollama,
}
