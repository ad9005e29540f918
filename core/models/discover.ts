import { errorBody } from '../domain/error.ts'
import type { DiscoveredServer, ModelInfo } from '../domain/model.ts'
import { failureContext, type ServerTarget } from './complete.ts'
import { type AskJson, keyHeadersOf, type ModelFacts } from './provider.ts'
import { providers } from './providers/index.ts'
import type { Transport } from './transport.ts'

/** A server that people run on this machine, where it listens unless told otherwise. Source: conventions 4.3. */
export interface UsualServer {
  readonly id: string
  readonly kind: DiscoveredServer['kind']
  readonly title: string
  readonly baseUrl: string
}

/** By number, not by name: `localhost` may mean IPv6 first, where most of them do not listen. */
export const usualServers: readonly UsualServer[] = [
  { id: 'ollama', kind: 'ollama', title: 'Ollama', baseUrl: 'http://127.0.0.1:11434' },
  { id: 'lm-studio', kind: 'openai-compatible', title: 'LM Studio', baseUrl: 'http://127.0.0.1:1234/v1' },
  { id: 'llama-cpp', kind: 'openai-compatible', title: 'llama.cpp server', baseUrl: 'http://127.0.0.1:8080/v1' },
  { id: 'vllm', kind: 'openai-compatible', title: 'vLLM', baseUrl: 'http://127.0.0.1:8000/v1' },
]

const discoverMs = 1_500
const listMs = 5_000

interface Asking {
  readonly transport: Transport
  readonly signal: AbortSignal
}

/** Looks at every usual place at once. A place without a server is a row too, with the reason. */
export async function discoverServers(
  places: readonly UsualServer[],
  asking: Asking,
): Promise<readonly DiscoveredServer[]> {
  return Promise.all(places.map((place) => discoverServer(place, asking)))
}

async function discoverServer(place: UsualServer, asking: Asking): Promise<DiscoveredServer> {
  const { id, kind, title, baseUrl } = place
  const provider = providers[kind]
  const row = { kind, title, baseUrl }
  try {
    if (provider === undefined) return { ...row, found: false, models: [] }
    const server = { id, title, address: provider.address(baseUrl), key: undefined }
    const models = await listModels({ provider, server }, { ...asking, timeoutMs: discoverMs })
    return { ...row, found: true, models }
  } catch (error) {
    const body = errorBody(error, 'model.connect')
    // A server that wants a key first is there all the same.
    return { ...row, found: body.code === 'model.auth', models: [], error: body }
  }
}

/** The models that one server offers now; throws `model.*`. */
export async function listModels(
  target: ServerTarget,
  { timeoutMs = listMs, ...asking }: Asking & { readonly timeoutMs?: number },
): Promise<readonly ModelInfo[]> {
  return target.provider.models(target.server, askerOf(target, { ...asking, timeoutMs }))
}

/** What a server says of one of its models; throws `model.*`. */
export async function factsOf(target: ServerTarget, model: string, asking: Asking): Promise<ModelFacts> {
  const ask = askerOf(target, { ...asking, timeoutMs: discoverMs })
  return target.provider.facts(target.server, model, ask)
}

export function askerOf({ provider, server }: ServerTarget, asking: Asking & { readonly timeoutMs: number }): AskJson {
  const { transport, signal, timeoutMs } = asking
  const headers = keyHeadersOf(provider, server)
  return ({ url, body }) =>
    transport.json(
      {
        url,
        headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body }),
      },
      { signal, timeoutMs },
      failureContext(server, ''),
    )
}
