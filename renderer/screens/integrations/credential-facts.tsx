import type { CredentialCheck, Integration, IntegrationCredential } from '../../../core/domain/integration.ts'
import { Status } from '../../components/status.tsx'
import { useNow } from '../../engine/clock.ts'
import { exactText, relativeText } from '../../format/dates.ts'
import { serviceTitle } from '../../format/service-names.ts'
import { FactList } from '../../record/parts.tsx'
import { checkLook, placeText } from './words.ts'

interface CredentialFactsProps {
  readonly integration: Pick<Integration, 'addresses'>
  readonly credential: IntegrationCredential
}

const minuteMs = 60_000

/** Who takes it, where exactly it goes and how, how to get one, and how it was last answered. */
export function CredentialFacts({ integration: { addresses }, credential }: CredentialFactsProps) {
  const { provider, hosts, paths, instructions, state, connectedAt, lastCheck, isTestable } = credential
  const isInUse = state !== 'missing' && state !== 'changed'
  return (
    <div className="credential-facts">
      <FactList
        facts={[
          ['Provider', serviceTitle(provider)],
          ['Goes to', <Targets key="to" hosts={hosts} addresses={addresses} />],
          ['Sent as', placeText(credential)],
          paths.length === 0
            ? null
            : [
                'Only below',
                <span key="paths" className="mono breaks">
                  {paths.join(', ')}
                </span>,
              ],
          instructions === ''
            ? null
            : [
                'How to get it',
                <span key="how" className="instructions">
                  {instructions}
                </span>,
              ],
          isInUse && connectedAt !== null ? ['Connected', <Ago key="since" at={connectedAt} />] : null,
          isInUse ? ['Last check', <LastCheck key="check" check={lastCheck} isTestable={isTestable} />] : null,
        ]}
      />
    </div>
  )
}

/** The host that a skill names; where the person has a server of their own for it, that server. */
function Targets({ hosts, addresses }: { readonly hosts: readonly string[] } & Pick<Integration, 'addresses'>) {
  return hosts.map((host, at) => {
    const address = addresses[host]
    const setByYou = address === undefined ? '' : ` set by you, in the place of ${host}`
    return (
      <span key={host} className="target">
        <b className="mono breaks">{address ?? host}</b>
        <span className="mute">
          {setByYou}
          {at === hosts.length - 1 && `${setByYou === '' ? '' : ','} and to no other`}
        </span>
      </span>
    )
  })
}

function LastCheck({ check, isTestable }: { readonly check: CredentialCheck | null; readonly isTestable: boolean }) {
  if (check === null)
    return (
      <span className="mute">
        {isTestable ? 'not yet' : 'not yet: the skill names nothing to test it with, so its first use will show'}
      </span>
    )
  return (
    <span className="last-check" role="status">
      <Status {...checkLook(check)} />
      <span className="mute">{check.status === null ? 'no answer' : `HTTP ${check.status}`}</span>
      <Ago at={check.at} />
    </span>
  )
}

function Ago({ at }: { readonly at: number }) {
  const now = useNow(minuteMs)
  const text = relativeText(at, now)
  return (
    <time dateTime={new Date(at).toISOString()} title={exactText(at)}>
      {/(?:min|h)$/.test(text) ? `${text} ago` : text}
    </time>
  )
}
