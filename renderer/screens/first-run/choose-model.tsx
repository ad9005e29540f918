import { Radio } from '@base-ui/react/radio'
import { RadioGroup } from '@base-ui/react/radio-group'
import { useCallback, useState } from 'react'
import type { ProviderStatus } from '../../../core/domain/contract.ts'
import type { DiscoveredServer } from '../../../core/domain/model.ts'
import { Button } from '../../components/button.tsx'
import { ErrorCard } from '../../components/card.tsx'
import { Status } from '../../components/status.tsx'
import { call } from '../../engine/client.ts'
import { counted } from '../../format/figures.ts'
import { planner, sameForAllTiers, setTierModels, type TierModels } from '../../state/models.ts'
import { useAction, useLoad } from '../../state/use-load.ts'
import { ConnectServer } from './connect-server.tsx'
import { FirstRunFoot, useStepKeys } from './foot.tsx'

type Source = 'local' | 'hosted' | 'planner'

/** First step: a model of this computer, one behind a key, or the planner that is built in. */
export function ChooseModel({ onNext }: { onNext(): void }) {
  const [choice, setChoice] = useState<Source | null>(null)
  const [servers, setServers] = useState<readonly DiscoveredServer[]>([])
  const [tierModels, setTiers] = useState<TierModels | null>(null)
  const [connected, setConnected] = useState<ProviderStatus | null>(null)
  const search = useLoad(useCallback(async () => setServers(await call('model.discover', {})), []))
  const found = servers.find((server) => server.found)
  // Without a choice of the person's, what works at once is chosen.
  const source = choice ?? (found ? 'local' : 'planner')
  const save = useAction(async (models: TierModels) => {
    await setTierModels(models)
    onNext()
  })
  const usePlanner = () => save.run(sameForAllTiers(planner))

  function choose(value: unknown): void {
    if (value !== 'local' && value !== 'hosted' && value !== 'planner') return
    setChoice(value)
    setTiers(null)
    setConnected(null)
  }
  function take(models: TierModels, provider: ProviderStatus): void {
    setTiers(models)
    setConnected(provider)
  }
  function next(): void {
    if (save.isBusy) return
    if (source === 'planner') usePlanner()
    else if (tierModels) save.run(tierModels)
  }
  useStepKeys({ escape: usePlanner, enter: next })

  const isReady = source === 'planner' || tierModels !== null
  const modelCount = connected?.models.length ?? found?.models.length ?? null
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        next()
      }}
    >
      <RadioGroup className="card" aria-label="Where the model comes from" value={source} onValueChange={choose}>
        <SourceRow
          value="local"
          title="A model on this computer"
          state={
            <LocalState
              phase={search.phase}
              modelCount={source === 'local' ? modelCount : (found?.models.length ?? null)}
              onLook={search.retry}
            />
          }
        >
          {source === 'local' ? (
            <ConnectServer
              key={found?.baseUrl ?? 'none'}
              kind={found?.kind ?? 'openai-compatible'}
              baseUrl={found?.baseUrl ?? 'http://127.0.0.1:11434'}
              connectsAtOnce={found !== undefined}
              hasKey={false}
              onModels={take}
            />
          ) : (
            <span className="sub">{localText(servers, found)}</span>
          )}
        </SourceRow>
        <SourceRow
          value="hosted"
          title="A key of a hosted model"
          state={source === 'hosted' && connected && <ModelCount count={connected.models.length} />}
        >
          {source === 'hosted' ? (
            <ConnectServer kind="openai-compatible" baseUrl="" connectsAtOnce={false} hasKey onModels={take} />
          ) : (
            <span className="sub">
              Any server that speaks the OpenAI protocol. The key is kept apart from the settings.
            </span>
          )}
        </SourceRow>
        <SourceRow value="planner" title="The built-in planner">
          <span className="sub">
            Works now, no model, no account. Answers about files, figures, dates and notes; nothing is sent.
          </span>
        </SourceRow>
      </RadioGroup>
      {save.error && <ErrorCard className="after-card" title="The choice was not saved" error={save.error} />}
      <FirstRunFoot escapeText="use the built-in planner">
        <Button look="primary" type="submit" shortcut="Enter" disabled={!isReady || save.isBusy}>
          Continue
        </Button>
      </FirstRunFoot>
    </form>
  )
}

interface SourceRowProps {
  readonly value: Source
  readonly title: string
  readonly state?: React.ReactNode
  readonly children: React.ReactNode
}

function SourceRow({ value, title, state, children }: SourceRowProps) {
  return (
    <div className="fr-opt">
      <Radio.Root value={value} className="radio" aria-label={title}>
        <i aria-hidden="true" />
      </Radio.Root>
      <div>
        <div className="row">
          <span className="medium">{title}</span>
          <span className="grow" />
          {state}
        </div>
        {children}
      </div>
    </div>
  )
}

function LocalState(props: {
  readonly phase: 'loading' | 'ready' | 'failed'
  readonly modelCount: number | null
  onLook(): void
}) {
  if (props.modelCount !== null) return <ModelCount count={props.modelCount} />
  if (props.phase === 'loading') return <Status status="running" word="looking" />
  return (
    <>
      <Status status="queued" word="none found" />
      <button type="button" className="link small" onClick={props.onLook}>
        Look again
      </button>
    </>
  )
}

function ModelCount({ count }: { readonly count: number }) {
  return <Status status="done" word={`found ${counted(count, 'model')}`} />
}

function localText(servers: readonly DiscoveredServer[], found: DiscoveredServer | undefined): string {
  if (found) return `${found.title} answers at ${found.baseUrl}.`
  const ports = servers.map((server) => new URL(server.baseUrl).port).join(', ')
  return `${ports === '' ? 'Ollama, LM Studio, llama.cpp or vLLM.' : `Looked at ports ${ports}.`} It can be added later in Settings.`
}
