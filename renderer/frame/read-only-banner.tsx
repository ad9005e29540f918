import { useState } from 'react'
import { Button } from '../components/button.tsx'
import { StatusIcon } from '../components/status.tsx'
import { call } from '../engine/client.ts'
import { useApp } from '../state/store.ts'
import { useAction } from '../state/use-load.ts'

/** Says who holds the store, what still works, and how to take over: by waiting, or by stopping what runs there. */
export function ReadOnlyBanner() {
  const shell = useApp((state) => state.shell)
  return shell.phase === 'readOnly' ? <Banner key={shell.owner.pid} {...shell.owner} /> : null
}

function Banner({ pid, command }: { readonly pid: number; readonly command: string }) {
  // It lets go a moment after it was asked: until then there is nothing more to press.
  const [isAsked, setAsked] = useState(false)
  const stop = useAction(async () => {
    await call('shell.stopOwner', {})
    setAsked(true)
  })
  return (
    <div className="banner note waiting" role="status">
      <StatusIcon status="waiting" />
      <span className="grow">
        <b>Read only.</b> Process {pid}, <span className="mono">{command}</span>, is working with this store. You can
        read everything; sending is possible again as soon as it has finished.
        {stop.error && (
          <span className="ink-failed">
            {' '}
            {stop.error.userMessage} <span className="mono">{stop.error.code}</span>
          </span>
        )}
      </span>
      <Button disabled={stop.isBusy || isAsked} onClick={() => stop.run()}>
        {stop.isBusy || isAsked ? 'Stopping it' : 'Stop it'}
      </Button>
    </div>
  )
}
