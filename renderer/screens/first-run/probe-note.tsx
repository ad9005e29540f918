import { useEffect, useRef, useState } from 'react'
import type { ProbeResult } from '../../../core/domain/model.ts'
import { Note } from '../../components/card.tsx'
import { probeText } from '../../state/models.ts'
import { testModel } from '../../state/probes.ts'
import { useAction } from '../../state/use-load.ts'

/** A real request to the default model, made as soon as it is chosen. */
export function ProbeNote({ providerId, model }: { readonly providerId: string; readonly model: string }) {
  const [result, setResult] = useState<ProbeResult | null>(null)
  const test = useAction(async () => setResult(await testModel({ providerId, model })))
  const startedRef = useRef(false)
  // Once for each model.
  useEffect(() => {
    if (startedRef.current) return
    startedRef.current = true
    test.run()
  }, [])
  const error = test.error ?? result?.error
  const again = (
    <button type="button" className="link" onClick={() => test.run()}>
      Test again
    </button>
  )
  return (
    <div className="fr-note">
      {test.isBusy && <Note status="running">Testing {model} with a real request.</Note>}
      {!test.isBusy && error && (
        <Note status="failed" action={again}>
          {error.userMessage} <span className="mono">{error.code}</span>
        </Note>
      )}
      {!test.isBusy && !error && result && (
        <Note status={result.tools === false ? 'waiting' : 'done'} action={again}>
          {probeText(result)}
        </Note>
      )}
    </div>
  )
}
