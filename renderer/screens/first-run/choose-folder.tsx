import { useRef } from 'react'
import { Button } from '../../components/button.tsx'
import { ErrorCard } from '../../components/card.tsx'
import { Icon } from '../../components/icon.tsx'
import { Status, type StatusName } from '../../components/status.tsx'
import { pickProject } from '../../state/load.ts'
import { modelTitle, projectOf } from '../../state/select.ts'
import { useApp } from '../../state/store.ts'
import { useAction } from '../../state/use-load.ts'
import { FirstRunFoot, useFocusOn, useStepKeys } from './foot.tsx'

interface ChooseFolderProps {
  onNext(): void
  onBack(): void
  onSkip(): void
}

/** Second step: the folder to work in, and what exactly is allowed there. */
export function ChooseFolder({ onNext, onBack, onSkip }: ChooseFolderProps) {
  const project = useApp((state) => projectOf(state.projects, state.projectId))
  const firstRef = useRef<HTMLButtonElement>(null)
  const nextRef = useRef<HTMLButtonElement>(null)
  const pick = useAction(pickProject)
  const next = () => project && onNext()
  useStepKeys({ escape: onSkip, enter: next })
  // A folder that was just chosen makes going on the next act.
  useFocusOn(project ? nextRef : firstRef)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        next()
      }}
    >
      <div className="card">
        <div className="fr-opt plain">
          <Icon name="folder" />
          <div>
            <div className="row">
              <span className="medium">{project ? project.name : 'Choose a folder to work in'}</span>
              <span className="grow" />
              <Button
                ref={firstRef}
                look={project ? 'plain' : 'primary'}
                disabled={pick.isBusy}
                onClick={() => pick.run()}
              >
                {project ? 'Choose another folder' : 'Choose a folder'}
              </Button>
            </div>
            <span className={project ? 'sub mono breaks' : 'sub'}>
              {project ? project.folder : 'Documents, notes, tables, code: whatever you want to ask about.'}
            </span>
          </div>
        </div>
        <Permissions />
      </div>
      {pick.error && <ErrorCard className="after-card" title="The folder could not be opened" error={pick.error} />}
      <FirstRunFoot escapeText="skip, and choose a folder later" onBack={onBack}>
        <Button ref={nextRef} look={project ? 'primary' : 'plain'} type="submit" shortcut="Enter" disabled={!project}>
          Continue
        </Button>
      </FirstRunFoot>
    </form>
  )
}

/** True for what this version can do: reading inside the folder, and notes in the store. */
function Permissions() {
  const settings = useApp((state) => state.settings)
  const usesPlanner = settings?.tiers.allegro.providerId === 'planner'
  const server = settings?.providers.find((provider) => provider.id === settings.tiers.allegro.providerId)
  return (
    <ul className="fr-rights">
      <Right status="done" word="allowed" text="List, search and read files in this folder" />
      <Right status="done" word="allowed" text="Keep notes in its own memory, in the data folder of Threadsmith" />
      {usesPlanner || !settings ? (
        <Right status="denied" word="never" text="Send anything: the built-in planner works on this computer" />
      ) : (
        <Right
          status="done"
          word="allowed"
          text={`Send what it reads to ${modelTitle(settings, 'allegro')} at ${server?.baseUrl ?? 'the server that you chose'}`}
        />
      )}
      <Right status="denied" word="never" text="Read outside the folder, not even through links" />
      <Right status="denied" word="never" text="Change, create or delete files; run programs" />
    </ul>
  )
}

function Right({ status, word, text }: { readonly status: StatusName; readonly word: string; readonly text: string }) {
  return (
    <li>
      <Status status={status} word={word} />
      <span>{text}</span>
    </li>
  )
}
