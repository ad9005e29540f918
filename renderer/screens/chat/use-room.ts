import { useEffect, useState } from 'react'
import type { Room } from '../../../core/domain/contract.ts'
import type { ModelRef } from '../../../core/domain/model.ts'
import type { ThreadHeader, Tier } from '../../../core/domain/thread.ts'
import { call } from '../../engine/client.ts'
import { useSettled } from '../../state/use-settled.ts'

interface RoomQuestion {
  readonly thread: ThreadHeader | undefined
  readonly tier: Tier
  readonly model: ModelRef
  readonly draftCharacters: number
}

const typingMs = 350

/**
 * What the next request would hold, asked again once typing rests and whenever thread or model change. Null while nobody can
 * say: the room is a hint, and a question about it that fails must not stand in the way of writing.
 */
export function useRoom({ thread, tier, model, draftCharacters }: RoomQuestion): Room | null {
  const [answer, setAnswer] = useState<{ readonly key: string; readonly room: Room } | null>(null)
  const settledCharacters = useSettled(draftCharacters, typingMs)
  const threadId = thread?.id
  const steps = thread?.steps ?? 0
  const isPlanner = model.providerId === 'planner'
  const isAsked = !isPlanner && (threadId !== undefined || settledCharacters > 0)
  const key = `${threadId ?? ''} ${model.providerId}/${model.model}`
  useEffect(() => {
    if (!isAsked) return
    let isCurrent = true
    const question = { ...(threadId !== undefined && { threadId }), tier, draftCharacters: settledCharacters }
    call('thread.room', question).then(
      (room) => isCurrent && setAnswer({ key, room }),
      () => isCurrent && setAnswer(null),
    )
    return () => {
      isCurrent = false
    }
  }, [isAsked, key, threadId, steps, tier, settledCharacters])
  // An answer about another model says nothing about this one.
  return isAsked && answer?.key === key ? answer.room : null
}
