import { type RefObject, useId, useMemo } from 'react'
import type { ThreadHeader } from '../../../core/domain/thread.ts'
import { Button, Kbd } from '../../components/button.tsx'
import { Icon } from '../../components/icon.tsx'
import { Kind } from '../../components/kind.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { Status, type StatusLook } from '../../components/status.tsx'
import { TabList } from '../../components/tab-list.tsx'
import { useNow } from '../../engine/clock.ts'
import { clockText, counted, durationText, tokensText } from '../../format/figures.ts'
import { missionRoute, routeHash } from '../../routes.ts'
import { pendingOfThread } from '../../state/select.ts'
import { useApp } from '../../state/store.ts'
import { axisModes } from '../../timeline/axis.ts'
import { costOf, costText } from '../../timeline/cost.ts'
import { markText } from '../../timeline/notes.ts'
import type { Pause, SpanKind } from '../../timeline/span.ts'
import { spanAt, type Timeline } from '../../timeline/timeline.ts'
import { type CopyChoices, CopyMenu } from './copy-menu.tsx'
import { type ViewChange, type ViewName, type ViewState, views } from './view-state.ts'
import { WrongButton } from './wrong-button.tsx'

export interface HeadActions {
  readonly stop: () => void
  readonly resume: () => void
  readonly retry: () => void
  readonly openChat: () => void
  readonly copies: CopyChoices
}

interface HeadProps {
  readonly header: ThreadHeader
  readonly timeline: Timeline | null
  readonly look: StatusLook
  readonly slotWait: Pause | null
  readonly ahead: number
  readonly isLoading: boolean
  readonly actions: HeadActions
}

/** Title, state, figures, and what can be done to the thread now. */
export function Head({ header, timeline, look, slotWait, ahead, isLoading, actions }: HeadProps) {
  const known = useApp((state) => state.known)
  const waiting = useMemo(() => pendingOfThread(known, header.id), [known, header.id])
  const wrong = timeline?.notes.find(({ kind }) => kind === 'thread.corrected')
  const isRunning = header.state === 'Running' || header.state === 'Waiting' || header.state === 'Created'
  const hasEnded = header.state === 'Done' || header.state === 'Failed'
  return (
    <div className="th-head">
      <h1 className="trunc" title={header.goal}>
        {header.title}
      </h1>
      <StateChip header={header} look={look} slotWait={slotWait} />
      <div className="facts">
        {header.missionId !== null && (
          <a href={routeHash(missionRoute(header.missionId))} title={`Each firing of ${header.title} is a thread`}>
            firing of {header.title}
          </a>
        )}
        {wrong && (
          <span className="ink-failed" title={markText(wrong) ?? undefined}>
            you said it was wrong
          </span>
        )}
        {header.parentId !== null && <ParentLink parentId={header.parentId} />}
        {waiting.length > 0 && <WaitingLink id={waiting[0]?.id ?? ''} count={waiting.length} />}
        {slotWait && <span>{ahead === 0 ? 'next in line' : `${ahead} ahead`}</span>}
        {timeline && <Figures header={header} timeline={timeline} isLoading={isLoading} />}
        {header.reason && (
          <span className="trunc" title={header.reason}>
            {header.reason}
          </span>
        )}
      </div>
      <span className="grow" />
      {isRunning && (
        <Button icon="stop" onClick={actions.stop}>
          Stop
        </Button>
      )}
      {header.state === 'Suspended' && (
        <Button look="primary" icon="play" onClick={actions.resume}>
          Resume
        </Button>
      )}
      {hasEnded && (
        <Button icon="undo" onClick={actions.retry}>
          Retry
        </Button>
      )}
      {header.outcome === 'answered' && header.parentId === null && !wrong && <WrongButton threadId={header.id} />}
      <Button icon="chat" onClick={actions.openChat}>
        Open chat
      </Button>
      <CopyMenu choices={actions.copies} />
    </div>
  )
}

function WaitingLink({ id, count }: { readonly id: string; readonly count: number }) {
  return (
    <a className="ink-waiting" href={routeHash({ screen: 'approvals', id })}>
      <Status status="waiting" word={counted(count, 'approval')} />
    </a>
  )
}

/** A child says whose it is. */
function ParentLink({ parentId }: { readonly parentId: string }) {
  const number = useApp((state) => state.known.threads[parentId]?.number)
  return (
    <a href={routeHash({ screen: 'thread', id: parentId })}>
      child of {number === undefined ? 'a thread' : `#${number}`}
    </a>
  )
}

