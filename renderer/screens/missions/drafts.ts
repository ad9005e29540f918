import { isJsonObject } from '../../../core/domain/json.ts'
import { missionEvents } from '../../../core/domain/mission-event.ts'
import { tiers } from '../../../core/domain/thread.ts'
import { newMissionId } from '../../routes.ts'
import { recall, remember } from '../../state/remembered.ts'
import { emptyDraft, everyUnits, filterOf, type MissionDraft, misseds, overlaps, whens } from './editor-draft.ts'

/** What was written of a mission and not saved: it outlives another screen and a reload. */
export interface KeptDraft {
  /** That it was begun on; null for a mission that is not there yet. */
  readonly version: number | null
  readonly draft: MissionDraft
}

export function keptDraft(id: string | null): KeptDraft | null {
  const text = recall(keyOf(id), sessionStorage)
  return text === null ? null : restoredDraft(text)
}

export function keepDraft(id: string | null, kept: KeptDraft | null): void {
  remember(keyOf(id), kept === null ? null : JSON.stringify(kept), sessionStorage)
}

/** As it was kept. Where a field is not what it can be, as another version of the window may have kept it, it is as if it were new. */
export function restoredDraft(text: string): KeptDraft | null {
  const kept = parsed(text)
  if (!isJsonObject(kept) || !isJsonObject(kept.draft)) return null
  const { draft, version } = kept
  if (typeof version !== 'number' && version !== null) return null
  const usual = emptyDraft()
  const texts = Object.entries(usual).map(([key, value]) => {
    const found = draft[key]
    return [key, typeof found === 'string' ? found : value] as const
  })
  return {
    version,
    draft: {
      ...usual,
      ...Object.fromEntries(texts),
      when: oneOf(whens, draft.when, usual.when),
      everyUnit: oneOf(everyUnits, draft.everyUnit, usual.everyUnit),
      on: oneOf(missionEvents, draft.on, usual.on),
      only: typeof draft.only === 'string' && filterOf(draft.only) !== undefined ? draft.only : '',
      missed: oneOf(misseds, draft.missed, usual.missed),
      overlap: oneOf(overlaps, draft.overlap, usual.overlap),
      tier: oneOf(tiers, draft.tier, usual.tier),
    },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function oneOf<Choice extends string>(choices: readonly Choice[], value: unknown, usual: Choice): Choice {
  return choices.find((choice) => choice === value) ?? usual
}

function keyOf(id: string | null): string {
  return `mission.draft.${id ?? newMissionId}`
}
