import { useState } from 'react'
import { isHosted } from '../../../core/domain/model.ts'
import { Button } from '../../components/button.tsx'
import { ErrorCard } from '../../components/card.tsx'
import { Field } from '../../components/field.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { saveServer, serverAddress, serverTitle } from '../../state/models.ts'
import { openModels } from '../../state/models-focus.ts'
import { kindTitles, type ServerKind, serverKinds } from '../../state/providers.ts'
import { useAction } from '../../state/use-load.ts'

const kindOptions = serverKinds.map((kind) => [kind, kindTitles[kind]] as const)
const ollamaAddress = 'http://127.0.0.1:11434'

/** A provider with a key, Ollama, or any server that speaks the OpenAI protocol. */
export function AddProvider({ onAdded }: { onAdded(): void }) {
  const [kind, setKind] = useState<ServerKind>('openai')
  return (
    <>
      <div className="sech">
        <h2>Add a provider</h2>
      </div>
      <div className="card add-provider">
        <Segmented label="Provider" options={kindOptions} value={kind} onChange={(chosen) => setKind(chosen)} />
        <ProviderForm key={kind} kind={kind} onAdded={onAdded} />
      </div>
    </>
  )
}

function ProviderForm({ kind, onAdded }: { readonly kind: ServerKind; onAdded(): void }) {
  const hosted = isHosted(kind)
  const [address, setAddress] = useState(kind === 'ollama' ? ollamaAddress : '')
  const [key, setKey] = useState('')
  const [hasMore, setMore] = useState(false)
  const [isTried, setTried] = useState(false)
  const showsAddress = !hosted || hasMore
  const showsKey = hosted || kind === 'openai-compatible' || hasMore
  const baseUrl = serverAddress(address)
  const isBad = baseUrl === null && !(hosted && address.trim() === '')
  const isReady = (!hosted || key !== '') && (hosted || address.trim() !== '')
  const title = hosted || kind === 'ollama' ? kindTitles[kind] : serverTitle(baseUrl ?? '')
  const add = useAction(async () => {
    const saved = await saveServer({ kind, title, baseUrl, key })
    setKey('')
    setTried(false)
    if (kind === 'openai-compatible') setAddress('')
    onAdded()
    // What is wrong with it is said, and mended, where it stands from now on.
    openModels({ kind: saved.error?.code === 'model.auth' ? 'key' : 'provider', providerId: saved.id })
  })
  return (
    <form
      className="add-form"
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (!isBad && isReady) add.run()
      }}
    >
      {showsKey && (
        <Field
          label={hosted ? `Key of ${kindTitles[kind]}` : 'Key, where it wants one'}
          type="password"
          isMono
          value={key}
          onChange={(event) => setKey(event.target.value)}
        />
      )}
      {showsAddress && (
        <Field
          label={hosted ? 'Another address, of a gateway' : 'Address'}
          isMono
          placeholder={hosted ? 'its own address' : 'http://127.0.0.1:8080/v1'}
          value={address}
          problem={isTried && isBad ? addressProblem : undefined}
          onChange={(event) => setAddress(event.target.value)}
        />
      )}
      <div className="add-acts">
        <Button type="submit" look="primary" disabled={!isReady || add.isBusy}>
          {add.isBusy ? 'Connecting' : `Add ${kind === 'openai-compatible' ? 'server' : kindTitles[kind]}`}
        </Button>
        {kind !== 'openai-compatible' && !hasMore && (
          <Button look="ghost" onClick={() => setMore(true)}>
            {hosted ? 'Another address' : 'With a key'}
          </Button>
        )}
      </div>
      <p className="sub">{words[kind]}</p>
      {add.error && <ErrorCard title={`${kindTitles[kind]} was not added`} error={add.error} />}
    </form>
  )
}

const addressProblem = 'An address begins with http:// or https://, as in http://127.0.0.1:8080/v1.'
const sent = 'What a thread reads for its goal is sent there. The key is kept apart from the settings.'
const words: Readonly<Record<ServerKind, string>> = {
  openai: sent,
  anthropic: sent,
  google: sent,
  openrouter: sent,
  ollama: 'Ollama on this computer or another one of yours. Its models are listed as soon as it answers.',
  'openai-compatible': 'Any server that speaks the OpenAI protocol: llama.cpp, LM Studio, vLLM, a gateway.',
}
