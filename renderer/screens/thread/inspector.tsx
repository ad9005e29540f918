import { type KeyboardEvent, useCallback, useEffect, useReducer, useRef } from 'react'
import type { ThreadHeader } from '../../../core/domain/thread.ts'
import { Button } from '../../components/button.tsx'
import { ErrorCard } from '../../components/card.tsx'
import { queuedLook, threadLook } from '../../components/status.tsx'
import { axisModes } from '../../timeline/axis.ts'
import { factOf } from '../../timeline/fact.ts'
import { nextFailure } from '../../timeline/rows.ts'
import { spanAt, type Timeline } from '../../timeline/timeline.ts'
import { DetailPane } from './detail/detail-pane.tsx'
import { Events } from './events.tsx'
import { Bar, Head } from './head.tsx'
import { lengths } from './lengths.ts'
import { NoSteps } from './no-steps.tsx'
import type { OpenSession, Session } from './session.ts'
import { Splitter } from './splitter.tsx'
import { TimelinePane } from './timeline-pane.tsx'
import { Transcript } from './transcript.tsx'
import { instantsOf, useInspector } from './use-inspector.ts'
import { useInspectorKeys } from './use-inspector-keys.ts'
import { isBoolean, isNumber, useRemembered } from './use-remembered.ts'
import { useThreadActions } from './use-thread-actions.ts'
import { changeView, initialView, type ViewChange, type ViewState } from './view-state.ts'

export interface InspectorProps {
  readonly session: Session
  readonly header: ThreadHeader
  readonly timeline: Timeline
  readonly open: OpenSession
  /** The event that it opens on: the transcript, at that place. */
  readonly at: number | null
}

const detailPx = { min: 320, max: 560, initial: 372 }

/** One thread: its head, one of three views, and the detail of what is selected. */
export function Inspector({ session, header, timeline, open, at }: InspectorProps) {
  const { reload, openChild } = open
  const { version, isLoading, drafts } = session
  const [detailWidth, setDetailWidth] = useRemembered('detailWidth', detailPx.initial, isNumber)
  const [state, changeState] = useViewState(header, timeline, at === null ? 'timeline' : 'transcript')
  const change = useCallback(
    (next: ViewChange) => {
      changeState(next)
      if (next.type !== 'fold' || next.isFolded) return
      for (const id of next.ids) {
        const { childId } = spanAt(timeline, id)
        if (childId !== null) openChild(childId)
      }
    },
    [changeState, openChild, timeline],
  )
  const searchRef = useRef<HTMLInputElement>(null)
  const rootRef = useRef<HTMLElement>(null)
  const shown = useInspector({ timeline, version, header, state })
  const { view, rows, isLive, slotWait } = shown
  const look = slotWait ? queuedLook : threadLook(header)
  const actions = useThreadActions(header, timeline, state.selected)
  const runs = commandRuns({ timeline, state, change, now: view.now })
  const step = (by: number) => {
    const row = Math.max(0, rows.rowOf[state.selected] ?? 0) + by
    change({ type: 'select', id: rows.ids[Math.max(0, Math.min(rows.ids.length - 1, row))] ?? 0 })
  }
  useInspectorKeys({
    ...runs,
    'list.next': () => step(1),
    'list.previous': () => step(-1),
    'list.filter': () => {
      change({ type: 'view', view: 'timeline' })
      searchRef.current?.focus()
    },
    'inspector.copyJson': actions.copies.json,
    'inspector.copyMarkdown': actions.copies.markdown,
  })
  useKeepFocus(rootRef, state.view)
  const onEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !state.showsDetail) return
    rootRef.current?.querySelector<HTMLElement>('[role="row"][tabindex="0"]')?.focus({ preventScroll: true })
    change({ type: 'detail', isShown: false })
  }
  const hasSteps = timeline.stepIds.size > 0
  const isTimeline = state.view === 'timeline'
  const showsSide = hasSteps && isTimeline && state.showsDetail
  return (
    <main
      className={showsSide ? 'split insp' : 'split insp wide'}
      ref={rootRef}
      tabIndex={-1}
      style={lengths({ '--w-detail': detailWidth })}
      onKeyDown={onEscape}
    >
      <header>
        <Head
          header={header}
          timeline={timeline}
          look={look}
          slotWait={slotWait}
          ahead={aheadOf(timeline)}
          isLoading={isLoading}
          actions={actions}
        />
        {hasSteps && (
          <Bar
            state={state}
            matches={state.query.trim() === '' ? null : rows.matches}
            searchRef={searchRef}
            change={change}
          />
        )}
        {hasSteps && session.error && (
          <div className="th-fault">
            <h2 className="sr">What could not be read</h2>
            <ErrorCard
              title="A part of this thread could not be read"
              error={session.error}
              facts={[
                [
                  'Shown',
                  `${timeline.stepIds.size.toLocaleString('en')} of ${header.steps.toLocaleString('en')} steps`,
                ],
              ]}
              actions={<Button onClick={reload}>Read again</Button>}
            />
          </div>
        )}
      </header>
      {!hasSteps && (
        <NoSteps
          session={session}
          header={header}
          stop={actions.stop}
          isQueued={slotWait !== null}
          ahead={aheadOf(timeline)}
          reload={reload}
        />
      )}
      {hasSteps && isTimeline && (
        <TimelinePane
          timeline={timeline}
          version={version}
          header={header}
          shown={shown}
          state={state}
          look={look}
          change={change}
          onRange={(range, isNew) => change({ type: 'zoom', isNew, range: instantsOf(view, range) })}
          onError={runs['inspector.nextError']}
          onEnter={() => requestAnimationFrame(() => focusDetail(rootRef.current))}
        />
      )}
      {hasSteps && state.view === 'transcript' && (
        <Transcript
          timeline={timeline}
          version={version}
          drafts={drafts}
          at={at}
          onOpen={(id) => {
            change({ type: 'view', view: 'timeline' })
            change({ type: 'select', id, opens: true })
          }}
        />
      )}
      {hasSteps && state.view === 'events' && <Events threadId={header.id} version={version} />}
      {showsSide && (
        <div className="side">
          <Splitter
            label="Width of the detail"
            className="left-edge"
            widthPx={detailWidth}
            minPx={detailPx.min}
            maxPx={detailPx.max}
            side="right"
            onChange={setDetailWidth}
          />
          <DetailPane
            header={header}
            timeline={timeline}
            span={spanAt(timeline, state.selected)}
            drafts={drafts}
            threadLook={look}
            isLive={isLive}
            now={view.now}
            onSelect={(id) => change({ type: 'select', id })}
            onClose={() => change({ type: 'detail', isShown: false })}
          />
        </div>
      )}
    </main>
  )
}

