import { IconButton } from '../components/button.tsx'
import { StatusIcon } from '../components/status.tsx'
import { setApp, useApp } from '../state/store.ts'

/** A command that failed and has no place of its own on the screen. Stays until it is read. */
export function Notice() {
  const notice = useApp((state) => state.notice)
  return (
    <div aria-live="assertive">
      {notice && (
        <div className="toast float notice">
          <span className="st failed">
            <StatusIcon status="failed" />
          </span>
          <span className="grow">
            {notice.userMessage} <span className="mono mute">{notice.code}</span>
          </span>
          <IconButton icon="x" label="Dismiss" onClick={() => setApp({ notice: null })} />
        </div>
      )}
    </div>
  )
}
