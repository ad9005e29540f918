import { runCommand } from '../commands.ts'
import { StatusIcon } from '../components/status.tsx'
import { folderTail } from '../format/figures.ts'
import { routeHash } from '../routes.ts'
import { modelTitle, projectOf, shownThread } from '../state/select.ts'
import { useApp } from '../state/store.ts'
import { engineLook } from './engine-look.ts'

export function StatusBar() {
  return (
    <footer className="statusbar">
      <EngineState />
      <Slots />
      <Model />
      <span className="grow" />
      <Folder />
    </footer>
  )
}

function EngineState() {
  const phase = useApp((state) => state.shell.phase)
  const fault = useApp((state) => state.info?.fault ?? null)
  const { status, word, title, tone } = engineLook(phase, fault)
  return (
    <a className={tone} href={routeHash({ screen: 'settings', section: 'data' })} title={title}>
      <span className={`st ${status}`}>
        <StatusIcon status={status} />
      </span>
      {word}
    </a>
  )
}

function Slots() {
  const slots = useApp((state) => state.info?.slots)
  if (!slots) return null
  return (
    <a href={routeHash({ screen: 'threads' })} title="Threads that run at the same time">
      {slots.used} of {slots.total} slots{slots.queued > 0 ? `, ${slots.queued} queued` : ''}
    </a>
  )
}

function Model() {
  const title = useApp((state) => state.settings && modelTitle(state.settings, state.tier))
  if (!title) return null
  return (
    <a href={routeHash({ screen: 'settings', section: 'models' })} title="Model of the next message">
      {title}
    </a>
  )
}

function Folder() {
  const project = useApp((state) => projectOf(state.projects, shownThread(state)?.projectId ?? state.projectId))
  return (
    <button type="button" title={project?.folder} onClick={() => runCommand('project.open')}>
      {project ? folderTail(project.folder) : 'Open a folder'}
    </button>
  )
}