const isAxisMode = (value: unknown): value is ViewState['axisMode'] => axisModes.some((mode) => mode === value)

/** The view as it was left: axis and detail are remembered from thread to thread. */
function useViewState(header: ThreadHeader, timeline: Timeline, view: ViewState['view']) {
  const [showsDetail, keepDetail] = useRemembered('detail', true, isBoolean)
  const [axisMode, keepAxis] = useRemembered<ViewState['axisMode']>('axis', 'work', isAxisMode)
  const [state, dispatch] = useReducer(changeView, null, () =>
    initialView({ view, axisMode, showsDetail, selected: firstSelected(header, timeline) }),
  )
  useEffect(() => {
    if (state.showsDetail !== showsDetail) keepDetail(state.showsDetail)
    if (state.axisMode !== axisMode) keepAxis(state.axisMode)
  })
  const change = useCallback((next: ViewChange) => dispatch(next), [])
  return [state, change] as const
}

/** A failed thread opens on what failed. */
function firstSelected(header: ThreadHeader, timeline: Timeline): number {
  const isFailed = header.state === 'Failed' || header.outcome === 'failed'
  return isFailed ? (nextFailure(timeline, 0, -1) ?? 0) : 0
}

/** A view that goes away takes the focus with it: then the screen keeps it, so that its keys go on working. */
function useKeepFocus(root: React.RefObject<HTMLElement | null>, view: ViewState['view']): void {
  useEffect(() => {
    const isLost = document.activeElement === document.body
    if (view !== 'timeline' && isLost) root.current?.focus({ preventScroll: true })
  }, [root, view])
}

function focusDetail(root: HTMLElement | null): void {
  root?.querySelector<HTMLElement>('.side [role="tab"][tabindex="0"]')?.focus()
}

function aheadOf(timeline: Timeline): number {
  const facts = timeline.notes.map(factOf)
  const last = facts.findLast((fact) => fact?.kind === 'slot.queued')
  return last?.kind === 'slot.queued' ? last.data.ahead : 0
}

/** Everything that must be open for a row to be in sight. */
function ancestorsOf(timeline: Timeline, id: number): readonly number[] {
  const ids: number[] = []
  for (let at = spanAt(timeline, id).parent; at >= 0; at = spanAt(timeline, at).parent) ids.push(at)
  return ids
}

interface Place {
  readonly timeline: Timeline
  readonly state: ViewState
  readonly now: number
  readonly change: (change: ViewChange) => void
}

const spanRoom = 0.06

/** What the inspector's commands do to its view. */
function commandRuns({ timeline, state, change, now }: Place) {
  const goToError = (direction: 1 | -1) => {
    const id = nextFailure(timeline, state.selected, direction)
    if (id === null) return
    change({ type: 'view', view: 'timeline' })
    change({ type: 'fold', ids: ancestorsOf(timeline, id), isFolded: false })
    change({ type: 'select', id, opens: true })
  }
  const zoomIn = () => {
    const span = spanAt(timeline, state.selected)
    const end = span.endedAt ?? now
    const room = Math.max(1, (end - span.startedAt) * spanRoom)
    change({ type: 'zoom', isNew: true, range: { from: span.startedAt - room, to: end + room } })
  }
  const nextAxis = axisModes[(axisModes.indexOf(state.axisMode) + 1) % axisModes.length] ?? 'rel'
  return {
    'inspector.timeline': () => change({ type: 'view', view: 'timeline' }),
    'inspector.transcript': () => change({ type: 'view', view: 'transcript' }),
    'inspector.events': () => change({ type: 'view', view: 'events' }),
    'inspector.axis': () => change({ type: 'axis', mode: nextAxis }),
    'inspector.nextError': () => goToError(1),
    'inspector.lastError': () => goToError(-1),
    'inspector.critical': () => change({ type: 'critical' }),
    'inspector.zoomIn': zoomIn,
    'inspector.zoomOut': () => change({ type: 'zoomOut', depth: state.zooms.length - 1 }),
    'inspector.detail': () => change({ type: 'detail', isShown: !state.showsDetail }),
  }
}
