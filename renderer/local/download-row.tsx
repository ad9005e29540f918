import type { LocalDownload } from '../../core/domain/local.ts'
import { Button } from '../components/button.tsx'
import { ErrorNote } from '../components/card.tsx'
import { changeLocal, downloadText } from '../state/local.ts'
import { useAction } from '../state/use-load.ts'

/** A model on its way: how far, how fast, and what can be done about it. */
export function DownloadRow({ download }: { readonly download: LocalDownload }) {
  const { id, title, state, error } = download
  const go = useAction(() => changeLocal('local.download', { id }))
  const pause = useAction(() => changeLocal('local.pause', { id }))
  const cancel = useAction(() => changeLocal('local.cancel', { id }))
  const fault = go.error ?? pause.error ?? cancel.error ?? error
  return (
    <div className="setgroup download">
      <div className="setrow">
        <div>
          {title}
          <div className="sub">{downloadText(download)}</div>
          <Progress download={download} />
        </div>
        <div className="row">
          {state === 'running' && (
            <Button icon="pause" disabled={pause.isBusy} onClick={() => pause.run()}>
              Pause
            </Button>
          )}
          {state === 'paused' && (
            <Button icon="play" disabled={go.isBusy} onClick={() => go.run()}>
              Resume
            </Button>
          )}
          {state === 'failed' && (
            <Button look="primary" disabled={go.isBusy} onClick={() => go.run()}>
              Try again
            </Button>
          )}
          <Button look="danger" disabled={cancel.isBusy} onClick={() => cancel.run()}>
            Cancel
          </Button>
        </div>
      </div>
      {fault && (
        <div className="setmore">
          <ErrorNote title={`${title} is not there yet`} error={fault} />
        </div>
      )}
    </div>
  )
}

const looks = { running: 'running', checking: 'running', paused: 'queued', failed: 'failed' } as const

function Progress({ download }: { readonly download: LocalDownload }) {
  const { title, state, receivedBytes, totalBytes } = download
  const percent = totalBytes === 0 ? 0 : Math.min(100, Math.floor((receivedBytes / totalBytes) * 100))
  return (
    <div
      className={`meter progress ${looks[state]}`}
      role="progressbar"
      aria-label={`Download of ${title}`}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={downloadText(download)}
    >
      <svg width="100%" height="4" aria-hidden="true">
        <rect width={`${percent}%`} height="4" rx="2" />
      </svg>
    </div>
  )
}
