import { useCallback, useMemo, useState } from 'react'
import { Splitter, usePaneWidth } from '../../components/splitter.tsx'
import { type Undoable, UndoToast } from '../../components/undo-toast.tsx'
import { type MissionPlace, missionRoute, newMissionId } from '../../routes.ts'
import { loadMissions } from '../../state/missions.ts'
import { go, replaceRoute } from '../../state/navigation.ts'
import { useApp } from '../../state/store.ts'
import { useLoad } from '../../state/use-load.ts'
import { useMoves } from '../../state/use-moves.ts'
import { useScreenCommand } from '../../state/use-screen-command.ts'
import { keepDraft } from './drafts.ts'
import { emptyDraft, type MissionDraft } from './editor-draft.ts'
import { MissionEditor } from './mission-editor.tsx'
import { groupsOf, MissionList } from './mission-list.tsx'
import { MissionPane } from './mission-pane.tsx'
import { Starters } from './starters.tsx'
import './missions.css'
import './loom.css'
import './mission-editor.css'

interface MissionsScreenProps {
  readonly id: string | null
  readonly tab: MissionPlace
}

/** All missions with what they did and what comes next, and one of them whole. */
export function MissionsScreen({ id, tab }: MissionsScreenProps) {
  const missions = useApp((state) => state.missions)
  // Events read again what they name; the whole list only where the store was opened anew.
  const phase = useApp((state) => state.shell.phase)
  const load = useLoad(useCallback(() => loadMissions(), [phase]))
  const [done, setDone] = useState<Undoable | null>(null)
  const list = usePaneWidth({ name: 'missions', label: 'Width of the list', initial: 440, min: 320, max: 560 })
  const groups = useMemo(() => groupsOf(missions ?? []), [missions])
  const rows = useMemo(() => groups.flatMap((group) => group.rows), [groups])
  const own = groups.find(({ isOwn }) => isOwn)?.rows ?? []
  // Without one of one's own, what a mission is and how one is made is worth more than the first of those that are built in.
  const shownId = id ?? own[0]?.id ?? null
  const isNew = id === newMissionId
  const isForm = isNew || (id !== null && tab === 'edit')
  const { toggle } = list
  // `toggle` is made anew with the state that it reads.
  useScreenCommand('list.toggle', useCallback(toggle, [list.isOpen]))
  const write = useCallback(() => go(missionRoute(newMissionId)), [])
  useScreenCommand('mission.new', write)
  useMoves((by) => {
    const at = rows.findIndex((mission) => mission.id === shownId)
    const next = rows[Math.max(0, Math.min(rows.length - 1, at + by))]
    if (next && !isForm) go(missionRoute(next.id))
  })
  const over = useCallback(() => setDone(null), [])
  function begin(draft: Partial<MissionDraft>): void {
    keepDraft(null, { version: null, draft: { ...emptyDraft(), ...draft } })
    write()
  }
  if (missions?.length === 0 && id === null)
    return (
      <main className="split">
        <h1 className="sr">Missions</h1>
        <Starters hasBuiltIn={false} onUse={begin} onNew={write} />
        <UndoToast done={done} onOver={over} />
      </main>
    )
  return (
    <main className="split msn" style={{ gridTemplateColumns: `${list.width}px minmax(0, 1fr)` }}>
      <div className="pane">
        {list.isOpen && <MissionList {...{ missions, groups, load, shownId }} onNew={write} />}
      </div>
      <Splitter {...list.splitter} />
      {isForm ? (
        <MissionEditor
          key={id}
          id={isNew ? null : id}
          onSaved={(savedId) => replaceRoute(missionRoute(savedId))}
          onClose={() => replaceRoute(missionRoute(isNew ? null : id))}
        />
      ) : shownId !== null ? (
        <MissionPane key={shownId} id={shownId} tab={tab === 'edit' ? 'overview' : tab} onDone={setDone} />
      ) : (
        <section className="pane detail" aria-label="Mission" aria-busy={missions === null}>
          {missions !== null && <Starters hasBuiltIn={rows.length > 0} onUse={begin} onNew={write} />}
        </section>
      )}
      <UndoToast done={done} onOver={over} />
    </main>
  )
}
