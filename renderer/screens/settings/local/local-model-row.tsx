import { useState } from 'react'
import type { LoadedModel, LocalModel, LocalStatus } from '../../../../core/domain/local.ts'
import { modelRefText } from '../../../../core/domain/model.ts'
import { tiers, tierTitles } from '../../../../core/domain/thread.ts'
import { Button } from '../../../components/button.tsx'
import { ErrorNote } from '../../../components/card.tsx'
import { ProbeBadges } from '../../../components/probe-badges.tsx'
import { Status } from '../../../components/status.tsx'
import { useNow } from '../../../engine/clock.ts'
import { changeLocal, fileText, loadedText, localRef } from '../../../state/local.ts'
import { setTierModels } from '../../../state/models.ts'
import { isSentToLimits } from '../../../state/models-focus.ts'
import { testModel } from '../../../state/probes.ts'
import { useApp } from '../../../state/store.ts'
import { useAction } from '../../../state/use-load.ts'
import { LocalModelForm } from './local-model-form.tsx'
import { RemoveModelDialog } from './remove-model-dialog.tsx'

interface LocalModelRowProps {
  readonly model: LocalModel
  readonly status: LocalStatus
}

/** A file that the app can run: what it is, whether it is in memory, what it is used for. */
export function LocalModelRow({ model, status }: LocalModelRowProps) {
  const { title, file, problem, purpose } = model
  const isSentTo = useApp(({ modelsFocus }) => isSentToLimits(modelsFocus, localRef(model)))
  const [choice, setChoice] = useState<boolean | null>(null)
  const isOpen = choice ?? isSentTo
  const [isRemoving, setRemoving] = useState(false)
  const test = useAction(() => testModel(localRef(model)))
  const loaded = status.loaded.find(({ name }) => name === model.name)
  const fault = problem ?? test.error
  const canRun = problem === null && status.library.ok
  const acts = (
    <div className="model-acts">
      {canRun && purpose === 'chat' && (
        <Button look="ghost" aria-label={`Test ${title}`} disabled={test.isBusy} onClick={() => test.run()}>
          {test.isBusy ? 'Testing' : 'Test'}
        </Button>
      )}
      {loaded && <UnloadButton title={title} />}
      <Button look="ghost" aria-expanded={isOpen} aria-label={`Limits of ${title}`} onClick={() => setChoice(!isOpen)}>
        Limits
      </Button>
      <Button look="ghost" aria-label={`Remove ${title}`} onClick={() => setRemoving(true)}>
        Remove
      </Button>
    </div>
  )
  return (
    <div className="setgroup local-model">
      <div className="setrow">
        <div>
          <div className="row">
            <span className="trunc medium">{title}</span>
            {problem && <Status status="failed" word="cannot be used" />}
            {loaded && <LoadedState loaded={loaded} />}
          </div>
          <div className="sub">
            {fileText(model)}
            {purpose === 'chat' && !model.callsActions && ', calls no actions by itself'}
          </div>
          <div className="sub mono trunc" title={file}>
            {file}
          </div>
          {loaded && <LoadedLine loaded={loaded} />}
        </div>
        {purpose === 'chat' ? <div className="row">{canRun && <UseButton model={model} />}</div> : acts}
      </div>
      {purpose === 'chat' && (
        <div className="setmore model-line">
          <div className="model-said">
            <ProbeBadges model={localRef(model)} />
          </div>
          {acts}
        </div>
      )}
      {isOpen && <LocalModelForm model={model} onClose={() => setChoice(false)} />}
      {fault && (
        <div className="setmore">
          <ErrorNote title={problem ? `${title} cannot be used` : 'The test could not be made'} error={fault} />
        </div>
      )}
      {isRemoving && <RemoveModelDialog model={model} folder={status.folder} onClose={() => setRemoving(false)} />}
    </div>
  )
}

function LoadedState({ loaded }: { readonly loaded: LoadedModel }) {
  return loaded.idleSince === null ? (
    <Status status="running" word="at work" />
  ) : (
    <Status status="done" word="in memory" />
  )
}

function LoadedLine({ loaded }: { readonly loaded: LoadedModel }) {
  const now = useNow(1_000, loaded.idleSince !== null)
  return <div className="sub">In memory: {loadedText(loaded, now)}</div>
}

function UnloadButton({ title }: { readonly title: string }) {
  const unload = useAction(() => changeLocal('local.unload', {}))
  return (
    <Button look="ghost" aria-label={`Unload ${title}`} disabled={unload.isBusy} onClick={() => unload.run()}>
      Unload
    </Button>
  )
}

/** Which tiers it answers for now, or the way to make it answer. */
function UseButton({ model }: { readonly model: LocalModel }) {
  const settings = useApp((state) => state.settings)
  const ref = localRef(model)
  const use = useAction(async () => {
    if (settings) await setTierModels({ ...settings.tiers, allegro: ref })
  })
  if (!settings) return null
  const used = tiers.filter((tier) => modelRefText(settings.tiers[tier]) === modelRefText(ref))
  return (
    <>
      {used.length > 0 && <span className="mute small">{used.map((tier) => tierTitles[tier]).join(', ')}</span>}
      {!used.includes('allegro') && (
        <Button aria-label={`Use for Default: ${model.title}`} disabled={use.isBusy} onClick={() => use.run()}>
          Use for Default
        </Button>
      )}
    </>
  )
}
