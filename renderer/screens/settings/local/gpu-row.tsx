import type { LocalStatus } from '../../../../core/domain/local.ts'
import { Button } from '../../../components/button.tsx'
import { ErrorNote } from '../../../components/card.tsx'
import { changeLocal, gpuTitle, gpuView } from '../../../state/local.ts'
import { useAction } from '../../../state/use-load.ts'

/** What makes models compute on the graphics processor: installed and removed here. Nothing where none fits this computer. */
export function GpuRow({ status }: { readonly status: LocalStatus }) {
  const change = useAction((install: boolean) => changeLocal('local.gpu', { install }))
  const view = gpuView(status)
  if (view === null) return null
  const { title, words, act } = view
  const fault = change.error ?? status.gpuBuild.problem
  return (
    <div className="setgroup">
      <div className="setrow">
        <div>
          {title}
          <div className="sub">{words}</div>
        </div>
        {act === 'install' && (
          <Button
            icon="download"
            aria-label={`Install ${gpuTitle}`}
            disabled={change.isBusy}
            onClick={() => change.run(true)}
          >
            Install
          </Button>
        )}
        {act === 'remove' && (
          <Button
            look="ghost"
            aria-label={`Remove ${gpuTitle}`}
            disabled={change.isBusy}
            onClick={() => change.run(false)}
          >
            Remove
          </Button>
        )}
      </div>
      {fault && (
        <div className="setmore">
          <ErrorNote title={change.error ? 'Nothing was changed' : 'It is not in use'} error={fault} />
        </div>
      )}
    </div>
  )
}
