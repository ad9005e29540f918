import type { Project } from '../../../core/domain/project.ts'
import { ErrorCard } from '../../components/card.tsx'
import { Toggle } from '../../components/toggle.tsx'
import { call } from '../../engine/client.ts'
import { setApp, useApp } from '../../state/store.ts'
import { useAction } from '../../state/use-load.ts'

/** Whether a person answers for the files of a folder. */
export function ProjectTrust() {
  const projects = useApp((state) => state.projects)
  if (projects.length === 0) return null
  return (
    <>
      <div className="sech">
        <h2>Trusted projects</h2>
        <span className="mute small">Folders whose files you answer for</span>
      </div>
      <p className="small">
        What a thread has read in files, pages or notes may have been written to mislead it, so a change that you did
        not describe is asked each time, whatever you approved before. In a trusted project, standing approvals cover
        edits that come from its own files and can be undone. Commands, and all that leaves this computer, are asked as
        before.
      </p>
      <div className="card">
        {projects.map((project) => (
          <TrustRow key={project.id} project={project} />
        ))}
      </div>
    </>
  )
}

function TrustRow({ project }: { readonly project: Project }) {
  const { id, name, folder, trusted } = project
  const change = useAction(async (next: boolean) => {
    await call('project.save', { id, patch: { trusted: next } })
    setApp({ projects: await call('project.list', {}) })
  })
  return (
    <>
      <div className="setrow">
        <div>
          <span id={`trust-${id}`}>{name}</span>
          <div className="sub mono breaks">{folder}</div>
        </div>
        <Toggle
          labelledBy={`trust-${id}`}
          isOn={trusted}
          disabled={change.isBusy}
          words={['trusted', 'not trusted']}
          onChange={change.run}
        />
      </div>
      {change.error && <ErrorCard title="The project was not saved" error={change.error} />}
    </>
  )
}
