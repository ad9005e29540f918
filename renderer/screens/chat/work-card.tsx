import { memo, useCallback, useMemo, useState } from 'react'
import type { ThreadHeader } from '../../../core/domain/thread.ts'
import { shortcutOf } from '../../commands.ts'
import { Button, IconButton } from '../../components/button.tsx'
import { Skeleton } from '../../components/card.tsx'
import { Icon } from '../../components/icon.tsx'
import { queuedLook, Status, StatusIcon, threadLook } from '../../components/status.tsx'
import { call } from '../../engine/client.ts'
import { useNow } from '../../engine/clock.ts'
import { clockText, counted, durationText, tokensText } from '../../format/figures.ts'
import { routeHash } from '../../routes.ts'
import { loadCalls, loadNotes } from '../../state/load.ts'
import { isUnderWay } from '../../state/select.ts'
import { supervise, useApp } from '../../state/store.ts'
import { useLoad } from '../../state/use-load.ts'
import { ConnectOffers } from './connect-offers.tsx'
import { type Knot, knotsOf, tokensOf } from './knots.ts'
import { SkillChips } from './skill-chips.tsx'
import { waitsForText } from './stand.ts'

interface WorkCardProps {
  readonly thread: ThreadHeader
  /** Older threads of a chat show their head only, until they are opened. */
  readonly isOpenAtFirst: boolean
}

/** One thread of a chat: what it is doing or did, step by step. */
export function WorkCard({ thread, isOpenAtFirst }: WorkCardProps) {
  const [choice, setChoice] = useState<boolean | null>(null)
  const isOpen = choice ?? isOpenAtFirst
  const ahead = useApp((state) => state.known.queued[thread.id])
  const isQueued = ahead !== undefined
  const waitsFor = useWaitsFor(thread)
  const look = isQueued ? queuedLook : threadLook(thread)
  return (
    <section className={isOpen ? 'card work' : 'card work folded'} aria-label={`Thread #${thread.number}`}>
      <div className="card-head">
        <Status status={look.status} word={waitsFor === null ? look.word : 'Waits for you'} />
        <a className="medium" href={routeHash({ screen: 'thread', id: thread.id })}>
          #{thread.number}
        </a>
        {waitsFor !== null && (
          <span className="trunc small waits-for" title={waitsFor}>
            {waitsFor}
          </span>
        )}
        <Figures thread={thread} ahead={ahead} />
        <span className="grow" />
        {isUnderWay(thread) && <StopButton threadId={thread.id} />}
        <IconButton
          icon={isOpen ? 'down' : 'right'}
          label={isOpen ? 'Hide the steps' : 'Show the steps'}
          aria-expanded={isOpen}
          onClick={() => setChoice(!isOpen)}
        />
        <a
          className="btn ghost icon"
          href={routeHash({ screen: 'thread', id: thread.id })}
          aria-label={`Open #${thread.number} in the inspector`}
          title="Open in the inspector  i"
        >
          <Icon name="expand" size="small" />
        </a>
      </div>
      {isOpen && <SkillChips threadId={thread.id} />}
      {isOpen && <Knots threadId={thread.id} noneText={noneText(thread, isQueued)} />}
      {isOpen && <ConnectOffers thread={thread} />}
    </section>
  )
}

/** What a waiting thread waits for, by the person's next move; null for one that does not wait. */
function useWaitsFor(thread: ThreadHeader): string | null {
  const approvals = useApp((state) => state.known.approvals)
  const threads = useApp((state) => state.known.threads)
  return useMemo(() => waitsForText(thread, { approvals, threads }), [thread, approvals, threads])
}

function StopButton({ threadId }: { readonly threadId: string }) {
  const [isStopping, setStopping] = useState(false)
  function stop(): void {
    setStopping(true)
    supervise(() => call('thread.stop', { id: threadId }).finally(() => setStopping(false)))
  }
  return (
    <Button look="ghost" icon="stop" shortcut={shortcutOf('thread.stop') ?? ''} disabled={isStopping} onClick={stop}>
      {isStopping ? 'Stopping' : 'Stop'}
    </Button>
  )
}

