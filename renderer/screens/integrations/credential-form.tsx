import { useEffect, useRef, useState } from 'react'
import type { IntegrationCredential } from '../../../core/domain/integration.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/card.tsx'
import { Field } from '../../components/field.tsx'
import { call } from '../../engine/client.ts'
import { showIntegration } from '../../state/integrations.ts'
import { setApp, useApp } from '../../state/store.ts'
import { useAction } from '../../state/use-load.ts'

interface CredentialFormProps {
  readonly named: { readonly skill: string; readonly credential: string }
  readonly title: string
  /** What its button connects: the service, or this credential where the service has several. */
  readonly object: string
  readonly credential: IntegrationCredential
  readonly isFirstOpen: boolean
  onDone(): void
  /** Null where there is nothing to go back to. */
  readonly onClose: (() => void) | null
}

const mostCharacters = 8_192

/** Takes a credential and gives it to the keychain. What was entered is not shown again, here or anywhere. */
export function CredentialForm({
  named,
  title,
  object,
  credential,
  isFirstOpen,
  onDone,
  onClose,
}: CredentialFormProps) {
  const [value, setValue] = useState('')
  const isSentTo = useApp(({ connecting }) => isFirstOpen && connecting === named.skill)
  const fieldRef = useRef<HTMLInputElement>(null)
  const isAskedFor = isSentTo || onClose !== null
  useEffect(() => {
    if (!isAskedFor) return
    fieldRef.current?.focus()
    setApp({ connecting: null })
  }, [isAskedFor])
  const connect = useAction(async () => {
    showIntegration(await call('integration.connect', { ...named, value: value.trim() }))
    setValue('')
    onDone()
  })
  const isTooLong = value.trim().length > mostCharacters
  const isMissing = credential.state === 'missing'
  const label = isMissing ? title : `New ${title}`
  return (
    <form
      className="credential-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (value.trim() !== '' && !isTooLong && !connect.isBusy) connect.run()
      }}
      onKeyDown={(event) => event.key === 'Escape' && onClose?.()}
    >
      <Field
        ref={fieldRef}
        label={label}
        type="password"
        isMono
        value={value}
        placeholder="Paste it here"
        problem={isTooLong ? 'Longer than 8,192 characters: this is no key.' : undefined}
        onChange={(event) => setValue(event.target.value)}
      />
      <Button
        look={isFirstOpen ? 'primary' : 'plain'}
        type="submit"
        disabled={value.trim() === '' || isTooLong || connect.isBusy}
      >
        {connect.isBusy ? 'Keeping it' : isMissing ? `Connect ${object}` : 'Replace it'}
      </Button>
      {onClose && <Button onClick={onClose}>Keep as it is</Button>}
      {connect.error && <ErrorNote title="It was not kept" error={connect.error} />}
    </form>
  )
}
