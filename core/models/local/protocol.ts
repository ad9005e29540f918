import { z } from 'zod'
import type { CompletionRequest } from '../../domain/model.ts'

/** Packages of the library that lie in a folder of their own, and what they make it compute on. */
export interface GpuParts {
  readonly kind: 'vulkan' | 'cuda'
  /** Holds `node_modules/@node-llama-cpp/…`. */
  readonly folder: string
  readonly names: readonly string[]
}

/** Parent → child. One model for the whole life of a child: to unload it is to end the process. */
export type Order =
  | {
      readonly op: 'load'
      readonly file: string
      readonly purpose: 'chat' | 'embedding'
      readonly contextTokens: number
      readonly threads: number | null
      /** Null: the build beside the library. */
      readonly gpu: GpuParts | null
    }
  | { readonly op: 'complete'; readonly id: number; readonly request: CompletionRequest }
  | { readonly op: 'embed'; readonly id: number; readonly texts: readonly string[] }
  | { readonly op: 'stop'; readonly id: number }

const id = z.number().int().nonnegative()
const tokens = z.number().int().nonnegative()

/**
 * Child → parent. Native code runs there, so what comes is parsed like any outside input. `failed` without an id: the model
 * could not be loaded, and the child is of no more use.
 */
export const news = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({
    kind: z.literal('loaded'),
    contextTokens: tokens,
    threads: tokens,
    gpu: z.string().nullable(),
    gpuLayers: tokens,
    /** Why the build for the graphics processor was not used, where one was given. */
    gpuProblem: z.string().nullable(),
    memoryBytes: z.number().nonnegative(),
  }),
  z.object({ kind: z.literal('delta'), id, part: z.enum(['text', 'reasoning']), text: z.string() }),
  z.object({ kind: z.literal('call'), id, index: z.number().int().nonnegative(), name: z.string() }),
  /** It writes what is told whole at the end (the arguments of a call): only a sign that it has not come to a halt. */
  z.object({ kind: z.literal('progress'), id }),
  z.object({
    kind: z.literal('done'),
    id,
    finish: z.enum(['stop', 'length', 'tool_calls']),
    inputTokens: tokens,
    cachedInputTokens: tokens,
    outputTokens: tokens,
    /** Arguments as JSON text. */
    calls: z.array(z.object({ name: z.string(), arguments: z.string() })),
  }),
  z.object({
    kind: z.literal('vectors'),
    id,
    vectors: z.array(z.custom<Float32Array>((value) => value instanceof Float32Array)),
  }),
  z.object({
    kind: z.literal('failed'),
    id: id.nullable(),
    reason: z.enum(['library', 'memory', 'load', 'overflow', 'failed', 'stopped']),
    message: z.string(),
    limit: tokens.optional(),
    got: tokens.optional(),
  }),
])
export type News = z.infer<typeof news>
export type Loaded = Extract<News, { kind: 'loaded' }>
export type Failed = Extract<News, { kind: 'failed' }>