function Figures({ header, timeline, isLoading }: { header: ThreadHeader; timeline: Timeline; isLoading: boolean }) {
  const root = spanAt(timeline, 0)
  const cost = useMemo(() => costText(costOf(timeline)), [timeline, timeline.version])
  const steps = timeline.stepIds.size
  const spans = timeline.spans.length
  const isPartial = isLoading && steps < header.steps
  if (steps === 0) return null
  return (
    <>
      <span aria-live={isPartial ? 'polite' : 'off'}>
        <b>{steps.toLocaleString('en')}</b>{' '}
        {isPartial ? `of ${header.steps.toLocaleString('en')} steps read` : limitText(header.maxSteps, steps)}
      </span>
      <span>
        <b>{spans.toLocaleString('en')}</b> {spans === 1 ? 'span' : 'spans'}
      </span>
      <span>
        <b>{tokensText(root.inputTokens + root.outputTokens)}</b> tokens
      </span>
      {cost !== '' && <span>{cost}</span>}
    </>
  )
}

function limitText(maxSteps: number | null, steps: number): string {
  if (maxSteps !== null) return `of ${maxSteps.toLocaleString('en')} steps`
  return steps === 1 ? 'step' : 'steps'
}

function StateChip({ header, look, slotWait }: { header: ThreadHeader; look: StatusLook; slotWait: Pause | null }) {
  // A thread that waits is told by how long it waits.
  const since = slotWait ? slotWait.startedAt : header.state === 'Waiting' ? header.updatedAt : header.createdAt
  const ticks = slotWait !== null || header.state === 'Running' || header.state === 'Waiting'
  const now = useNow(1_000, ticks)
  const took = header.endedAt === null ? null : header.endedAt - header.createdAt
  const time = ticks ? clockText(now - since) : took === null ? '' : durationText(took)
  return <Status status={look.status} word={`${look.word} ${time}`.trim()} look="chip" />
}

interface BarProps {
  readonly state: ViewState
  readonly matches: number | null
  readonly searchRef: RefObject<HTMLInputElement | null>
  readonly change: (change: ViewChange) => void
}

const viewTitles: Readonly<Record<ViewName, string>> = {
  timeline: 'Timeline',
  transcript: 'Transcript',
  events: 'Events',
}
const chips = [
  { kind: 'model', word: 'model calls' },
  { kind: 'action', word: 'actions' },
  { kind: 'code', word: 'code' },
  { kind: 'step', word: 'steps' },
] as const satisfies readonly { readonly kind: SpanKind; readonly word: string }[]

/** Views, axis, kinds and search. */
export function Bar({ state, matches, searchRef, change }: BarProps) {
  const isTimeline = state.view === 'timeline'
  return (
    <div className="th-bar">
      <TabList
        label="View"
        className="seg"
        tabs={views.map((name, at) => ({ name, title: viewTitles[name], hint: String(at + 1) }))}
        current={state.view}
        onChoose={(view) => change({ type: 'view', view })}
      />
      {isTimeline && (
        <>
          <Segmented
            label="Time axis"
            options={axisModes.map((mode) => [mode, mode] as const)}
            value={state.axisMode}
            onChange={(mode) => change({ type: 'axis', mode })}
          />
          <KindChips hidden={state.hiddenKinds} change={change} />
          <span className="grow" />
          <SearchField query={state.query} matches={matches} inputRef={searchRef} change={change} />
        </>
      )}
    </div>
  )
}

function KindChips({ hidden, change }: { hidden: ReadonlySet<SpanKind>; change: (change: ViewChange) => void }) {
  const gone = chips.filter(({ kind }) => hidden.has(kind)).map(({ word }) => word)
  return (
    <>
      <fieldset className="kf" aria-label="Kinds">
        {chips.map(({ kind, word }) => (
          <button
            key={kind}
            type="button"
            className={hidden.has(kind) ? 'off' : ''}
            aria-pressed={!hidden.has(kind)}
            title={hidden.has(kind) ? `Show ${word}` : `Hide ${word}`}
            onClick={() => change({ type: 'kind', kind })}
          >
            <Kind kind={kind === 'step' ? 'thread' : kind} />
          </button>
        ))}
      </fieldset>
      <span className="mute small">{gone.length === 0 ? 'All kinds' : `Without ${gone.join(', ')}`}</span>
    </>
  )
}

interface SearchProps {
  readonly query: string
  readonly matches: number | null
  readonly inputRef: RefObject<HTMLInputElement | null>
  readonly change: (change: ViewChange) => void
}

function SearchField({ query, matches, inputRef, change }: SearchProps) {
  const id = useId()
  return (
    <label className="input quiet find" htmlFor={id}>
      <Icon name="search" size="tiny" />
      <input
        id={id}
        ref={inputRef}
        type="search"
        placeholder="Search names and summaries"
        aria-label="Search names and summaries"
        value={query}
        maxLength={200}
        onChange={(event) => change({ type: 'query', query: event.target.value })}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          change({ type: 'query', query: '' })
          event.currentTarget.blur()
        }}
      />
      {matches === null ? <Kbd keys="/" /> : <span role="status">{counted(matches, 'match', 'matches')}</span>}
    </label>
  )
}
