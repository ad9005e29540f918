import { memo, useId, useMemo, useRef, useState } from 'react'
import type { Approval } from '../../../core/domain/approval.ts'
import { ChangeView } from '../../approval/change-view.tsx'
import { DecisionBar } from '../../approval/decision-bar.tsx'
import { EditForm } from '../../approval/edit-form.tsx'
import { useDecision } from '../../approval/use-decision.ts'
import { approvalLooks, decisionText, doText, effectsText, sentence } from '../../approval/words.ts'
import { ErrorNote, Skeleton } from '../../components/card.tsx'
import { Icon } from '../../components/icon.tsx'
import { Status } from '../../components/status.tsx'
import { useNow } from '../../engine/clock.ts'
import { dayTimeText } from '../../format/dates.ts'
import { clockText } from '../../format/figures.ts'
import { useBody } from '../../record/bodies.ts'
import { JsonView } from '../../record/json-view.tsx'
import { routeHash } from '../../routes.ts'
import { pendingOfThread } from '../../state/select.ts'
import { useApp } from '../../state/store.ts'

/** What a thread of the chat, or one of its children, asks: a card for each; one that was just answered is a line. */
export function AskCards({ threadId }: { readonly threadId: string }) {
  const approvals = useApp((state) => state.known.approvals)
  const threads = useApp((state) => state.known.threads)
  const pending = useMemo(() => pendingOfThread({ approvals, threads }, threadId), [approvals, threads, threadId])
  const shown = useRef(new Set<string>())
  for (const { id } of pending) shown.current.add(id)
  const rows = [...shown.current].flatMap((id) => approvals[id] ?? []).sort((a, b) => a.requestSeq - b.requestSeq)
  return rows.map((row) =>
    row.state === 'pending' ? (
      <AskCard key={row.id} approval={row} hasKeys={row.id === pending[0]?.id} />
    ) : (
      <Answered key={row.id} approval={row} />
    ),
  )
}

const firstLines = 12

const AskCard = memo(function AskCard({
  approval,
  hasKeys,
}: {
  readonly approval: Approval
  readonly hasKeys: boolean
}) {
  const decision = useDecision(approval)
  const body = useBody(approval.requestSeq)
  const [isEditing, setEditing] = useState(false)
  const titleId = useId()
  const request = body.phase === 'ready' && body.event.kind === 'approval.requested' ? body.event.body : null
  const change = decision.edited?.change ?? request?.change
  return (
    <section className="card warm work ask" aria-labelledby={titleId}>
      <div className="card-head">
        <Icon name="approvals" size="small" />
        <b id={titleId} className="trunc" title={`${approval.action} ${approval.summary}`}>
          {doText(approval)}?
        </b>
        <span className="grow" />
        <Waits since={approval.requestedAt} />
        <a className="small" href={routeHash({ screen: 'approvals', id: approval.id })}>
          Review
        </a>
      </div>
      <dl className="why">
        <dt>Effects</dt>
        <dd title={approval.effects.join(', ')}>{effectsText(approval.effects)}</dd>
        <dt>Asks because</dt>
        <dd>{sentence(approval.reason)}</dd>
        <dt>Undo</dt>
        <dd>{approval.undo}</dd>
        <dt>No answer</dt>
        <dd>on {dayTimeText(approval.expiresAt)} it counts as denied, and the thread rests</dd>
      </dl>
      {body.phase === 'failed' && <ErrorNote title="What it would do could not be read" error={body.error} />}
      {(body.phase === 'loading' || body.phase === 'none') && <Skeleton rows={3} label="Reading what it would do" />}
      {request && isEditing && (
        <EditForm
          body={request}
          edited={decision.edited}
          onCancel={() => setEditing(false)}
          onDone={(edited) => {
            decision.setEdited(edited)
            setEditing(false)
          }}
        />
      )}
      {request && !isEditing && change && (
        <ChangeView
          key={decision.edited ? 'edited' : 'asked'}
          change={change}
          firstLines={firstLines}
          onSeen={decision.see}
        />
      )}
      {request && change === null && <Arguments args={request.arguments} onSeen={decision.see} />}
      {!isEditing && (
        <DecisionBar
          approval={approval}
          decision={decision}
          look="card"
          hasKeys={hasKeys}
          onEdit={() => request && setEditing(true)}
        />
      )}
    </section>
  )
})

/** An action that does not say beforehand what it changes is known by its arguments alone. */
function Arguments({
  args,
  onSeen,
}: {
  readonly args: React.ComponentProps<typeof JsonView>['value']
  onSeen(): void
}) {
  return (
    <div className="change-facts" ref={onSeen}>
      <JsonView value={args} />
    </div>
  )
}

function Waits({ since }: { readonly since: number }) {
  const now = useNow(1_000)
  return <Status status="waiting" word={`waits ${clockText(now - since)}`} />
}

/** The card when it was answered: one line, and a way to what it was. */
function Answered({ approval }: { readonly approval: Approval }) {
  const { status, word } = approvalLooks[approval.state]
  return (
    <p className="work answered">
      <Status status={status} word={word} />
      <span className="trunc">
        <span className="mono">{approval.action}</span> {approval.summary}
      </span>
      <span className="trunc mute">{decisionText(approval)}</span>
      <a href={routeHash({ screen: 'approvals', id: approval.id })}>Show</a>
    </p>
  )
}
