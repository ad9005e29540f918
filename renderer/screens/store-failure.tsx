import type { ShellState } from '../../core/domain/shell.ts'
import { Button } from '../components/button.tsx'
import { ErrorCard } from '../components/card.tsx'
import { Mark } from '../components/mark.tsx'
import { call } from '../engine/client.ts'
import { exactText } from '../format/dates.ts'
import { bytesText } from '../format/figures.ts'
import { enterShell } from '../state/sync.ts'
import { useAction } from '../state/use-load.ts'

type Failure = Extract<ShellState, { phase: 'failed' }>
type Mending = 'shell.retryStart' | 'shell.startFresh' | 'restore'

/** The store cannot be opened. Nothing was changed; each way on keeps the file that is there. */
export function StoreFailure({ failure }: { readonly failure: Failure }) {
  const { error, storePath, backups } = failure
  const newest = backups[0]
  const mend = useAction(async (way: Mending) => {
    const shell =
      way === 'restore' && newest ? await call('shell.restoreBackup', { path: newest.path }) : await start(way)
    enterShell(shell)
  })
  const isNewer = error.code === 'store.newer'
  return (
    <div className="lone-page">
      <header className="titlebar" />
      <main className="lone-main">
        <div className="lone-column">
          <h1 className="wordmark">
            <Mark size={28} />
            Threadsmith
          </h1>
          <ErrorCard
            title={isNewer ? 'This store was written by a newer Threadsmith' : 'The store could not be opened'}
            error={error}
            facts={[
              [
                'Store',
                <span key="path" className="mono breaks">
                  {storePath}
                </span>,
              ],
              ['Kept', 'as it is; nothing was changed in it'],
              [
                'Backup',
                newest
                  ? `newest of ${backups.length}: ${exactText(newest.at)}, ${bytesText(newest.bytes)}`
                  : 'none beside the store',
              ],
            ]}
            actions={
              <>
                <Button look="primary" disabled={mend.isBusy} onClick={() => mend.run('shell.retryStart')}>
                  Try again
                </Button>
                {newest && !isNewer && (
                  <Button disabled={mend.isBusy} onClick={() => mend.run('restore')}>
                    Restore the newest backup
                  </Button>
                )}
                <Button disabled={mend.isBusy} onClick={() => mend.run('shell.startFresh')}>
                  Start with an empty store
                </Button>
              </>
            }
          />
          {mend.error && <ErrorCard title="That did not help" error={mend.error} />}
          <div className="lone-acts">
            <p className="mute small grow">
              Restoring and starting empty both keep the present file beside the new one, as{' '}
              <span className="mono">{fileName(storePath)}.aside-1</span>, or with the next free number.
            </p>
            <QuitButton />
          </div>
        </div>
      </main>
    </div>
  )
}

function fileName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}

function start(way: Mending) {
  return way === 'shell.startFresh' ? call('shell.startFresh', {}) : call('shell.retryStart', {})
}

function QuitButton() {
  const quit = useAction(() => call('shell.quit', {}))
  return (
    <Button look="ghost" onClick={quit.run}>
      Quit
    </Button>
  )
}
