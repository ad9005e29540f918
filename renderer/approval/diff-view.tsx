import { Fragment, useMemo, useState } from 'react'
import { Icon } from '../components/icon.tsx'
import { counted } from '../format/figures.ts'
import { type DiffLine, type DiffPart, type DiffRun, diffTexts, type TextDiff } from './diff.ts'

interface DiffViewProps {
  /** Null: no such file. */
  readonly before: string | null
  readonly after: string | null
  readonly label: string
  /** Lines that are shown at once; more on request, and how many more is said. */
  readonly firstLines: number
}

/** A unified diff: words marked, what stayed folded, characters that nobody sees as chips. Never rendered as anything but text. */
export function DiffView({ before, after, label, firstLines }: DiffViewProps) {
  const diff = useMemo(() => diffTexts(before, after), [before, after])
  const [shown, setShown] = useState(firstLines)
  const total = diff.runs.reduce((sum, run) => sum + (run.kind === 'shown' ? run.lines.length : 1), 0)
  return (
    <section className="diff" aria-label={`${label}, ${changesText(diff)}`}>
      {firstOf(diff.runs, shown).map((run) => (
        <Run key={`${run.lines[0]?.before} ${run.lines[0]?.after}`} run={run} />
      ))}
      {diff.added + diff.removed === 0 && <p className="diff-none">{sameText(diff, before, after)}</p>}
      {diff.lineEnd !== null && (
        <p className="hunk">
          {diff.lineEnd === 'lost' ? 'No line end at the end any more' : 'Line end at the end added'}
        </p>
      )}
      {total > shown && (
        <button type="button" className="hunk more" onClick={() => setShown(Number.POSITIVE_INFINITY)}>
          <Icon name="down" size="tiny" />
          {counted(total - shown, 'more line')}
        </button>
      )}
    </section>
  )
}

/** `+3 −1`, for a tab or a line. */
export function changesText({ added, removed }: Pick<TextDiff, 'added' | 'removed'>): string {
  return `+${added.toLocaleString('en')} −${removed.toLocaleString('en')}`
}

function sameText({ lineEnd }: TextDiff, before: string | null, after: string | null): string {
  if (before === null && after === '') return 'A new, empty file.'
  return lineEnd === null ? 'Nothing changes: the text stays as it is.' : 'Only the end of the last line changes.'
}

function firstOf(runs: readonly DiffRun[], most: number): readonly DiffRun[] {
  const first: DiffRun[] = []
  let left = most
  for (const run of runs) {
    if (left <= 0) break
    first.push(run.kind === 'shown' && run.lines.length > left ? { ...run, lines: run.lines.slice(0, left) } : run)
    left -= run.kind === 'shown' ? run.lines.length : 1
  }
  return first
}

function Run({ run }: { readonly run: DiffRun }) {
  const [isOpen, setOpen] = useState(false)
  if (run.kind === 'folded' && !isOpen)
    return (
      <button type="button" className="hunk more" onClick={() => setOpen(true)}>
        <Icon name="right" size="tiny" />
        {counted(run.lines.length, 'unchanged line')}
      </button>
    )
  return run.lines.map((line) => <Line key={`${line.kind} ${line.before} ${line.after}`} line={line} />)
}

const signs = { same: '', add: '+', del: '−' } as const
const classes = { same: 'l', add: 'l add', del: 'l del' } as const

function Line({ line }: { readonly line: DiffLine }) {
  return (
    <div className={classes[line.kind]}>
      <span>{line.before}</span>
      <span>{line.after}</span>
      <em>{signs[line.kind]}</em>
      <code>
        {line.parts.map((part, at) => (
          // Parts have no identity but their place.
          <Piece key={at} part={part} isChanged={line.kind !== 'same'} />
        ))}
      </code>
    </div>
  )
}

function Piece({ part, isChanged }: { readonly part: DiffPart; readonly isChanged: boolean }) {
  const text = isChanged ? <VisibleText text={part.text} /> : <VisibleText text={part.text.replace(/\r$/, '')} />
  return part.isMarked ? <mark>{text}</mark> : text
}

/** What can change a meaning without being seen: zero widths, directions, controls, soft hyphens. */
const hidden = /([\p{Cf}\u2028\u2029]|[^\P{Cc}\t])/u

/** A text in which every character can be seen. */
export function VisibleText({ text }: { readonly text: string }) {
  if (!hidden.test(text)) return text
  return text
    .split(hidden)
    .map((piece, at) => (
      <Fragment key={at}>{at % 2 === 1 ? <span className="glyph">{codeName(piece)}</span> : piece}</Fragment>
    ))
}

function codeName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
