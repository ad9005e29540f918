import { useState } from 'react'
import type { Integration } from '../../../core/domain/integration.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote, Note } from '../../components/card.tsx'
import { Field } from '../../components/field.tsx'
import { call } from '../../engine/client.ts'
import { showIntegration } from '../../state/integrations.ts'
import { useAction } from '../../state/use-load.ts'
import { addressOf, goesAlongText, isUnencrypted } from './words.ts'

interface AddressFormProps {
  readonly host: string
  readonly integration: Integration
  onClose(): void
}

/** Another server in the place of a host, or that host itself again; what comes of it stands beside. */
export function AddressForm({ host, integration, onClose }: AddressFormProps) {
  const { skill, addresses } = integration
  const address = addresses[host]
  const [text, setText] = useState(address ?? '')
  const [isTried, setTried] = useState(false)
  const read = addressOf(text)
  const save = useAction(async (baseUrl: string | null) => {
    showIntegration(await call('integration.address', { skill, host, baseUrl }))
    onClose()
  })
  return (
    <form
      className="setmore address-form"
      aria-label={`Address of ${host}`}
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (read.ok) save.run(read.value)
      }}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <div className="address-line">
        <Field
          label={`Asked in the place of ${host}`}
          isMono
          autoFocus
          placeholder="https://server.example.com/api"
          maxLength={2_000}
          value={text}
          problem={isTried && !read.ok ? read.problem : undefined}
          onChange={(event) => {
            setText(event.target.value)
            setTried(false)
          }}
        />
        <Button type="submit" disabled={save.isBusy}>
          Use this address
        </Button>
        {address !== undefined && (
          <Button disabled={save.isBusy} onClick={() => save.run(null)}>
            Use {host} itself
          </Button>
        )}
        <Button look="ghost" onClick={onClose}>
          Keep as it is
        </Button>
      </div>
      <p className="sub">{goesAlongText(integration, host)}</p>
      {read.ok && isUnencrypted(read.value) && (
        <Note status="waiting">
          Plain http is not encrypted: whoever is on the way reads the key and all that is sent. Use it within your own
          network only.
        </Note>
      )}
      {save.error && <ErrorNote title="The address was not changed" error={save.error} />}
    </form>
  )
}
