import { useEffect, useRef, useState } from 'react'
import type { ProviderStatus } from '../../../core/domain/contract.ts'
import { isHosted } from '../../../core/domain/model.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote, Note } from '../../components/card.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Field } from '../../components/field.tsx'
import { Status } from '../../components/status.tsx'
import { call } from '../../engine/client.ts'
import { saveServer } from '../../state/models.ts'
import { keyText, providerLook, removalConsequences, serverKindOf } from '../../state/providers.ts'
import { setApp, useApp } from '../../state/store.ts'
import { useAction } from '../../state/use-load.ts'
import { ServerModels } from './server-models.tsx'

interface ServerRowProps {
  readonly provider: ProviderStatus
  onChange(): void
}

/** A provider that was added: whether it answers, its key, its models, and the way to be rid of it. */
export function ServerRow({ provider, onChange }: ServerRowProps) {
  const { id, title, error } = provider
  const isSentTo = useApp(({ modelsFocus }) => modelsFocus?.kind === 'provider' && modelsFocus.providerId === id)
  const [isRemoving, setRemoving] = useState(false)
  const isAboutKey = error?.code === 'model.auth' || error?.code === 'secret.unavailable'
  const key = useKeyForm(provider)
  const cardRef = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isSentTo) cardRef.current?.focus()
  }, [isSentTo])
  return (
    <section ref={cardRef} className={error ? 'card bad provider' : 'card provider'} aria-label={title} tabIndex={-1}>
      <div className="setrow">
        <div>
          <div className="row">
            <span className="medium">{title}</span>
            <Status {...providerLook(provider)} />
          </div>
          <div className="sub">
            <span className={provider.baseUrl === null ? '' : 'mono'}>{addressText(provider)}</span>,{' '}
            {keyText(provider)}
          </div>
        </div>
        <div className="row">
          {!key.isOpen && (
            <Button onClick={key.open} aria-label={`${provider.hasKey ? 'Change' : 'Set'} key of ${title}`}>
              {provider.hasKey ? 'Change key' : 'Set key'}
            </Button>
          )}
          <Button look="danger" onClick={() => setRemoving(true)}>
            Remove {title}
          </Button>
        </div>
      </div>
      {key.isOpen && <KeyForm provider={provider} onSaved={onChange} onClose={key.close} />}
      {error?.code === 'secret.unavailable' && (
        <div className="setmore">
          <Note status="waiting">{error.userMessage}</Note>
        </div>
      )}
      {error && !isAboutKey && (
        <div className="setmore">
          <ErrorNote title={`${title} did not list its models`} error={error} />
        </div>
      )}
      <ServerModels provider={provider} />
      {isRemoving && <RemoveDialog provider={provider} onRemoved={onChange} onClose={() => setRemoving(false)} />}
    </section>
  )
}

function addressText({ kind, baseUrl }: ProviderStatus): string {
  return baseUrl ?? (isHosted(kind) ? 'At its own address' : 'No address')
}

/** Open where the key is what is wrong, or where a person asked for it or was sent to it. */
function useKeyForm({ id, error }: ProviderStatus) {
  const isSentTo = useApp(({ modelsFocus }) => modelsFocus?.kind === 'key' && modelsFocus.providerId === id)
  const [choice, setChoice] = useState<boolean | null>(null)
  return {
    isOpen: choice ?? (isSentTo || error?.code === 'model.auth'),
    open: () => setChoice(true),
    /** As long as the key is wrong its field stays. */
    close() {
      setChoice(null)
      setApp({ modelsFocus: null })
    },
  }
}

interface KeyFormProps {
  readonly provider: ProviderStatus
  onSaved(): void
  onClose(): void
}

function KeyForm({ provider, onSaved, onClose }: KeyFormProps) {
  const [key, setKey] = useState('')
  const isSentTo = useApp(({ modelsFocus }) => modelsFocus?.kind === 'key' && modelsFocus.providerId === provider.id)
  const fieldRef = useRef<HTMLInputElement>(null)
  const isWrong = provider.error?.code === 'model.auth'
  const isOnPurpose = isSentTo || !isWrong
  useEffect(() => {
    if (isOnPurpose) fieldRef.current?.focus()
  }, [isOnPurpose])
  const save = useAction(async () => {
    const { id, kind, title, baseUrl } = provider
    const status = await saveServer({ id, kind: serverKindOf(kind) ?? 'openai-compatible', title, baseUrl, key })
    setKey('')
    if (status.error?.code !== 'model.auth') onClose()
    onSaved()
  })
  const told = isWrong ? provider.error?.userMessage : undefined
  return (
    <form
      className="setmore inline-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (key !== '') save.run()
      }}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <Field
        ref={fieldRef}
        label={provider.hasKey ? 'New key' : 'Key'}
        type="password"
        isMono
        value={key}
        problem={save.error?.userMessage ?? (key === '' ? told : undefined)}
        onChange={(event) => setKey(event.target.value)}
      />
      <Button look="primary" type="submit" disabled={key === '' || save.isBusy}>
        {save.isBusy ? 'Saving' : 'Save key'}
      </Button>
      {!isWrong && <Button onClick={onClose}>Keep as it is</Button>}
    </form>
  )
}

interface RemoveDialogProps {
  readonly provider: ProviderStatus
  onRemoved(): void
  onClose(): void
}

function RemoveDialog({ provider, onRemoved, onClose }: RemoveDialogProps) {
  const settings = useApp((state) => state.settings)
  const remove = useAction(async () => {
    setApp({ settings: await call('provider.remove', { id: provider.id }) })
    onClose()
    onRemoved()
  })
  if (!settings) return null
  return (
    <ConfirmDialog
      title={`Remove ${provider.title}?`}
      confirm={`Remove ${provider.title}`}
      keep="Keep it"
      isDestructive
      isBusy={remove.isBusy}
      error={remove.error}
      onConfirm={() => remove.run()}
      onClose={onClose}
    >
      <ul className="consequences">
        {removalConsequences(settings, provider).map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </ConfirmDialog>
  )
}
