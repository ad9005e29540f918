import { type ReactNode, useId } from 'react'
import type { ErrorBody } from '../../core/domain/error.ts'
import { CopyButton } from './copy-button.tsx'
import { Mark } from './mark.tsx'
import { StatusIcon } from './status.tsx'

interface EmptyProps {
  readonly title: string
  readonly children: ReactNode
  readonly actions?: ReactNode
  readonly hint?: ReactNode
}

/** What it is, why it is empty, one thing to do. */
export function Empty({ title, children, actions, hint }: EmptyProps) {
  return (
    <div className="void">
      <Mark size={40} />
      <h2>{title}</h2>
      <p>{children}</p>
      {actions && <div className="acts">{actions}</div>}
      {hint && <p className="hint">{hint}</p>}
    </div>
  )
}

interface ErrorCardProps {
  readonly title: string
  readonly error: ErrorBody
  /** Facts beside the code: what was tried, where the thread stands. */
  readonly facts?: readonly (readonly [label: string, fact: ReactNode])[]
  readonly actions?: ReactNode
  readonly className?: string
}

/** What failed, what is safe, the code, what to do next. The developer's text is reached by "Copy details" only. */
export function ErrorCard({ title, error, facts = [], actions, className }: ErrorCardProps) {
  const titleId = useId()
  return (
    <div
      className={className ? `card bad fault ${className}` : 'card bad fault'}
      role="group"
      aria-labelledby={titleId}
    >
      <h2 id={titleId}>
        <StatusIcon status="failed" />
        {title}
      </h2>
      <p>{error.userMessage}</p>
      <dl className="kv">
        <dt>Code</dt>
        <dd className="mono">{error.code}</dd>
        {facts.map(([label, fact]) => (
          <FactRow key={label} label={label} fact={fact} />
        ))}
      </dl>
      <div className="acts">
        {actions}
        <CopyButton text={details(title, error)} label="Copy details" isWide />
      </div>
    </div>
  )
}

function FactRow({ label, fact }: { readonly label: string; readonly fact: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{fact}</dd>
    </>
  )
}

function details(title: string, error: ErrorBody): string {
  const data = error.data ? `\n${JSON.stringify(error.data, null, 2)}` : ''
  return `${title}\n${error.code}: ${error.message}\n${error.userMessage}${data}`
}

/** Rows that appear in place only when loading takes longer than 150 ms (the delay stands in the style sheet). */
export function Skeleton({ rows, label }: { readonly rows: number; readonly label: string }) {
  return (
    <div className="skeleton" role="status">
      <span className="sr">{label}</span>
      {Array.from({ length: rows }, (_, row) => (
        // Placeholders have no identity.
        <div key={row} className="skeleton-row" aria-hidden="true" />
      ))}
    </div>
  )
}

/** An error beside what it is about, inside a card: the same facts as ErrorCard, in a line or two. */
export function ErrorNote({ title, error }: { readonly title: string; readonly error: ErrorBody }) {
  return (
    <Note status="failed" action={<CopyButton text={details(title, error)} label="Copy details" isWide />}>
      <b>{title}.</b> {error.userMessage} <span className="mono mute">{error.code}</span>
    </Note>
  )
}

interface NoteProps {
  readonly status: 'done' | 'waiting' | 'failed' | 'running'
  readonly children: ReactNode
  readonly action?: ReactNode
}

/** One tinted line: a result or a warning that stands beside what it is about. */
export function Note({ status, children, action }: NoteProps) {
  return (
    <div className={`note ${status}`} role="status">
      <StatusIcon status={status} />
      <span className="grow">{children}</span>
      {action}
    </div>
  )
}
