import { z } from 'zod'
import { asAppError } from '../../domain/error.ts'
import { limits } from '../../domain/limits.ts'
import type { EmitSkillsEvent } from './analytics.ts'
import type { SkillRecord, SkillsStoreContract } from './record.ts'

/** Who decides on what an agent wrote. Without one nothing can be written at all. */
export interface SkillReview {
  /** A policy, another agent or a person. Only `{approve: true}` is a yes. */
  readonly approve: (
    candidate: SkillRecord,
    signal: AbortSignal,
  ) => Promise<{ readonly approve: boolean; readonly reason?: string }>
  /** Where candidates wait, and what is approved is written. */
  readonly store: SkillsStoreContract
  /** Default: `limits.skillReviewMs`. Nobody who answers later is heard. */
  readonly timeoutMs?: number
}

/** `version`: the one that it became. */
export type SkillDecision =
  | { readonly approved: true; readonly version: number; readonly reason: string }
  | { readonly approved: false; readonly reason: string }

const answerSchema = z.object({ approve: z.literal(true), reason: z.string().optional() })
const refusalSchema = z.object({ reason: z.string() })

/** Denied unless it is approved: a throw, no answer in time, or anything but a plain yes leaves the candidate inert. */
export async function decideOn(
  candidate: SkillRecord,
  { approve, store, timeoutMs = limits.skillReviewMs }: SkillReview,
  { emit, now, signal }: { readonly emit: EmitSkillsEvent; readonly now: () => number; readonly signal: AbortSignal },
): Promise<SkillDecision> {
  const decision = await promotedOrNot()
  const version = decision.approved ? decision.version : candidate.version
  emit({ kind: 'decided', skill: candidate.name, version, approved: decision.approved, reason: decision.reason })
  return decision

  async function promotedOrNot(): Promise<SkillDecision> {
    try {
      const answer = await withinTime((within) => approve(candidate, within), timeoutMs, signal)
      const yes = answerSchema.safeParse(answer)
      if (!yes.success)
        return { approved: false, reason: refusalSchema.safeParse(answer).data?.reason ?? 'not approved' }
      const { reason } = yes.data
      const { version } = await store.promote(candidate, { approved: true, at: now(), ...(reason && { reason }) })
      return { approved: true, version, reason: reason ?? 'approved' }
    } catch (error) {
      return { approved: false, reason: asAppError(error, 'candidate.blocked').message }
    }
  }
}

async function withinTime<Value>(
  work: (signal: AbortSignal) => Promise<Value>,
  ms: number,
  signal: AbortSignal,
): Promise<Value> {
  const controller = new AbortController()
  const over = new Promise<never>((_resolve, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true })
  })
  const leave = () => controller.abort(signal.reason)
  const timer = setTimeout(() => controller.abort(new Error(`nobody decided within ${ms} ms`)), ms)
  signal.addEventListener('abort', leave, { once: true })
  if (signal.aborted) leave()
  try {
    return await Promise.race([over, work(controller.signal)])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', leave)
  }
}
