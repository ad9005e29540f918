import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useRef } from 'react'
import { runCommand, shortcutOf } from '../../commands.ts'
import { Button, IconButton, Kbd } from '../../components/button.tsx'
import { ErrorCard, ErrorNote, Skeleton } from '../../components/card.tsx'
import { Icon } from '../../components/icon.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { call } from '../../engine/client.ts'
import { counted } from '../../format/figures.ts'
import { go } from '../../state/navigation.ts'
import { supervise } from '../../state/store.ts'
import type { LoadState } from '../../state/use-load.ts'
import { useScreenCommand } from '../../state/use-screen-command.ts'
import { useRowHeight } from '../thread/use-window.ts'
import type { ListView, SkillRow, SkillShelf } from './rows.ts'
import { routeOf, SkillRowView } from './skill-row.tsx'
import { sourcesText } from './words.ts'

interface SkillListProps {
  /** Null until it was read. */
  readonly shelf: SkillShelf | null
  readonly rows: readonly SkillRow[]
  readonly view: ListView
  readonly text: string
  readonly shownKey: string | null
  readonly load: LoadState & { readonly retry: () => void }
  onView(view: ListView): void
  onText(text: string): void
  onImport(): void
}

/** What there is, by use: filter, rows, and where they came from. */
export function SkillList(props: SkillListProps) {
  const { shelf, rows, view, text, load, onView, onText } = props
  const problems = shelf?.problems.length ?? 0
  const waiting = shelf?.candidates.length ?? 0
  const options = [
    ['all', 'All'],
    ['active', 'Active'],
    ['candidates', waiting === 0 ? 'Candidates' : `Candidates ${waiting}`],
    ...(problems > 0 || view === 'problems' ? [['problems', `Problems ${problems}`] as const] : []),
  ] as const
  const rejected = shelf?.problems.filter(({ kind }) => kind === 'rejected').length ?? 0
  return (
    <>
      <div className="pane-head sk-head">
        <h1 className="h-title">Skills</h1>
        {shelf && (
          <span
            className="mute"
            title={rejected > 0 ? `${counted(rejected, 'file was', 'files were')} not loaded` : undefined}
          >
            {shelf.skills.length.toLocaleString('en')}
          </span>
        )}
        <Segmented label="What is listed" options={options} value={view} onChange={onView} />
        <span className="grow" />
        <FilterField text={text} onText={onText} />
        <IconButton icon="plus" look="plain" label="Import skills" onClick={props.onImport} />
      </div>
      {load.phase === 'failed' && shelf !== null && (
        <div className="list-note">
          <ErrorNote title="Not read again" error={load.error} />
        </div>
      )}
      <Body {...props} />
      <div className="pane-foot">
        <span className="trunc">{shelf ? sourcesText(shelf.skills) : ''}</span>
        <span className="grow" />
        <Button look="ghost" onClick={() => runCommand('skill.rescan')}>
          Read again
        </Button>
        <Button look="ghost" onClick={() => supervise(() => call('shell.openSkillsFolder', {}))}>
          Open folder
        </Button>
      </div>
      <span className="sr" role="status">
        {text === '' ? '' : counted(rows.length, 'row')}
      </span>
    </>
  )
}

function Body({ shelf, rows, text, shownKey, load, onText, onView }: SkillListProps) {
  if (shelf === null)
    return (
      <div className="pane-body padded">
        {load.phase === 'failed' ? (
          <ErrorCard
            title="The skills could not be listed"
            error={load.error}
            actions={
              <Button look="primary" onClick={load.retry}>
                Try again
              </Button>
            }
          />
        ) : (
          <Skeleton rows={10} label="Reading the skills" />
        )}
      </div>
    )
  if (rows.length > 0) return <Rows rows={rows} shownKey={shownKey} />
  const clear = () => {
    onText('')
    onView('all')
  }
  return (
    <div className="pane-body list-none">
      <p>{text === '' ? 'Nothing of this kind.' : 'No skill matches.'}</p>
      <Button look="ghost" onClick={clear}>
        Show all
      </Button>
    </div>
  )
}

function FilterField({ text, onText }: Pick<SkillListProps, 'text' | 'onText'>) {
  const ref = useRef<HTMLInputElement>(null)
  useScreenCommand(
    'list.filter',
    useCallback(() => ref.current?.focus(), []),
  )
  return (
    <label className="input quiet sk-filter">
      <Icon name="search" size="tiny" />
      <input
        ref={ref}
        className="grow"
        aria-label="Filter the skills"
        placeholder="Filter"
        maxLength={200}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && onText('')}
      />
      {text === '' && <Kbd keys={shortcutOf('list.filter') ?? ''} />}
    </label>
  )
}

/** The row of titles, which stays in sight above those that scroll; `.sk-row.head` has the same height. */
const headPx = 26

/** Drawn only where they are in sight. One tab stop; the arrows move, and show what they reach. */
function Rows({ rows, shownKey }: Pick<SkillListProps, 'rows' | 'shownKey'>) {
  const scrollRef = useRef<HTMLDivElement>(null)
  const rowPx = useRowHeight()
  const shownAt = rows.findIndex(({ key }) => key === shownKey)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scrollRef.current,
    estimateSize: () => rowPx,
    overscan: 12,
    getItemKey: (at) => rows[at]?.key ?? at,
    scrollMargin: headPx,
    scrollPaddingStart: headPx,
  })
  useEffect(() => virtual.measure(), [rowPx])
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
    const next = nextRow(rows, shownAt, by)
    if (!next) return
    wantsFocus.current = true
    go(routeOf(next))
  }
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrows move between the links that it holds */}
      <div ref={scrollRef} className="pane-body scrolls" onKeyDown={onKeyDown}>
        <div className="sk-row head" aria-hidden="true">
          <span>Name</span>
          <span>Ver</span>
          <span className="num">Uses</span>
          <span>Success, 95 %</span>
          <span />
          <span />
          <span className="num">Last</span>
        </div>
        <ul className="sk-rows" aria-label="Skills" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index]
            const isShown = item.index === shownAt
            return (
              row && (
                <li
                  key={item.key}
                  className="sk-row"
                  aria-posinset={item.index + 1}
                  aria-setsize={rows.length}
                  data-shown={isShown}
                  style={{ transform: `translateY(${item.start - headPx}px)` }}
                >
                  <SkillRowView row={row} isShown={isShown} isStop={isShown || (shownAt < 0 && item.index === 0)} />
                </li>
              )
            )
          })}
        </ul>
      </div>
    </>
  )
}

/** The row so many further on. Candidates are shown on another screen: the keys pass over them. */
export function nextRow(rows: readonly SkillRow[], from: number, by: number): SkillRow | undefined {
  const way = Math.sign(by)
  const clamped = Math.max(0, Math.min(rows.length - 1, from + by))
  for (const step of [way, -way])
    for (let at = clamped; at >= 0 && at < rows.length; at += step) {
      const row = rows[at]
      if (row && row.kind !== 'candidate') return row
    }
  return undefined
}
