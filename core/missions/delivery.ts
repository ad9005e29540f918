import { faultPoint } from '../domain/fault-point.ts'
import type { Firing } from '../domain/mission.ts'
import { carryOut, claimTriggerIn, noClaim, notNow } from './claim.ts'
import { requireMission } from './facts.ts'
import type { MissionParts } from './parts.ts'

/** What a webhook brought. */
export interface Delivery {
  readonly missionId: string
  /** Its sender's own name for it: the same is one, whenever it comes again. */
  readonly deliveryId: string
  /** JSON. */
  readonly body: string
}

export interface Delivered {
  readonly firing: Firing
  /** It was delivered before: the firing is that of the first time. */
  readonly isDuplicate: boolean
}

/** One firing for each delivery, however often it comes. @throws AppError mission.not_found, mission.state, mission.payload */
export function claimDelivery(parts: MissionParts, { missionId, deliveryId, body }: Delivery, now: number): Delivered {
  const { store } = parts
  const dedupeKey = `delivery:${deliveryId}`
  faultPoint('mission.claim.before')
  const { claim, before } = parts.events.commit((append) => {
    const first = store.missions.sameKey(missionId, dedupeKey, 0)
    if (first !== undefined) return { claim: noClaim, before: first }
    const mission = requireMission(store, missionId)
    if (store.triggers.get(missionId)?.kind !== 'webhook') throw notNow(mission, 'no webhook sets it off')
    const trigger = { missionId, trigger: 'webhook', payload: body, dedupeKey, causeDepth: 0 } as const
    const claimed = claimTriggerIn(parts, trigger, now, append)
    faultPoint('mission.claim.staged')
    return { claim: claimed, before: undefined }
  })
  const firing = before ?? carryOut(parts, claim).firings[0]
  if (firing === undefined) throw new Error('a delivery was claimed without a row')
  return { firing, isDuplicate: before !== undefined }
}
