import { useState } from 'react'
import { DiffView } from '../../approval/diff-view.tsx'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/card.tsx'
import { Status } from '../../components/status.tsx'
import { ThreadLink } from '../../components/thread-link.tsx'
import { call } from '../../engine/client.ts'
import { nowMs } from '../../engine/clock.ts'
import { exactText, relativeText } from '../../format/dates.ts'
import { counted } from '../../format/figures.ts'
import { LongText } from '../../record/parts.tsx'
import { routeHash } from '../../routes.ts'
import { useAction } from '../../state/use-load.ts'
import { type LoopReview, type LoopVersion, reviewText, versionLook } from './loop-words.ts'

export type { LoopReview } from './loop-words.ts'

interface LoopVersionRowProps {
  readonly version: LoopVersion
  readonly isCurrent: boolean
  /** Null while it is not known. */
  readonly bundledCode: string | null
  readonly review: LoopReview | undefined
  onReview(review: LoopReview): void
  onActivate(): void
}

const firstLines = 200

export function LoopVersionRow(props: LoopVersionRowProps) {
  const { version, isCurrent, bundledCode, review, onReview, onActivate } = props
  const [isOpen, setOpen] = useState(false)
  const run = useAction(async () => onReview(await call('orchestrator.review', { version: version.version })))
  const isBundled = version.version === 0
  const name = isBundled ? 'Bundled' : `v${version.version}`
  return (
    <li className="setgroup" aria-label={name}>
      <div className="setrow">
        <div>
          <div className="row">
            <span className="medium">{name}</span>
            <Status {...versionLook(version, isCurrent)} />
          </div>
          <div className="sub">
            <Facts version={version} />
          </div>
        </div>
        <div className="row">
          <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} aria-label={`Code of ${name}`}>
            Code
          </Button>
          {!isBundled && (
            <Button disabled={run.isBusy} onClick={() => run.run()} aria-label={`Dry run of ${name}`}>
              {run.isBusy ? 'Running' : 'Dry run'}
            </Button>
          )}
          {!isCurrent && version.state !== 'failed' && (
            <Button onClick={onActivate} aria-label={`Activate ${name}`}>
              Activate
            </Button>
          )}
        </div>
      </div>
      {run.error && (
        <div className="setmore">
          <ErrorNote title={`The dry run of ${name} failed`} error={run.error} />
        </div>
      )}
      {review && review.runs.length > 0 && !run.error && <ReviewList review={review} />}
      {isOpen && <Code version={version} bundledCode={bundledCode} />}
    </li>
  )
}

function Facts({
  version: { version, source, reason, failures, createdAt, decidedAt },
}: Pick<LoopVersionRowProps, 'version'>) {
  if (version === 0) return 'Comes with Threadsmith, never changed.'
  const at = decidedAt ?? createdAt
  return (
    <>
      {reason}
      <br />
      {source === 'user' ? 'by you' : <ThreadLink id={source} />}, {counted(failures, 'failure')} of its own,{' '}
      <time dateTime={new Date(at).toISOString()} title={exactText(at)}>
        {decidedAt === null ? 'proposed' : 'decided'} {relativeText(at, nowMs())}
      </time>
    </>
  )
}

function ReviewList({ review }: { readonly review: LoopReview }) {
  return (
    <section className="setmore" aria-label={`Dry run of v${review.version.version}`}>
      <p className="label">Dry run over the newest threads on record: {reviewText(review)}</p>
      <ul className="reviews">
        {review.runs.map(({ thread, verdict, detail }) => (
          <li key={thread}>
            <Status
              status={verdict === 'same' ? 'done' : 'waiting'}
              word={verdict === 'same' ? 'the same' : 'another way'}
            />
            <a className="link" href={routeHash({ screen: 'thread', id: String(thread) })}>
              #{thread}
            </a>
            <span className="dim breaks">{detail}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Code({ version, bundledCode }: Pick<LoopVersionRowProps, 'version' | 'bundledCode'>) {
  return (
    <section className="setmore" aria-label="Code">
      {version.version === 0 || bundledCode === null ? (
        <LongText text={version.code} />
      ) : (
        <>
          <p className="label">Against the bundled loop</p>
          <div className="card loop-diff">
            <DiffView before={bundledCode} after={version.code} label="Code" firstLines={firstLines} />
          </div>
        </>
      )}
    </section>
  )
}
