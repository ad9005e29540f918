import type { ProviderKind } from '../../domain/model.ts'
import type { ModelProvider } from '../provider.ts'
import { anthropic } from './anthropic.ts'
import { google } from './google.ts'
import { ollama } from './ollama.ts'
import { openai } from './openai.ts'
import { openaiCompatible } from './openai-compatible.ts'
import { openrouter } from './openrouter.ts'

/** Kinds of server that are reached over the network. */
export const providers: Readonly<Partial<Record<ProviderKind, ModelProvider>>> = {
  'openai-compatible': openaiCompatible,
  ollama,
  openai,
  anthropic,
  google,
  openrouter,
}