/** Time, steps, tokens. Only the time ticks, and only while the thread runs. */
function Figures({ thread, ahead }: { readonly thread: ThreadHeader; readonly ahead: number | undefined }) {
  const isRunning = isUnderWay(thread)
  const now = useNow(1_000, isRunning)
  const known = useApp((state) => state.known.calls[thread.id])
  const counts = useMemo(() => (known ? tokensOf(known) : 0), [known])
  if (ahead !== undefined) return <span className="mute small">waits for a slot, {counted(ahead, 'thread')} ahead</span>
  const until = thread.endedAt ?? (isRunning ? now : thread.updatedAt)
  const tokens = Math.max(counts, thread.inputTokens + thread.outputTokens)
  const facts = [
    isRunning || until - thread.createdAt >= 60_000
      ? clockText(until - thread.createdAt)
      : durationText(until - thread.createdAt),
    isRunning ? `step ${Math.max(1, thread.steps)}` : counted(thread.steps, 'step'),
    ...(tokens > 0 ? [`${tokensText(tokens)} tokens`] : []),
  ]
  return <span className="mute small">{facts.join(' · ')}</span>
}

const shownKnots = 8
const lastKnots = 6

function noneText({ state }: ThreadHeader, isQueued: boolean): string {
  if (isQueued) return 'Nothing has been sent to a model yet.'
  return state === 'Running' ? 'The first step begins.' : 'No step was begun.'
}

function Knots({ threadId, noneText }: { readonly threadId: string; readonly noneText: string }) {
  const load = useLoad(useCallback(() => loadCalls(threadId).then(() => loadNotes(threadId)), [threadId]))
  const table = useApp((state) => state.known.calls[threadId])
  const knots = useMemo(() => (table ? knotsOf(table) : []), [table])
  const [isWhole, setWhole] = useState(false)
  if (load.phase === 'failed')
    return (
      <div className="knots">
        <p className="field-err">
          <Icon name="alert" size="small" />
          {load.error.userMessage}
          <Button look="ghost" onClick={load.retry}>
            Try again
          </Button>
        </p>
      </div>
    )
  if (knots.length === 0) {
    if (load.phase === 'loading') return <Skeleton rows={2} label="Reading the steps" />
    return <p className="knots mute small">{noneText}</p>
  }
  const hidden = isWhole || knots.length <= shownKnots ? 0 : knots.length - lastKnots - 1
  const rows = hidden === 0 ? knots : [...knots.slice(0, 1), ...knots.slice(-lastKnots)]
  return (
    <ol className="knots">
      {rows.map((knot, at) => (
        <KnotRows
          key={knot.number}
          threadId={threadId}
          knot={knot}
          hiddenBefore={at === 1 ? hidden : 0}
          onShow={() => setWhole(true)}
        />
      ))}
    </ol>
  )
}

interface KnotRowsProps {
  readonly threadId: string
  readonly knot: Knot
  readonly hiddenBefore: number
  onShow(): void
}

function KnotRows({ threadId, knot, hiddenBefore, onShow }: KnotRowsProps) {
  return (
    <>
      {hiddenBefore > 0 && (
        <li className="knot">
          <span className="st queued">
            <Icon name="more" size="small" />
          </span>
          <button type="button" className="link knot-more" onClick={onShow}>
            Show {counted(hiddenBefore, 'more step')}
          </button>
        </li>
      )}
      <KnotRow threadId={threadId} knot={knot} />
    </>
  )
}

const KnotRow = memo(function KnotRow({ threadId, knot }: Pick<KnotRowsProps, 'threadId' | 'knot'>) {
  // That it has begun to speak is no event, only a text that grows.
  const isSpeaking = useApp(({ known }) => {
    const live = known.live[threadId]
    return live?.step === knot.number - 1 && live.text !== ''
  })
  const remark = isSpeaking && knot.endedAt === null ? 'the model answers' : knot.remark
  return (
    <li className="knot">
      <Status status={knot.status} look="icon" />
      <span className="mute">step {knot.number}</span>
      <span className="acts">
        {knot.acts.length === 0 && (
          <span className={knot.status === 'failed' ? 'remark ink-failed' : 'remark'} title={remark}>
            {remark}
          </span>
        )}
        {knot.acts.map((act) => (
          <span key={act.key}>
            {act.status !== 'done' && (
              <span className={`st ${act.status}`}>
                <StatusIcon status={act.status} />
              </span>
            )}
            <span className="mono">{act.count > 1 ? `${act.name} ×${act.count}` : act.name}</span>
            {act.summary !== '' && (
              <span className={act.status === 'failed' ? 'act-summary ink-failed' : 'act-summary'} title={act.summary}>
                {act.summary}
              </span>
            )}
          </span>
        ))}
      </span>
      <KnotTime knot={knot} />
    </li>
  )
})

function KnotTime({ knot }: { readonly knot: Knot }) {
  const now = useNow(1_000, knot.endedAt === null)
  const ms = Math.max(0, (knot.endedAt ?? now) - knot.startedAt)
  return <span className="num mute">{knot.endedAt === null ? clockText(ms) : durationText(ms)}</span>
}
