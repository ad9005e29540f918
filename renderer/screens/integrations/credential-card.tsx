import { useRef, useState } from 'react'
import type { Integration, IntegrationCredential } from '../../../core/domain/integration.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote, Note } from '../../components/card.tsx'
import { Icon } from '../../components/icon.tsx'
import { Status } from '../../components/status.tsx'
import { call } from '../../engine/client.ts'
import { credentialTitle, serviceTitle } from '../../format/service-names.ts'
import { showIntegration } from '../../state/integrations.ts'
import { useAction } from '../../state/use-load.ts'
import { CredentialFacts } from './credential-facts.tsx'
import { CredentialForm } from './credential-form.tsx'
import { DisconnectDialog } from './disconnect-dialog.tsx'
import { credentialLook } from './words.ts'

interface CredentialCardProps {
  readonly integration: Integration
  readonly credential: IntegrationCredential
  /** The first that wants to be entered: its button is the primary one, its field takes the focus of who was sent here. */
  readonly isFirstOpen: boolean
}

/** A credential: where it goes and how, whether it works, and the ways to enter it, test it and be rid of it. */
export function CredentialCard({ integration, credential, isFirstOpen }: CredentialCardProps) {
  const { skill } = integration
  const { name, state, isTestable } = credential
  const title = credentialTitle({ ...credential, skill })
  const named = { skill, credential: name }
  const [isReplacing, setReplacing] = useState(false)
  // The focus comes back to what opened the form.
  const [wasOpen, setWasOpen] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  const testRef = useRef<HTMLButtonElement>(null)
  const test = useAction(async () => showIntegration(await call('integration.test', named)))
  const close = () => {
    setReplacing(false)
    setWasOpen(true)
  }
  const isAlone = integration.credentials.length === 1
  const isKept = state !== 'missing'
  const isOpen = isReplacing || state !== 'connected'
  const look = credentialLook(credential)
  return (
    <section className={look.status === 'failed' ? 'card bad credential' : 'card credential'} aria-label={title}>
      <div className="card-head">
        <Icon name="key" size="small" />
        <h3 className="trunc">{title}</h3>
        <span className="mono mute small">{name}</span>
        {/* Alone, its state is that of the skill, which stands above. */}
        {!isAlone && <Status {...look} />}
        <span className="grow" />
        {isTestable && isKept && state !== 'changed' && (
          <Button ref={testRef} disabled={test.isBusy} onClick={() => test.run()}>
            {test.isBusy ? 'Testing' : 'Test'}
          </Button>
        )}
        {!isOpen && (
          <Button autoFocus={wasOpen} onClick={() => setReplacing(true)}>
            Replace
          </Button>
        )}
        {isKept && (
          <Button look="danger" onClick={() => setLeaving(true)}>
            Disconnect {title}
          </Button>
        )}
      </div>
      <CredentialFacts integration={integration} credential={credential} />
      <div className="credential-notes">
        {test.error && <ErrorNote title="It was not tested" error={test.error} />}
        <StateNote credential={credential} />
      </div>
      {isOpen && (
        <CredentialForm
          named={named}
          title={title}
          object={isAlone ? serviceTitle(skill) : title}
          credential={credential}
          isFirstOpen={isFirstOpen || isReplacing}
          onDone={() => {
            close()
            // The next thing to do; it is there once the answer is drawn.
            requestAnimationFrame(() => testRef.current?.focus())
          }}
          onClose={isReplacing ? close : null}
        />
      )}
      {isLeaving && <DisconnectDialog named={named} title={title} onClose={() => setLeaving(false)} />}
    </section>
  )
}

/** Why it is not used, and what mends that; nothing where it works or was never there. */
function StateNote({ credential: { state, lastCheck } }: Pick<CredentialCardProps, 'credential'>) {
  if (state === 'changed')
    return (
      <Note status="waiting">
        Where it goes has changed since it was entered, so it is not used and nothing is sent. Look at the hosts above,
        and enter it again if they are right.
      </Note>
    )
  if (state === 'unreadable')
    return (
      <Note status="waiting">
        It is kept, but the keychain did not give it out: it may be locked, or was made on another computer. Nothing was
        sent. Unlock the keychain and test again, or enter it again.
      </Note>
    )
  if (state === 'missing' || lastCheck === null || lastCheck.ok) return null
  return <Note status="failed">{lastCheck.message}</Note>
}
