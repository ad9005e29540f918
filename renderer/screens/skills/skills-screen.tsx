import { useCallback, useMemo, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Empty } from '../../components/card.tsx'
import { Splitter, usePaneWidth } from '../../components/splitter.tsx'
import { type Undoable, UndoToast } from '../../components/undo-toast.tsx'
import { call } from '../../engine/client.ts'
import type { SkillTab } from '../../routes.ts'
import { go } from '../../state/navigation.ts'
import { loadSkills, rescanSkills } from '../../state/skills.ts'
import { supervise, useApp } from '../../state/store.ts'
import { useLoad } from '../../state/use-load.ts'
import { useMoves } from '../../state/use-moves.ts'
import { useScreenCommand } from '../../state/use-screen-command.ts'
import { useSettled } from '../../state/use-settled.ts'
import { ImportDialog } from './import-dialog.tsx'
import { ProblemPane } from './problem-pane.tsx'
import { type ListView, problemKey, rowsOf, type SkillShelf } from './rows.ts'
import { nextRow, SkillList } from './skill-list.tsx'
import { SkillPane } from './skill-pane.tsx'
import { routeOf } from './skill-row.tsx'
import './skills.css'
import './skill-detail.css'

interface SkillsScreenProps {
  readonly id: string | null
  readonly tab: SkillTab
}

const pulseMs = 400

/** All skills with how they do, one of them whole, and the files that are none. */
export function SkillsScreen({ id, tab }: SkillsScreenProps) {
  const shelf = useShelf()
  const [view, setView] = useState<ListView>('all')
  const [text, setText] = useState('')
  const [isImporting, setImporting] = useState(false)
  const [done, setDone] = useState<Undoable | null>(null)
  const seq = useSettled(
    useApp((state) => state.known.skillSeq),
    pulseMs,
  )
  const projectId = useApp((state) => state.projectId)
  const load = useLoad(useCallback(() => loadSkills(), [seq, projectId]))
  const rows = useMemo(() => (shelf ? rowsOf(shelf, view, text.trim()) : []), [shelf, view, text])
  const shownKey = shelf === null ? id : (keyOf(shelf, id) ?? (id === null ? (nextRow(rows, -1, 1)?.key ?? null) : id))
  const list = usePaneWidth({ name: 'skills', label: 'Width of the list', initial: 520, min: 320, max: 560 })
  const { toggle } = list
  // `toggle` is made anew with the state that it reads.
  useScreenCommand('list.toggle', useCallback(toggle, [list.isOpen]))
  const openImport = useCallback(() => setImporting(true), [])
  useScreenCommand('skill.import', openImport)
  useScreenCommand(
    'skill.rescan',
    useCallback(() => supervise(rescanSkills), []),
  )
  useMoves((by) => {
    const next = nextRow(
      rows,
      rows.findIndex(({ key }) => key === shownKey),
      by,
    )
    if (next) go(routeOf(next))
  })
  const over = useCallback(() => setDone(null), [])
  const isEmpty = shelf !== null && shelf.skills.length + shelf.problems.length + shelf.candidates.length === 0
  const dialog = isImporting && <ImportDialog onClose={() => setImporting(false)} />
  if (isEmpty)
    return (
      <main className="split">
        <h1 className="sr">Skills</h1>
        <NoSkills onImport={openImport} />
        {dialog}
      </main>
    )
  return (
    <main className="split skl" style={{ gridTemplateColumns: `${list.width}px minmax(0, 1fr)` }}>
      <div className="pane">
        {list.isOpen && (
          <SkillList
            {...{ shelf, rows, view, text, shownKey, load }}
            onView={setView}
            onText={setText}
            onImport={openImport}
          />
        )}
      </div>
      <Splitter {...list.splitter} />
      <Shown shelf={shelf} shownKey={shownKey} tab={tab} seq={seq} onDone={setDone} />
      {dialog}
      <UndoToast done={done} onOver={over} />
    </main>
  )
}

function useShelf(): SkillShelf | null {
  const skills = useApp((state) => state.skills)
  const problems = useApp((state) => state.skillProblems)
  const candidates = useApp((state) => state.candidates)
  return useMemo(
    () => (skills === null || problems === null ? null : { skills, problems, candidates }),
    [skills, problems, candidates],
  )
}

/** The row that an address means, where it names a skill by its name. */
function keyOf({ skills, problems }: SkillShelf, id: string | null): string | null {
  if (id === null) return null
  const skill = skills.find((each) => each.id === id) ?? skills.find(({ name }) => name === id)
  return skill?.id ?? (problems.some(({ file }) => problemKey(file) === id) ? id : null)
}

interface ShownProps {
  readonly shelf: SkillShelf | null
  readonly shownKey: string | null
  readonly tab: SkillTab
  readonly seq: number
  onDone(done: Undoable): void
}

function Shown({ shelf, shownKey, tab, seq, onDone }: ShownProps) {
  if (shownKey === null) return <section className="pane detail" aria-label="Skill" aria-busy={shelf === null} />
  const problem = shelf?.problems.find(({ file }) => problemKey(file) === shownKey)
  if (problem) return <ProblemPane key={problem.file} problem={problem} />
  return <SkillPane key={shownKey} id={shownKey} tab={tab} seq={seq} onDone={onDone} />
}

function NoSkills({ onImport }: { onImport(): void }) {
  return (
    <Empty
      title="No skills yet"
      actions={
        <>
          <Button look="primary" onClick={onImport}>
            Import a skill
          </Button>
          <Button onClick={() => supervise(() => call('shell.openSkillsFolder', {}))}>Open the skills folder</Button>
        </>
      }
      hint="A SKILL.md in a folder of its own, or a zip of such folders."
    >
      A skill appears as a candidate after a thread succeeds with five or more steps and three or more different
      actions. It stays inert until you approve it.
    </Empty>
  )
}
