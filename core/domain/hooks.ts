import type { JsonObject } from './json.ts'

/** A call as a hook sees it. */
export interface HookCall {
  readonly threadId: string
  readonly name: string
  readonly arguments: JsonObject
}

/**
 * Called in the order of the list that `createEngine` is given. `beforeAction` may refuse a call, which can only narrow what
 * policy allows; none can widen it. A hook that throws refuses. Source: RULES 3.
 */
export interface EngineHooks {
  beforeAction?(call: HookCall): { readonly deny: string } | undefined
  afterAction?(done: { readonly threadId: string; readonly name: string; readonly ok: boolean }): void
  beforeModel?(request: { readonly threadId: string; readonly step: number; readonly promptTokens: number }): void
  afterModel?(answer: { readonly threadId: string; readonly step: number; readonly outputTokens: number }): void
}
