import { Fragment, useCallback, useEffect, useRef, useState } from 'react'
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
import { patternSpans } from './pattern-spans.ts'
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
  readonly choice: SkillChoice
  /** What of the goal calls for each skill; those that nothing calls for are left out. */
  readonly found: readonly Found[]
}
interface Found {
  readonly name: string
  readonly texts: readonly string[]
}

type Signed = Pick<SkillDetail, 'name' | 'keywords' | 'tags' | 'patterns'>

async function foundOf(goal: string, { name, keywords, tags, patterns }: Signed): Promise<readonly Found[]> {
  const parts = goalParts(goal, [...keywords, ...tags], await patternSpans(goal, patterns))
  const texts = parts.filter(({ isMarked }) => isMarked).map(({ text }) => text)
  return texts.length === 0 ? [] : [{ name, texts: [...new Set(texts)] }]
}

function DryRun({ skill }: { readonly skill: SkillDetail }) {
  const [goal, setGoal] = useState('')
  const [tried, setTried] = useState<Tried | null>(null)
  const own = useApp((state) => state.projectId)
  const projectId = skill.projectId ?? own
  const run = useAction(async (text: string) => {
    const of = projectId === null ? {} : { projectId }
    const choice = await call('skill.select', { goal: text, ...of })
    const others = choice.selected.filter((name) => name !== skill.name)
    const picked = await Promise.all(others.map((name) => call('skill.get', { name, ...of })))
    const found = await Promise.all([skill, ...picked].map((each) => foundOf(text, each)))
    setTried({ choice, found: found.flat() })
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
            Test
          </Button>
        </div>
      </form>
      {run.error && <ErrorCard title="Nothing could be chosen" error={run.error} />}
      {tried && <Result skill={skill} tried={tried} />}
    </section>
  )
}

function Result({ skill, tried: { choice, found } }: { readonly skill: SkillDetail; readonly tried: Tried }) {
  return (
    <div className="dry-result" role="status">
      {found.length === 0 ? (
        <p className="dim dry-none">No word of it calls for a skill.</p>
      ) : (
        <dl className="kv dry-goal">
          {found.map(({ name, texts }) => (
            <Fragment key={name}>
              <dt>{name} for</dt>
              <dd>
                {texts.map((text) => (
                  <mark key={text} className="breaks">
                    {text}
                  </mark>
                ))}
              </dd>
            </Fragment>
          ))}
        </dl>
      )}
      <ChoiceTable choice={choice} shown={skill.name} />
      {choice.unknown.length > 0 && (
        <p className="small">There is no {choice.unknown.map((name) => `/${name}`).join(', ')} here.</p>
      )}
    </div>
  )
}
