import { useCallback, useState } from 'react'
import type { Settings } from '../../../core/domain/settings.ts'
import { Button } from '../../components/button.tsx'
import { ErrorCard, ErrorNote, Note, Skeleton } from '../../components/card.tsx'
import { Choice } from '../../components/choice.tsx'
import { Toggle } from '../../components/toggle.tsx'
import { call } from '../../engine/client.ts'
import { changeSettingsBy } from '../../state/settings.ts'
import { useAction, useLoad } from '../../state/use-load.ts'
import { LoopDialog, type LoopQuestion } from './loop-dialog.tsx'
import { type LoopReview, LoopVersionRow } from './loop-version-row.tsx'
import { currentVersion, type LoopVersion, pinOf, pinOptions, versionName } from './loop-words.ts'

type Orchestrator = Settings['orchestrator']

/** The step loop: which version new threads begin with, what each is, and the way there and back. */
export function LoopVersions({ orchestrator }: { readonly orchestrator: Orchestrator }) {
  const [versions, setVersions] = useState<readonly LoopVersion[]>([])
  const [reviews, setReviews] = useState<Readonly<Record<number, LoopReview>>>({})
  const [question, setQuestion] = useState<LoopQuestion | null>(null)
  const load = useLoad(useCallback(() => call('orchestrator.list', {}).then(setVersions), []))
  const current = currentVersion(versions, orchestrator.pinned)
  const bundled = versions.find(({ version }) => version === 0)
  const keep = (review: LoopReview) => setReviews((all) => ({ ...all, [review.version.version]: review }))
  return (
    <>
      <div className="sech">
        <h2>Step loop</h2>
        {current && current.version !== 0 && (
          <Button icon="undo" onClick={() => setQuestion({ kind: 'rollback', version: current.parent })}>
            Roll back to {versionName(current.parent)}
          </Button>
        )}
      </div>
      <p className="dim after-sech">
        The program that decides what happens in a step. A thread ends with the version that it began with.
      </p>
      <div className="card">
        <PinRow versions={versions} pinned={orchestrator.pinned} />
        <SelfModifyRow orchestrator={orchestrator} />
      </div>
      <div className="sech">
        <h3 className="label">Versions</h3>
        <Button look="ghost" disabled={load.phase === 'loading'} onClick={load.retry}>
          Read again
        </Button>
      </div>
      {load.phase === 'failed' && <ErrorCard title="The versions could not be read" error={load.error} />}
      {versions.length === 0 && load.phase === 'loading' && <Skeleton rows={2} label="Reading the versions" />}
      <ul className="card versions" aria-label="Versions of the step loop">
        {versions.toReversed().map((version) => (
          <LoopVersionRow
            key={version.version}
            version={version}
            isCurrent={version.version === current?.version}
            bundledCode={bundled?.code ?? null}
            review={reviews[version.version]}
            onReview={keep}
            onActivate={() => setQuestion({ kind: 'activate', version: version.version })}
          />
        ))}
      </ul>
      {question && current && (
        <LoopDialog
          question={question}
          current={current}
          pinned={orchestrator.pinned}
          onDone={(review) => {
            if (review) keep(review)
            setQuestion(null)
            load.retry()
          }}
          onClose={() => setQuestion(null)}
        />
      )}
    </>
  )
}

function PinRow({ versions, pinned }: { readonly versions: readonly LoopVersion[]; readonly pinned: number | null }) {
  const change = useAction((pin: number | null) => changeOrchestrator({ pinned: pin }))
  return (
    <div className="setgroup">
      <div className="setrow">
        <div>
          New threads begin with
          <div className="sub">
            {pinned === null
              ? 'The one that was activated last; the bundled one where none was.'
              : 'Pinned: activating another version lifts the pin.'}
          </div>
        </div>
        <Choice
          label="Version for new threads"
          options={pinOptions(versions, pinned)}
          value={pinned === null ? 'newest' : String(pinned)}
          disabled={change.isBusy}
          onChange={(value) => change.run(pinOf(value))}
        />
      </div>
      {change.error && (
        <div className="setmore">
          <ErrorNote title="The choice was not saved" error={change.error} />
        </div>
      )}
    </div>
  )
}

function SelfModifyRow({ orchestrator }: { readonly orchestrator: Orchestrator }) {
  const change = useAction((selfModify: boolean) => changeOrchestrator({ selfModify }))
  return (
    <div className="setgroup">
      <div className="setrow">
        <div>
          <span id="self-modify">Let the agent propose changes of its own loop</span>
          <div className="sub">
            A proposal does nothing until you activate it; each asks, and no standing approval covers it.
          </div>
        </div>
        <Toggle
          labelledBy="self-modify"
          isOn={orchestrator.selfModify}
          disabled={change.isBusy}
          onChange={change.run}
        />
      </div>
      {orchestrator.selfModify && (
        <div className="setmore">
          <Note status="waiting">
            A loop decides when the agent stops and what it does next. Read the code of a version, and its dry run,
            before you activate it.
          </Note>
        </div>
      )}
      {change.error && (
        <div className="setmore">
          <ErrorNote title="The setting was not saved" error={change.error} />
        </div>
      )}
    </div>
  )
}

function changeOrchestrator(part: Partial<Orchestrator>): Promise<void> {
  return changeSettingsBy(({ orchestrator }) => ({ orchestrator: { ...orchestrator, ...part } }))
}
