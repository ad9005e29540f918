import { recall, remember } from '../../state/remembered.ts'
import { emptyDraft, type MissionDraft } from './editor-draft.ts'

/** In the place of an id, for a mission that is not there yet. */
export const newDraftId = 'new'

/** What was written of a mission and not saved: it outlives another screen and a reload. */
export function draftOf(id: string): MissionDraft | null {
  const text = recall(keyOf(id), sessionStorage)
  if (text === null) return null
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? restored(parsed) : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

export function keepDraft(id: string, draft: MissionDraft | null): void {
  remember(keyOf(id), draft === null ? null : JSON.stringify(draft), sessionStorage)
}

/** Each field that is a text as it should be; what an older window wrote of another kind is as if it were empty. */
function restored(parsed: object): MissionDraft {
  const known = new Map<string, unknown>(Object.entries(parsed))
  const texts = Object.entries(emptyDraft()).map(([key, usual]) => {
    const value = known.get(key)
    return [key, typeof value === 'string' ? value : usual]
  })
  return { ...emptyDraft(), ...Object.fromEntries(texts) }
}

function keyOf(id: string): string {
  return `mission.draft.${id}`
}
