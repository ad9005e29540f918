import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import type { MissionSummary } from '../../../core/domain/mission.ts'
import { shortcutOf } from '../../commands.ts'
import { Button } from '../../components/button.tsx'
import { ErrorCard, ErrorNote, Skeleton } from '../../components/card.tsx'
import { counted } from '../../format/figures.ts'
import { missionRoute, routeHash } from '../../routes.ts'
import { useDesktop } from '../../state/desktop.ts'
import { go } from '../../state/navigation.ts'
import { useApp } from '../../state/store.ts'
import type { LoadState } from '../../state/use-load.ts'
import { HeldNote } from './held-note.tsx'
import { MissionRow } from './mission-row.tsx'

export interface MissionGroup {
  readonly title: string
  readonly isOwn: boolean
  readonly rows: readonly MissionSummary[]
}

/** What waits for a decision, then what somebody wrote, then what ships with the app; each by name, as they came. */
export function groupsOf(missions: readonly MissionSummary[]): readonly MissionGroup[] {
  const proposed = missions.filter(({ status }) => status === 'proposed')
  const rest = missions.filter(({ status }) => status !== 'proposed')
  const groups = [
    { title: 'Proposed by the agent', isOwn: false, rows: proposed },
    { title: 'Yours', isOwn: true, rows: rest.filter(({ source }) => source !== 'file') },
    { title: 'Learning, built in', isOwn: false, rows: rest.filter(({ source }) => source === 'file') },
  ]
  return groups.filter(({ rows }) => rows.length > 0)
}

interface MissionListProps {
  /** Null until they were read. */
  readonly missions: readonly MissionSummary[] | null
  readonly groups: readonly MissionGroup[]
  readonly shownId: string | null
  readonly load: LoadState & { readonly retry: () => void }
  onNew(): void
}

export function MissionList({ missions, groups, shownId, load, onNew }: MissionListProps) {
  return (
    <>
      <div className="pane-head">
        <h1 className="h-title">Missions</h1>
        {missions && <span className="mute">{missions.length.toLocaleString('en')}</span>}
        <span className="grow" />
        <Button icon="plus" shortcut={shortcutOf('mission.new') ?? ''} onClick={onNew}>
          New
        </Button>
      </div>
      <HeldNote />
      {load.phase === 'failed' && missions !== null && (
        <div className="list-note">
          <ErrorNote title="Not read again" error={load.error} />
        </div>
      )}
      {missions === null ? (
        <div className="pane-body padded">
          {load.phase === 'failed' ? (
            <ErrorCard
              title="The missions could not be listed"
              error={load.error}
              actions={
                <Button look="primary" onClick={load.retry}>
                  Try again
                </Button>
              }
            />
          ) : (
            <Skeleton rows={8} label="Reading the missions" />
          )}
        </div>
      ) : (
        <Rows groups={groups} shownId={shownId} />
      )}
      <Foot missions={missions} />
    </>
  )
}

/** Whether they run while nobody looks is said where they are listed. */
function Foot({ missions }: { readonly missions: readonly MissionSummary[] | null }) {
  const { desktop } = useDesktop()
  const active = missions?.filter(({ status }) => status === 'active').length ?? 0
  return (
    <div className="pane-foot">
      <span className="trunc">
        {desktop?.keepsRunning ? 'Missions run with the window closed, too.' : 'Missions run while the window is open.'}
        {active > 0 && ` ${counted(active, 'is', 'are')} active.`}
      </span>
      <span className="grow" />
      <a className="link" href={routeHash({ screen: 'settings', section: 'general' })}>
        Change
      </a>
    </div>
  )
}

type Line =
  | { readonly kind: 'group'; readonly key: string; readonly title: string }
  | { readonly kind: 'mission'; readonly key: string; readonly mission: MissionSummary }

const groupPx = 30
const rowPx = { compact: 52, comfortable: 60 } as const

/** Drawn only where they are in sight. One tab stop; the arrows move, and show what they reach. */
function Rows({ groups, shownId }: Pick<MissionListProps, 'groups' | 'shownId'>) {
  const scrollRef = useRef<HTMLDivElement>(null)
  const density = useApp((state) => state.settings?.density ?? 'compact')
  const lines = groups.flatMap(({ title, rows }): readonly Line[] => [
    { kind: 'group', key: title, title },
    ...rows.map((mission) => ({ kind: 'mission', key: mission.id, mission }) as const),
  ])
  const rows = groups.flatMap((group) => group.rows)
  const shownAt = lines.findIndex(({ key }) => key === shownId)
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scrollRef.current,
    estimateSize: (at) => (lines[at]?.kind === 'group' ? groupPx : rowPx[density]),
    overscan: 12,
    getItemKey: (at) => lines[at]?.key ?? at,
  })
  useEffect(() => virtual.measure(), [density])
  useEffect(() => {
    if (shownAt >= 0) virtual.scrollToIndex(shownAt)
  }, [shownAt])
  const wantsFocus = useRef(false)
  // A row far away is drawn some frames after it was asked for: whichever drawing brings it gives it the focus.
  useEffect(() => {
    const link = wantsFocus.current && scrollRef.current?.querySelector<HTMLElement>('[aria-current]')
    if (!link) return
    wantsFocus.current = false
    link.focus({ preventScroll: true })
  })
  function onKeyDown(event: React.KeyboardEvent): void {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, Home: -rows.length, End: rows.length }
    const by = steps[event.key]
    if (by === undefined) return
    event.preventDefault()
    const at = rows.findIndex(({ id }) => id === shownId)
    const next = rows[Math.max(0, Math.min(rows.length - 1, at + by))]
    if (!next) return
    wantsFocus.current = true
    go(missionRoute(next.id))
  }
  if (rows.length === 0)
    return (
      <div className="pane-body list-none">
        <p>There is none yet.</p>
      </div>
    )
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrows move between the links that it holds
    <div ref={scrollRef} className="pane-body scrolls" onKeyDown={onKeyDown}>
      <ul className="msn-rows" aria-label="Missions" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const line = lines[item.index]
          const place = { transform: `translateY(${item.start}px)` }
          if (!line) return null
          return line.kind === 'group' ? (
            <li key={item.key} className="list-group msn-group" style={place}>
              {line.title}
            </li>
          ) : (
            <MissionRow
              key={item.key}
              mission={line.mission}
              isShown={line.key === shownId}
              isStop={line.key === shownId || (shownAt < 0 && line.key === rows[0]?.id)}
              place={place}
            />
          )
        })}
      </ul>
    </div>
  )
}
