import { useCallback, useState } from 'react'
import type { DoctorCheck } from '../../../core/domain/contract.ts'
import type { ErrorBody } from '../../../core/domain/error.ts'
import { runCommand } from '../../commands.ts'
import { Button } from '../../components/button.tsx'
import { ErrorCard, Skeleton } from '../../components/card.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Status } from '../../components/status.tsx'
import { call } from '../../engine/client.ts'
import { supervise, useApp } from '../../state/store.ts'
import { enterShell } from '../../state/sync.ts'
import { useLoad } from '../../state/use-load.ts'

export function DataSection() {
  const dataDir = useApp((state) => state.info?.dataDir ?? '')
  const fault = useApp((state) => state.info?.fault ?? null)
  const [checks, setChecks] = useState<readonly DoctorCheck[]>([])
  const load = useLoad(useCallback(async () => setChecks(await call('doctor', {})), []))
  return (
    <>
      <h1>Data</h1>
      <p>Everything stays on this computer, in one folder. Deleting that folder deletes all of it.</p>
      {fault && (
        <>
          <div className="sech">
            <h2>What is wrong</h2>
          </div>
          <FaultCard fault={fault} />
        </>
      )}
      <div className="sech">
        <h2>Where it is</h2>
      </div>
      <div className="card">
        <div className="setrow">
          <div>
            Data folder
            <div className="sub mono breaks">{dataDir}</div>
          </div>
          <div className="row">
            <CopyButton text={dataDir} label="Copy the path" />
            <Button icon="folder" onClick={() => runCommand('data.folder')}>
              Open the folder
            </Button>
          </div>
        </div>
      </div>
      <div className="sech">
        <h2>Checks</h2>
        <Button disabled={load.phase === 'loading'} onClick={load.retry}>
          Check again
        </Button>
      </div>
      {load.phase === 'failed' ? (
        <ErrorCard title="The checks could not be made" error={load.error} />
      ) : (
        <div className="card">
          {checks.length === 0 && load.phase === 'loading' && <Skeleton rows={4} label="Checking" />}
          {checks.map((check) => (
            <div className="setrow check-row" key={check.name}>
              <Status status={check.ok ? 'done' : 'failed'} word={check.ok ? 'ok' : 'not ok'} />
              <div>
                {check.name.charAt(0).toUpperCase() + check.name.slice(1)}
                <div className="sub breaks">{check.detail}</div>
                {check.mend && <div className="field-err">{check.mend}</div>}
              </div>
            </div>
          ))}
        </div>
      )}
    </>
  )
}

/** What the engine could not read or record. A damaged store leads to the backup that its check found. */
function FaultCard({ fault }: { readonly fault: ErrorBody }) {
  const backup = typeof fault.data?.backup === 'string' ? fault.data.backup : null
  const isDamaged = fault.code === 'store.corrupt'
  return (
    <ErrorCard
      title={isDamaged ? 'The data file is damaged' : 'Not all could be recorded'}
      error={fault}
      actions={
        isDamaged &&
        backup !== null && (
          <Button look="primary" onClick={() => supervise(() => restore(backup))}>
            Restore the newest backup
          </Button>
        )
      }
    />
  )
}

async function restore(path: string): Promise<void> {
  enterShell(await call('shell.restoreBackup', { path }))
}
