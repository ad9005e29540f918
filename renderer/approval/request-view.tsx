import type { Change } from '../../core/domain/approval.ts'
import { Note } from '../components/card.tsx'
import { Icon } from '../components/icon.tsx'
import { bytesText } from '../format/figures.ts'
import { FactList, type FactPair, LongText } from '../record/parts.tsx'
import { bodyTextOf, credentialText, isPlainHttp, isWhole, urlParts } from './request-words.ts'

type RequestChange = Extract<Change, { kind: 'request' }>

/** What would be sent: to whom, with which credential, and every word of it. */
export function RequestView({ change }: { readonly change: RequestChange }) {
  const { credential, address, host, headers, files, saveTo } = change
  return (
    <div className="change-facts request">
      <RequestLine change={change} />
      <FactList
        facts={[
          address === null
            ? null
            : [
                'Really goes to',
                <span key="address">
                  <b className="mono breaks">{address}</b>
                  <span className="mute"> the address that you set for {host}</span>
                </span>,
              ],
          [
            'Credential',
            <span key="credential" className="with-key">
              {credential !== null && <Icon name="key" size="tiny" />}
              {credentialText(credential)}
            </span>,
          ],
          ...headers.map(
            ([name, value], at): FactPair => [
              at === 0 ? 'Headers' : '',
              <span key={name} className="mono breaks">
                {name}: {value}
              </span>,
            ],
          ),
          ...files.map(
            ({ field, path, bytes, sha256 }, at): FactPair => [
              at === 0 ? 'Files' : '',
              <span key={path} title={`SHA-256 ${sha256}`}>
                <b className="mono breaks">{path}</b>{' '}
                <span className="mute">
                  {bytesText(bytes)}
                  {field === '' ? '' : `, as ${field}`}
                </span>
              </span>,
            ],
          ),
          saveTo === null
            ? null
            : [
                'Answer saved to',
                <span key="save" className="mono breaks">
                  {saveTo}
                </span>,
              ],
        ]}
      />
      {isPlainHttp(change) && (
        <Note status="waiting">
          It goes over plain http, not encrypted: whoever is on the way reads
          {credential === null ? '' : ' the credential and'} all that is sent.
        </Note>
      )}
      <RequestBody body={change.body} />
    </div>
  )
}

/** Method and address in one line; the host is what a person looks for in it. */
function RequestLine({ change }: { readonly change: Pick<RequestChange, 'method' | 'url' | 'host'> }) {
  const { before, host, after } = urlParts(change)
  return (
    <p className="request-line">
      <span className="method">{change.method}</span>
      <span className="mono breaks">
        <span className="mute">{before}</span>
        <b>{host}</b>
        {after}
      </span>
    </p>
  )
}

function RequestBody({ body }: Pick<RequestChange, 'body'>) {
  if (body === null) return null
  const { type, bytes } = body
  return (
    <section aria-label="Body">
      <div className="label-row">
        <span className="label">Body</span>
        <span className="mute small">
          {type}, {bytesText(bytes)}
        </span>
      </div>
      <LongText text={bodyTextOf(body)} />
      {!isWhole(body) && (
        <p className="cut small">Cut here: the beginning of {bytesText(bytes)} is shown. All of it would be sent.</p>
      )}
    </section>
  )
}
