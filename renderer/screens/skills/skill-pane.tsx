import { useCallback, useState } from 'react'
import type { SkillDetail, SkillUse } from '../../../core/domain/skill.ts'
import { Button } from '../../components/button.tsx'
import { ErrorCard, ErrorNote, Skeleton } from '../../components/card.tsx'
import { TabList } from '../../components/tab-list.tsx'
import type { Undoable } from '../../components/undo-toast.tsx'
import { call } from '../../engine/client.ts'
import { type SkillTab, skillRoute, skillTabs } from '../../routes.ts'
import { go, replaceRoute } from '../../state/navigation.ts'
import { loadSkills, readSkill } from '../../state/skills.ts'
import { useApp } from '../../state/store.ts'
import { useLoad } from '../../state/use-load.ts'
import { ActivationTab } from './activation-tab.tsx'
import { BodyTab } from './body-tab.tsx'
import { FilesTab } from './files-tab.tsx'
import { MetricsTab } from './metrics-tab.tsx'
import { OverviewTab } from './overview-tab.tsx'
import { ProblemsTab } from './problems-tab.tsx'
import { SkillEditor } from './skill-editor.tsx'
import { SkillHead } from './skill-head.tsx'
import { useSkillActions } from './use-skill-actions.tsx'
import { UsesTab } from './uses-tab.tsx'
import { VersionsTab } from './versions-tab.tsx'

interface SkillPaneProps {
  readonly id: string
  readonly tab: SkillTab
  /** Moves when a skill changed. */
  readonly seq: number
  onDone(done: Undoable): void
}

interface Read {
  readonly skill: SkillDetail
  readonly uses: readonly SkillUse[]
}

/** The skill that the address names. */
export function SkillPane({ id, tab, seq, onDone }: SkillPaneProps) {
  const [read, setRead] = useState<Read | null>(null)
  const readNow = useCallback(async () => {
    const skill = await readSkill(id)
    setRead({ skill, uses: await call('skill.uses', { id: skill.id }) })
  }, [id])
  const load = useLoad(useCallback(() => readNow(), [readNow, seq]))
  const changed = useCallback(async () => {
    await readNow()
    await loadSkills()
  }, [readNow])
  if (read) return <Skill {...read} tab={tab} onChanged={changed} onDone={onDone} />
  return (
    <section className="pane detail" aria-label="Skill">
      {load.phase === 'failed' ? (
        <div className="padded">
          <ErrorCard
            title="This skill could not be read"
            error={load.error}
            actions={
              <>
                <Button look="primary" onClick={load.retry}>
                  Read again
                </Button>
                <Button onClick={() => go(skillRoute(null))}>Show the list</Button>
              </>
            }
          />
        </div>
      ) : (
        <Skeleton rows={7} label="Reading the skill" />
      )}
    </section>
  )
}

interface SkillProps extends Read {
  readonly tab: SkillTab
  onChanged(): Promise<void>
  onDone(done: Undoable): void
}

function Skill({ skill, uses, tab, onChanged, onDone }: SkillProps) {
  const [isEditing, setEditing] = useState(false)
  const actions = useSkillActions(skill, { onChanged, onDone })
  if (isEditing)
    return (
      <SkillEditor
        skill={skill}
        onSaved={() => {
          setEditing(false)
          return onChanged()
        }}
        onClose={() => setEditing(false)}
      />
    )
  return (
    <section className="pane detail" aria-label={skill.name}>
      <SkillHead skill={skill} actions={actions} onEdit={() => setEditing(true)} />
      {actions.error && (
        <div className="sk-note">
          <ErrorNote title="Nothing was changed" error={actions.error} />
        </div>
      )}
      <Tabs skill={skill} uses={uses} tab={tab} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region is scrolled by keyboard */}
      <div className="pane-body scrolls sk-body" role="tabpanel" aria-label={tabTitles[tab]} tabIndex={0} key={tab}>
        <TabBody skill={skill} uses={uses} tab={tab} onRollback={actions.askRollback} onChanged={onChanged} />
      </div>
      {actions.dialog}
    </section>
  )
}

const tabTitles: Readonly<Record<SkillTab, string>> = {
  overview: 'Overview',
  body: 'Body',
  metrics: 'Metrics',
  versions: 'Versions',
  activation: 'Activation',
  uses: 'Used by',
  files: 'Files',
  problems: 'Problems',
}

function Tabs({ skill, uses, tab }: Read & { readonly tab: SkillTab }) {
  const problems = useProblemCount(skill)
  const counts: Partial<Record<SkillTab, number>> = {
    versions: skill.versions.length,
    uses: uses.length,
    files: skill.resources.length,
    problems,
  }
  return (
    <TabList
      label="Skill"
      className="tabs"
      tabs={skillTabs
        .filter((name) => (name !== 'files' && name !== 'problems') || counts[name] !== 0 || name === tab)
        .map((name) => {
          const count = counts[name]
          return { name, title: tabTitles[name], ...(count !== undefined && { hint: count.toLocaleString('en') }) }
        })}
      current={tab}
      onChoose={(name) => replaceRoute(skillRoute(skill.id, name))}
    />
  )
}

function useProblemCount({ diagnostics, file }: SkillDetail): number {
  const files = useApp((state) => state.skillProblems)
  return Math.max(diagnostics.length, files?.find((each) => each.file === file)?.diagnostics.length ?? 0)
}

interface TabBodyProps extends Read {
  readonly tab: SkillTab
  onRollback(to: number): void
  onChanged(): Promise<void>
}

function TabBody({ skill, uses, tab, onRollback, onChanged }: TabBodyProps) {
  switch (tab) {
    case 'overview':
      return <OverviewTab skill={skill} uses={uses} />
    case 'body':
      return <BodyTab skill={skill} />
    case 'metrics':
      return <MetricsTab skill={skill} uses={uses} />
    case 'versions':
      return <VersionsTab skill={skill} onRollback={onRollback} />
    case 'activation':
      return <ActivationTab skill={skill} />
    case 'uses':
      return <UsesTab uses={uses} />
    case 'files':
      return <FilesTab skill={skill} />
    case 'problems':
      return <ProblemsTab skill={skill} onMended={onChanged} />
  }
}
