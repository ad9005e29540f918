import { Icon, type IconName } from '../../components/icon.tsx'
import { Mark } from '../../components/mark.tsx'
import { folderTail } from '../../format/figures.ts'
import { startChat } from '../../state/drafts.ts'
import { pickProject } from '../../state/load.ts'
import { go } from '../../state/navigation.ts'
import { projectOf } from '../../state/select.ts'
import { supervise, useApp } from '../../state/store.ts'

interface Starter {
  readonly icon: IconName
  readonly text: string
  readonly detail: string
}

const starters: readonly Starter[] = [
  {
    icon: 'folder',
    text: 'What is in this folder, and what is each file about?',
    detail: 'Lists the files, reads them and names what they say. Reads only.',
  },
  {
    icon: 'list',
    text: 'Which files are the largest, and which changed last?',
    detail: 'Sizes and times from the file system, not from the model.',
  },
  {
    icon: 'search',
    text: 'Are there duplicate files here?',
    detail: 'Compares the contents by hash. Changes nothing.',
  },
]

/** A new conversation: what it works in, and three goals to begin with. */
export function Starters() {
  const project = useApp((state) => projectOf(state.projects, state.projectId))
  const isReadOnly = useApp((state) => state.shell.phase === 'readOnly')
  const hasModel = useApp((state) =>
    Object.values(state.settings?.tiers ?? {}).some(({ providerId }) => providerId !== 'planner'),
  )
  return (
    <div className="stream new">
      <div className="col">
        <Mark size={40} />
        <h2 className="page-title">What should be done?</h2>
        {project ? (
          <p className="dim lead" title={project.folder}>
            It works in <span className="mono">{folderTail(project.folder)}</span>. It reads that folder, changes
            nothing in it, and keeps notes in its own memory.
          </p>
        ) : (
          <p className="dim lead">Choose the folder that it may read. It reads nothing outside.</p>
        )}
        <div className="card">
          {project ? (
            starters.map((starter) => (
              <StarterRow
                key={starter.text}
                starter={starter}
                isOff={isReadOnly}
                onChoose={() => startChat(starter.text)}
              />
            ))
          ) : (
            <StarterRow
              starter={{ icon: 'folder', text: 'Choose a folder', detail: 'A conversation works in one folder.' }}
              isOff={isReadOnly}
              onChoose={() => supervise(pickProject)}
            />
          )}
        </div>
        {!hasModel && (
          <p className="mute small after">
            The built-in planner answers now.{' '}
            <button type="button" className="link" onClick={() => go({ screen: 'settings', section: 'models' })}>
              Connect a model
            </button>{' '}
            for requests beyond files, figures and dates.
          </p>
        )}
      </div>
    </div>
  )
}

interface StarterRowProps {
  readonly starter: Starter
  readonly isOff: boolean
  onChoose(): void
}

function StarterRow({ starter, isOff, onChoose }: StarterRowProps) {
  return (
    <button type="button" className="starter" disabled={isOff} onClick={onChoose}>
      <Icon name={starter.icon} />
      <span>
        <span className="medium">{starter.text}</span>
        <span className="sub">{starter.detail}</span>
      </span>
      <Icon name="right" size="small" />
    </button>
  )
}
