import type { Integration } from '../../../core/domain/integration.ts'
import { KeychainNote } from '../../components/keychain-note.tsx'
import { Status } from '../../components/status.tsx'
import { serviceTitle } from '../../format/service-names.ts'
import { CredentialCard } from './credential-card.tsx'
import { OpenHosts, ServerAddresses } from './server-addresses.tsx'
import { integrationLook } from './words.ts'

/** One skill: what it does, what it needs, where that goes, and which hosts it reads without. Mount it anew for each. */
export function IntegrationDetail({ integration }: { readonly integration: Integration }) {
  const { skill, description, credentials } = integration
  const title = serviceTitle(skill)
  const hasKept = credentials.some(({ state }) => state !== 'missing')
  const firstOpen = credentials.findIndex(({ state }) => state !== 'connected')
  return (
    <section className="pane detail" aria-label={title}>
      <header className="int-head">
        <div className="row">
          <h2 className="trunc">{title}</h2>
          <Status {...integrationLook(integration)} look="chip" />
        </div>
        <p className="dim">{description}</p>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region is scrolled by keyboard */}
      <div className="pane-body scrolls" tabIndex={0}>
        <div className="int-doc">
          {credentials.map((credential, at) => (
            <CredentialCard
              key={credential.name}
              integration={integration}
              credential={credential}
              isFirstOpen={at === firstOpen}
            />
          ))}
          {credentials.length > 0 && (
            // Whether anything is protected shows only once something is kept.
            <div key={String(hasKept)} className="int-kept">
              <KeychainNote />
            </div>
          )}
          <ServerAddresses integration={integration} />
          <OpenHosts integration={integration} />
        </div>
      </div>
    </section>
  )
}
