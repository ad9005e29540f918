import { useState } from 'react'
import type { DayBudget, Project } from '../../../core/domain/project.ts'
import { Choice } from '../../components/choice.tsx'
import { call } from '../../engine/client.ts'
import { createTurns } from '../../state/in-turn.ts'
import { setApp, useApp } from '../../state/store.ts'
import { amountText, moneyText, parseTokens, parseUsd } from './amounts.ts'
import { SettingField } from './setting-field.tsx'
import { useDraft } from './use-draft.ts'

/** The day's limits of one folder, beside those that every folder has. */
export function ProjectBudget() {
  const projects = useApp((state) => state.projects)
  const current = useApp((state) => state.projectId)
  const [chosen, setChosen] = useState<string | null>(null)
  const project = projects.find(({ id }) => id === (chosen ?? current)) ?? projects[0]
  if (!project) return null
  return (
    <>
      <div className="setrow">
        <div>
          One project
          <div className="sub">Where both have a limit, the lower one counts.</div>
        </div>
        <Choice
          label="Project"
          options={projects.map(({ id, name, folder }) => ({ value: id, title: name, detail: folder }))}
          value={project.id}
          onChange={setChosen}
        />
      </div>
      <OwnTokens key={`${project.id} tokens`} project={project} />
      <OwnUsd key={`${project.id} usd`} project={project} />
    </>
  )
}

function OwnTokens({ project }: { readonly project: Project }) {
  const draft = useDraft({
    stored: amountText(project.dayBudget.tokens),
    parse: parseTokens,
    save: (tokens) => saveOwn(project.id, { tokens }),
  })
  return <SettingField label={`Tokens of ${project.name}`} unit="tokens" placeholder="no limit" draft={draft} />
}

function OwnUsd({ project }: { readonly project: Project }) {
  const draft = useDraft({
    stored: moneyText(project.dayBudget.usd),
    parse: parseUsd,
    save: (usd) => saveOwn(project.id, { usd }),
  })
  return <SettingField label={`Money of ${project.name}`} unit="USD" placeholder="no limit" draft={draft} />
}

const inTurn = createTurns()

/** From what is stored then: both limits are one value of the project. */
function saveOwn(id: string, part: Partial<DayBudget>): Promise<void> {
  return inTurn(async () => {
    const stored = (await call('project.list', {})).find((project) => project.id === id)
    await call('project.save', { id, patch: { dayBudget: { tokens: null, usd: null, ...stored?.dayBudget, ...part } } })
    setApp({ projects: await call('project.list', {}) })
  })
}
