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
import { localRef, usableModels } from '../../state/local.ts'
import { planner, sameForAllTiers, setTierModels, type TierModels } from '../../state/models.ts'
import { useApp } from '../../state/store.ts'
import { useAction, useLoad } from '../../state/use-load.ts'
import { ConnectServer } from './connect-server.tsx'
import { FirstRunFoot, useStepKeys } from './foot.tsx'
import { HostedKey } from './hosted-key.tsx'
import { InAppModel } from './in-app-model.tsx'

type Source = 'local' | 'hosted' | 'planner'

/** First step: a model of this computer, one behind a key, or the planner that is built in. */
export function ChooseModel({ onNext }: { onNext(): void }) {
  const [choice, setChoice] = useState<Source | null>(null)
  const [servers, setServers] = useState<readonly DiscoveredServer[]>([])
  const [connected, setConnected] = useState<Connected | null>(null)
  const search = useLoad(useCallback(async () => setServers(await call('model.discover', {})), []))
  const found = servers.find((server) => server.found)
  const inApp = useInApp(found !== undefined)
  // Without a choice of the person's, what works at once is chosen.
  const source = choice ?? (found ? 'local' : 'planner')
  const save = useAction(async (models: TierModels) => {
    await setTierModels(models)
    onNext()
  })
  const usePlanner = () => save.run(sameForAllTiers(planner))
  const isInApp = source === 'local' && inApp.isOn
  const tierModels = isInApp ? inApp.models : (connected?.models ?? null)

  function choose(value: unknown): void {
    if (value !== 'local' && value !== 'hosted' && value !== 'planner') return
    setChoice(value)
    setConnected(null)
  }
  function take(models: TierModels | null, provider: ProviderStatus | null): void {
    setConnected(models && provider && { models, count: provider.models.length })
  }
  function next(): void {
    if (save.isBusy) return
    if (source === 'planner') usePlanner()
    else if (tierModels) save.run(tierModels)
  }
  useStepKeys({ escape: usePlanner, enter: next })

  const isReady = source === 'planner' || tierModels !== null
  const serverCount = (source === 'local' ? connected?.count : undefined) ?? found?.models.length ?? null
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
          state={isInApp ? null : <ServerState phase={search.phase} modelCount={serverCount} onLook={search.retry} />}
        >
          {source !== 'local' && <span className="sub">{localText(servers, found)}</span>}
          {isInApp && <InAppModel chosen={inApp.chosen} onChoose={inApp.choose} />}
          {source === 'local' && !inApp.isOn && (
            <ConnectServer
              key={found?.baseUrl ?? 'none'}
              kind={found?.kind ?? 'openai-compatible'}
              baseUrl={found?.baseUrl ?? 'http://127.0.0.1:11434'}
              connectsAtOnce={found !== undefined}
              onModels={take}
            />
          )}
          {source === 'local' && (
            <button
              type="button"
              className="link small fr-other"
              onClick={() => {
                setConnected(null)
                inApp.turn(!inApp.isOn)
              }}
            >
              {inApp.isOn
                ? 'Use a server on this computer instead'
                : 'Use a model in the app instead, without a server'}
            </button>
          )}
        </SourceRow>
        <SourceRow
          value="hosted"
          title="A key of a hosted model"
          state={source === 'hosted' && connected && <ModelCount count={connected.count} />}
        >
          {source === 'hosted' ? (
            <HostedKey onModels={take} />
          ) : (
            <span className="sub">
              OpenAI, Anthropic, Google, OpenRouter or a server of yours. The key is kept apart from the settings.
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

interface Connected {
  readonly models: TierModels
  readonly count: number
}

/** A model that the app runs, where no server was found or the person wants it so. */
function useInApp(hasServer: boolean) {
  const local = useApp((state) => state.local)
  const [isWanted, setWanted] = useState<boolean | null>(null)
  const [name, setName] = useState<string | null>(null)
  const usable = local?.library.ok ? usableModels(local) : []
  const chosen = usable.find((model) => model.name === name) ?? usable[0]
  return {
    isOn: isWanted ?? !hasServer,
    chosen,
    models: chosen ? sameForAllTiers(localRef(chosen)) : null,
    choose: setName,
    turn: setWanted,
  }
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

function ServerState(props: {
  readonly phase: 'loading' | 'ready' | 'failed'
  readonly modelCount: number | null
  onLook(): void
}) {
  if (props.modelCount !== null) return <ModelCount count={props.modelCount} />
  if (props.phase === 'loading') return <Status status="running" word="looking" />
  return (
    <>
      <Status status="queued" word="no server found" />
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
  const looked = ports === '' ? '' : ` No server answers at ports ${ports}.`
  return `A model file that the app runs by itself, or a server such as Ollama.${looked}`
}
