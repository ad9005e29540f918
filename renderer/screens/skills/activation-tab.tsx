import { useCallback, useEffect, useRef, useState } from 'react'
import { limits } from '../../../core/domain/limits.ts'
import type { SkillChoice, SkillDetail } from '../../../core/domain/skill.ts'
import { Button } from '../../components/button.tsx'
import { ErrorCard } from '../../components/card.tsx'
import { call } from '../../engine/client.ts'
import { FactList, Section } from '../../record/parts.tsx'
import { useApp } from '../../state/store.ts'
import { useAction } from '../../state/use-load.ts'
import { ChoiceTable } from './choice-table.tsx'
import { goalParts } from './goal-marks.ts'
import { Words } from './sign-words.tsx'

/** What brings it into a thread, and a dry run: a goal typed here is chosen for as a new chat's would be. */
export function ActivationTab({ skill }: { readonly skill: SkillDetail }) {
  return (
    <>
      <Signs skill={skill} />
      <DryRun skill={skill} />
    </>
  )
}

function Signs({ skill: { name, keywords, excludeKeywords, patterns, tags, isOnlyByName } }: { skill: SkillDetail }) {
  const list = (words: readonly string[]) => (words.length === 0 ? '–' : <Words words={words} />)
  return (
    <Section title="Chosen by" aside={isOnlyByName ? `only where somebody writes /${name}` : `or by name, /${name}`}>
      <FactList
        facts={[
          ['Keywords', list(keywords)],
          ['Patterns', list(patterns)],
          ['Tags', list(tags)],
          excludeKeywords.length === 0 ? null : ['Ruled out by', list(excludeKeywords)],
        ]}
      />
    </Section>
  )
}

interface Tried {
  readonly goal: string
  readonly choice: SkillChoice
}

function DryRun({ skill }: { readonly skill: SkillDetail }) {
  const [goal, setGoal] = useState('')
  const [tried, setTried] = useState<Tried | null>(null)
  const own = useApp((state) => state.projectId)
  const projectId = skill.projectId ?? own
  const run = useAction(async (text: string) => {
    const choice = await call('skill.select', { goal: text, ...(projectId !== null && { projectId }) })
    setTried({ goal: text, choice })
  })
  const ref = useRef<HTMLTextAreaElement>(null)
  // Whoever comes here means to type a goal.
  useEffect(() => ref.current?.focus({ preventScroll: true }), [])
  const submit = useCallback(() => goal.trim() !== '' && run.run(goal.trim()), [goal, run.run])
  return (
    <section className="section dry" aria-label="Dry run">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <label className="label" htmlFor="dry-goal">
          Test a goal. Nothing is recorded, and no model is asked.
        </label>
        <div className="row dry-row">
          <textarea
            id="dry-goal"
            ref={ref}
            className="input area"
            rows={2}
            maxLength={limits.goalCharacters}
            placeholder="What somebody would ask for"
            value={goal}
            onChange={(event) => setGoal(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey) return
              event.preventDefault()
              submit()
            }}
          />
          <Button type="submit" look="primary" shortcut="Enter" disabled={goal.trim() === '' || run.isBusy}>
            Choose
          </Button>
        </div>
      </form>
      {run.error && <ErrorCard title="Nothing could be chosen" error={run.error} />}
      {tried && <Result skill={skill} tried={tried} />}
    </section>
  )
}

function Result({ skill, tried: { goal, choice } }: { readonly skill: SkillDetail; readonly tried: Tried }) {
  const parts = goalParts(goal, [...skill.keywords, ...skill.tags])
  return (
    <div className="dry-result" role="status">
      <p className="dry-goal">
        <span className="mute">Goal</span>
        <span className="breaks">
          {parts.map(({ text, isMarked }, at) => (
            // Parts have no identity but their place.
            <span key={at}>{isMarked ? <mark>{text}</mark> : text}</span>
          ))}
        </span>
      </p>
      <ChoiceTable choice={choice} shown={skill.name} />
      {choice.unknown.length > 0 && (
        <p className="small">There is no {choice.unknown.map((name) => `/${name}`).join(', ')} here.</p>
      )}
    </div>
  )
}
