import { useState } from 'react'
import type { Integration } from '../../../core/domain/integration.ts'
import { Button } from '../../components/button.tsx'
import { AddressForm } from './address-form.tsx'
import { Unencrypted } from './unencrypted.tsx'
import { isUnencrypted } from './words.ts'

interface HostsProps {
  readonly integration: Integration
}

/** Hosts that a credential goes to, each with the server that may stand in its place. */
export function ServerAddresses({ integration }: HostsProps) {
  const hosts = [...new Set(integration.credentials.flatMap((credential) => credential.hosts))]
  if (hosts.length === 0) return null
  return (
    <section aria-labelledby="server-address">
      <div className="sech">
        <h3 id="server-address">Server address</h3>
      </div>
      <p className="dim">
        For an enterprise edition, a gateway or a server of your own, asked in the place of the host.
      </p>
      <HostRows hosts={hosts} integration={integration} />
    </section>
  )
}

/** Hosts that are read without a credential. */
export function OpenHosts({ integration }: HostsProps) {
  const { openHosts } = integration
  if (openHosts.length === 0) return null
  return (
    <section aria-labelledby="open-hosts">
      <div className="sech">
        <h3 id="open-hosts">Read without a key</h3>
      </div>
      <p className="dim">
        While the skill is active these are read without asking. What would be sent there still asks.
      </p>
      <HostRows hosts={openHosts} integration={integration} />
    </section>
  )
}

function HostRows({ hosts, integration }: HostsProps & { readonly hosts: readonly string[] }) {
  return (
    <div className="card">
      {hosts.map((host) => (
        <HostRow key={host} host={host} integration={integration} />
      ))}
    </div>
  )
}

function HostRow({ host, integration }: HostsProps & { readonly host: string }) {
  const [isOpen, setOpen] = useState(false)
  // The focus comes back to what opened the form.
  const [wasOpen, setWasOpen] = useState(false)
  const address = integration.addresses[host]
  return (
    <div className="setgroup">
      <div className="setrow">
        <div>
          <span className="mono breaks">{host}</span>
          <div className="sub asked-at">
            <span>
              asked at <span className="mono breaks">{address ?? `https://${host}`}</span>
              {address !== undefined && ', as you set it'}
            </span>
            {address !== undefined && isUnencrypted(address) && <Unencrypted />}
          </div>
        </div>
        {!isOpen && (
          <Button
            aria-label={`Change the address of ${host}`}
            autoFocus={wasOpen}
            onClick={() => {
              setOpen(true)
              setWasOpen(true)
            }}
          >
            Change
          </Button>
        )}
      </div>
      {isOpen && <AddressForm host={host} integration={integration} onClose={() => setOpen(false)} />}
    </div>
  )
}
