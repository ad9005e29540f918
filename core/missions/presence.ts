import { faultPoint } from '../domain/fault-point.ts'
import type { Firing, Mission } from '../domain/mission.ts'
import { type Claim, carryOut, claimTriggerIn } from './claim.ts'
import type { MissionParts } from './parts.ts'
import { filterOf } from './trigger-filter.ts'

/** Missions that listen to one of the two. */
const mostListening = 10_000

type OnFault = (mission: Mission, error: unknown) => void

/** Those that fire when the app starts. To be called once a start. */
export function claimStart(parts: MissionParts, onFault: OnFault): readonly Firing[] {
  return parts.store.triggers
    .listening('start', mostListening)
    .flatMap(({ mission, heard }) =>
      guarded(mission, onFault, () => claimFor(parts, mission, { payload: { event: 'app-start' }, heard })),
    )
}

/** Those for which it has been quiet long enough, each once in a quiet stretch. `startedAt`: when this process began to look. */
export function claimIdle(parts: MissionParts, startedAt: number, onFault: OnFault): readonly Firing[] {
  const { store, now } = parts
  const listening = store.triggers.listening('idle', mostListening)
  if (listening.length === 0 || store.threads.ofState('Running').length > 0) return []
  // What missions do is no sign of a person.
  const lastAt = store.threads.lastOfPeople(Math.min(...listening.map(({ heard }) => heard)))
  return listening.flatMap(({ mission, heard }) => {
    // The stretch that began with the last thing that a person did has had its firing.
    if (lastAt <= heard) return []
    return guarded(mission, onFault, () => {
      const quietSince = Math.max(lastAt, startedAt, mission.anchorAt)
      if (now() - quietSince < idleMsOf(parts, mission)) return []
      return claimFor(parts, mission, { payload: { event: 'idle', quietSince }, heard: lastAt })
    })
  })
}

function idleMsOf({ store }: MissionParts, mission: Mission): number {
  const cadence = store.missions.definition(mission.id, mission.version)?.cadence
  return cadence?.kind === 'event' ? filterOf(cadence).idleMs : Number.POSITIVE_INFINITY
}

function guarded(mission: Mission, onFault: OnFault, work: () => readonly Firing[]): readonly Firing[] {
  try {
    return work()
  } catch (error) {
    onFault(mission, error)
    return []
  }
}

interface Happened {
  readonly payload: { readonly event: string; readonly quietSince?: number }
  readonly heard: number
}

function claimFor(parts: MissionParts, { id }: Mission, { payload, heard }: Happened): readonly Firing[] {
  faultPoint('mission.claim.before')
  const claim = parts.events.commit((append): Claim => {
    const facts = { missionId: id, trigger: 'event', dedupeKey: null, causeDepth: 0 } as const
    const claimed = claimTriggerIn(parts, { ...facts, payload: JSON.stringify(payload) }, parts.now(), append)
    parts.store.triggers.move(id, heard, 0)
    faultPoint('mission.claim.staged')
    return claimed
  })
  return carryOut(parts, claim).firings
}
