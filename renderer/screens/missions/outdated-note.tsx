import { Button } from '../../components/button.tsx'
import { Note } from '../../components/card.tsx'
import type { MissionDraft } from './editor-draft.ts'

interface OutdatedNoteProps {
  readonly mine: MissionDraft
  readonly theirs: MissionDraft
  /** That was begun on, and that there is. */
  readonly versions: readonly [begun: number | null, present: number | null]
  onMine(): void
  onTheirs(): void
}

/** The mission was changed while somebody wrote: nothing is saved before a person said which of the two goes on. */
export function OutdatedNote({ mine, theirs, versions, onMine, onTheirs }: OutdatedNoteProps) {
  const [begun, present] = versions
  return (
    <Note
      status="waiting"
      action={
        <span className="row">
          <Button onClick={onMine}>Use mine</Button>
          <Button onClick={onTheirs}>Use what there is</Button>
        </span>
      }
    >
      The mission was changed: v{present} is what there is, and you began with v{begun}. What you typed is kept, nothing
      of it is saved. It differs from v{present} in {differing(mine, theirs).join(', ')}.
    </Note>
  )
}

const fieldWords: Readonly<Record<keyof MissionDraft, string>> = {
  ...{ name: 'name', description: 'sentence', goal: 'goal', success: 'reached when', focus: 'first focus' },
  ...{ when: 'cadence', time: 'cadence', everyCount: 'cadence', everyUnit: 'cadence', day: 'cadence' },
  ...{ expression: 'cadence', on: 'cadence', only: 'cadence', paths: 'cadence', zone: 'time zone' },
  ...{ missed: 'if missed', catchUp: 'if missed', lateness: 'if missed', overlap: 'if still at work' },
  ...{ dailyCap: 'daily cap', cooldown: 'cooldown', dedupe: 'same trigger', pauseAfter: 'pause after failures' },
  ...{ tokens: 'budget', usd: 'budget', steps: 'budget', minutes: 'budget' },
  ...{ tier: 'model', skills: 'skills', actions: 'actions' },
}

/** In which fields two forms differ, each once and by its name. */
export function differing(mine: MissionDraft, theirs: MissionDraft): readonly string[] {
  const theirTexts = new Map(Object.entries(theirs))
  const words = new Map(Object.entries(fieldWords))
  const fields = Object.entries(mine).filter(([key, value]) => value !== theirTexts.get(key))
  return [...new Set(fields.map(([key]) => words.get(key) ?? key))]
}
