import type { Json } from '../../../../core/domain/json.ts'
import { credentialText } from '../../../approval/request-words.ts'
import { Icon } from '../../../components/icon.tsx'
import { Status } from '../../../components/status.tsx'
import { FactList, Section } from '../../../record/parts.tsx'
import type { Span } from '../../../timeline/span.ts'
import { changeOf, useChangeEvent } from './change-tab.tsx'
import { httpOutcomeOf } from './http-outcome.ts'

/** Of an answered `http` call: who answered how, with which credential, and where the answer went. */
export function HttpFacts({ span, result }: { readonly span: Span; readonly result: Json }) {
  const change = changeOf(useChangeEvent(span))
  const { status, host, credential, redirect, savedTo } = httpOutcomeOf(result, change)
  if (status === null && host === null) return null
  return (
    <Section title="Answer">
      <FactList
        facts={[
          status === null
            ? null
            : ['Status', <Status key="status" status={status < 400 ? 'done' : 'failed'} word={`HTTP ${status}`} />],
          host === null
            ? null
            : [
                'From',
                <span key="host" className="mono breaks">
                  {host}
                </span>,
              ],
          change?.kind !== 'request'
            ? null
            : [
                'Credential',
                <span key="credential" className="with-key">
                  {credential !== null && <Icon name="key" size="tiny" />}
                  {credential === null ? 'none went along' : credentialText(credential)}
                </span>,
              ],
          redirect === null
            ? null
            : [
                'Redirect',
                <span key="redirect">
                  <span className="mono breaks">{redirect.to}</span>
                  <span className="mute">{redirect.isFollowed ? ' followed' : ' not followed'}</span>
                </span>,
              ],
          savedTo === null
            ? null
            : [
                'Saved to',
                <span key="saved" className="mono breaks">
                  {savedTo}
                </span>,
              ],
        ]}
      />
    </Section>
  )
}
