import { shortcutOf } from '../../commands.ts'
import { Button } from '../../components/button.tsx'
import { Icon } from '../../components/icon.tsx'
import { Mark } from '../../components/mark.tsx'
import type { MissionDraft } from './editor-draft.ts'

const starters: readonly (readonly [title: string, detail: string, draft: Partial<MissionDraft>])[] = [
  [
    'Daily summary',
    '17:00, Monday to Friday. Reads only.',
    {
      name: 'daily-summary',
      description: 'What changed in this folder today.',
      goal: 'Look at what changed in the project folder since the last summary and say it in at most ten lines.',
      ...{ when: 'weekdays', time: '17:00', actions: 'list_dir, read_file, grep, time' },
    },
  ],
  [
    'Nightly link check',
    '02:00 daily. Asks before it changes a page.',
    {
      name: 'nightly-link-check',
      description: 'Finds links of the docs that lead nowhere.',
      goal: 'Follow the links of the Markdown files in the project folder and list those that lead nowhere.',
      ...{ when: 'daily', time: '02:00' },
    },
  ],
  [
    'Triage new issues',
    'Every 15 minutes. Labels wait for you.',
    {
      name: 'issue-triage',
      description: 'Reads new issues, labels them, links duplicates. Never closes, never replies.',
      goal: 'Read the issues that were opened since the last run, label them and link duplicates. Never close one, never reply.',
      ...{ when: 'every', everyCount: '15', everyUnit: 'minutes', dailyCap: '40' },
    },
  ],
]

interface StartersProps {
  readonly hasBuiltIn: boolean
  onUse(draft: Partial<MissionDraft>): void
  onNew(): void
}

/** What a mission is, and three to begin with: each is only written into the form, nothing is saved. */
export function Starters({ hasBuiltIn, onUse, onNew }: StartersProps) {
  return (
    <div className="void msn-void">
      <Mark size={40} />
      <h2>No missions of yours yet</h2>
      <p>
        A mission is a goal with a schedule. Each run is a thread that you can open, with its own budget and daily
        limit.
      </p>
      <ul className="card msn-starters">
        {starters.map(([title, detail, draft]) => (
          <li key={title}>
            <Icon name="missions" />
            <span>
              <span className="medium">{title}</span>
              <span className="mute small msn-block">{detail}</span>
            </span>
            <Button aria-label={`Use ${title}`} onClick={() => onUse(draft)}>
              Use
            </Button>
          </li>
        ))}
      </ul>
      <div className="acts">
        <Button look="primary" shortcut={shortcutOf('mission.new') ?? ''} onClick={onNew}>
          Write a mission
        </Button>
      </div>
      {hasBuiltIn && (
        <p className="hint">The learning missions in the list are built in: open one to see what it does.</p>
      )}
    </div>
  )
}
