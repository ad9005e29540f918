import { useCallback, useState } from 'react'
import type { DoctorCheck } from '../../../core/domain/contract.ts'
import { runCommand } from '../../commands.ts'
import { Button } from '../../components/button.tsx'
import { ErrorCard, Skeleton } from '../../components/card.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Status } from '../../components/status.tsx'
import { call } from '../../engine/client.ts'
import { useApp } from '../../state/store.ts'
import { useLoad } from '../../state/use-load.ts'

export function DataSection() {
  const dataDir = useApp((state) => state.info?.dataDir ?? '')
  const [checks, setChecks] = useState<readonly DoctorCheck[]>([])
  const load = useLoad(useCallback(async () => setChecks(await call('doctor', {})), []))
  return (
    <>
      <h1>Data</h1>
      <p>Everything stays on this computer, in one folder. Deleting that folder deletes all of it.</p>
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
