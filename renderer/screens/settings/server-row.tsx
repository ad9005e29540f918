import { useState } from 'react'
import type { ProviderStatus } from '../../../core/domain/contract.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/card.tsx'
import { Field } from '../../components/field.tsx'
import { Status } from '../../components/status.tsx'
import { call } from '../../engine/client.ts'
import { counted } from '../../format/figures.ts'
import { saveServer } from '../../state/models.ts'
import { setApp } from '../../state/store.ts'
import { useAction } from '../../state/use-load.ts'
import { ServerModels } from './server-models.tsx'

interface ServerRowProps {
  readonly provider: ProviderStatus
  onChange(): void
}

/** A server that was added: whether it answers, its key, and the way to be rid of it. */
export function ServerRow({ provider, onChange }: ServerRowProps) {
  const [isEditing, setEditing] = useState(false)
  const remove = useAction(async () => {
    setApp({ settings: await call('provider.remove', { id: provider.id }) })
    onChange()
  })
  const error = remove.error ?? provider.error
  return (
    <div className="setgroup">
      <div className="setrow">
        <div>
          <div className="row">
            <span>{provider.title}</span>
            {provider.error ? (
              <Status status="failed" word="not answering" />
            ) : (
              <Status status="done" word={counted(provider.models.length, 'model')} />
            )}
          </div>
          <div className="sub">
            <span className="mono">{provider.baseUrl}</span>
            {provider.hasKey ? ', with a key' : ', without a key'}
          </div>
        </div>
        <div className="row">
          <Button onClick={() => setEditing(!isEditing)} aria-expanded={isEditing}>
            {provider.hasKey ? 'Change key' : 'Set key'}
          </Button>
          <Button look="danger" disabled={remove.isBusy} onClick={() => remove.run()}>
            Remove {provider.title}
          </Button>
        </div>
      </div>
      {isEditing && (
        <KeyForm
          provider={provider}
          onSaved={() => {
            setEditing(false)
            onChange()
          }}
        />
      )}
      <ServerModels provider={provider} />
      {error && (
        <div className="setmore">
          <ErrorNote
            title={remove.error ? 'The server was not removed' : `${provider.title} did not list its models`}
            error={error}
          />
        </div>
      )}
    </div>
  )
}

function KeyForm({ provider, onSaved }: { readonly provider: ProviderStatus; onSaved(): void }) {
  const [key, setKey] = useState('')
  const save = useAction(async () => {
    const { id, title, baseUrl } = provider
    await saveServer({
      id,
      kind: provider.kind === 'ollama' ? 'ollama' : 'openai-compatible',
      title,
      baseUrl: baseUrl ?? '',
      key,
    })
    onSaved()
  })
  return (
    <form
      className="setmore inline-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (key !== '') save.run()
      }}
    >
      <Field
        label="Key"
        type="password"
        isMono
        value={key}
        problem={save.error?.userMessage}
        onChange={(event) => setKey(event.target.value)}
      />
      <Button look="primary" type="submit" disabled={key === '' || save.isBusy}>
        Save key
      </Button>
    </form>
  )
}
