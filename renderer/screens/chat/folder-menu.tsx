import { Menu } from '@base-ui/react/menu'
import { shortcutOf } from '../../commands.ts'
import { Kbd } from '../../components/button.tsx'
import { Icon } from '../../components/icon.tsx'
import { StatusIcon } from '../../components/status.tsx'
import { folderTail, middleCut } from '../../format/figures.ts'
import { pickProject } from '../../state/load.ts'
import { projectOf } from '../../state/select.ts'
import { setApp, supervise, useApp } from '../../state/store.ts'

const shownProjects = 8

interface FolderMenuProps {
  readonly projectId: string | null
  /** What another folder means here: the next message works in it, or a new chat begins. */
  onFolder(): void
}

/** The folder that the chat works in, and the way to another one. */
export function FolderMenu({ projectId, onFolder }: FolderMenuProps) {
  const projects = useApp((state) => state.projects)
  const project = projectOf(projects, projectId)
  function choose(id: string): void {
    setApp({ projectId: id })
    onFolder()
  }
  const pick = () =>
    supervise(async () => {
      if (await pickProject()) onFolder()
    })
  return (
    <Menu.Root>
      <Menu.Trigger className="chip line" title={project ? `Works in ${project.folder}` : 'Choose a folder'}>
        {project && !project.available ? (
          <span className="st failed">
            <StatusIcon status="failed" />
          </span>
        ) : (
          <Icon name="folder" size="tiny" />
        )}
        {project ? folderTail(project.folder) : 'Choose a folder'}
        {project && !project.available && <span className="mute">not reached</span>}
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="float-place" align="start" side="top" sideOffset={6}>
          <Menu.Popup className="menu float">
            {projects.slice(0, shownProjects).map((one) => (
              <Menu.Item key={one.id} className="menu-item" title={one.folder} onClick={() => choose(one.id)}>
                <span className="menu-tick">{one.id === projectId && <Icon name="check" size="small" />}</span>
                <span>{folderTail(one.folder)}</span>
                <span className="grow" />
                <span className="mute small mono">{one.available ? middleCut(one.folder, 38) : 'not reached'}</span>
              </Menu.Item>
            ))}
            {projects.length > 0 && <Menu.Separator className="menu-line" />}
            <Menu.Item className="menu-item" onClick={pick}>
              <span className="menu-tick">
                <Icon name="folder" size="small" />
              </span>
              Open another folder
              <span className="grow" />
              <Kbd keys={shortcutOf('project.open') ?? ''} />
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
