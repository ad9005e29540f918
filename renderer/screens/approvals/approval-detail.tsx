import { useEffect, useRef, useState } from 'react'
import type { Approval, ApprovalRequestedBody } from '../../../core/domain/approval.ts'
import { DecisionBar, KeyOf } from '../../approval/decision-bar.tsx'
import { diffTexts } from '../../approval/diff.ts'
import { changesText } from '../../approval/diff-view.tsx'
import { useDecision } from '../../approval/use-decision.ts'
import { approvalLooks, changeTitle, decisionText, effectsText } from '../../approval/words.ts'
import { shortcutOf } from '../../commands.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/card.tsx'
import { Status } from '../../components/status.tsx'
import { TabList } from '../../components/tab-list.tsx'
import { useNow } from '../../engine/clock.ts'
import { dayTimeText } from '../../format/dates.ts'
import { clockText, middleCut } from '../../format/figures.ts'
import { useBody } from '../../record/bodies.ts'
import { routeHash } from '../../routes.ts'
import { go } from '../../state/navigation.ts'
import { ApprovalAside } from './approval-aside.tsx'
import { ContextTab, PolicyTab, RequestTab, WhatTab } from './approval-tabs.tsx'

const tabNames = ['what', 'request', 'policy', 'context'] as const
type TabName = (typeof tabNames)[number]

interface ApprovalDetailProps {
  readonly approval: Approval
  onLater(): void
}

/** One request: what it does, exactly what would run, why it asks, and the answer. Mount it anew for each (`key`). */
export function ApprovalDetail({ approval, onLater }: ApprovalDetailProps) {
  const [tab, setTab] = useState<TabName>('what')
  const [isEditing, setEditing] = useState(false)
  const decision = useDecision(approval)
  const body = useBody(approval.requestSeq)
  const request = body.phase === 'ready' && body.event.kind === 'approval.requested' ? body.event : null
  const denyRef = useRef<HTMLButtonElement>(null)
  const isPending = approval.state === 'pending'
  // No answer means no: where the hands rest, it is on Deny. After an edit too.
  useEffect(() => {
    if (!isEditing) denyRef.current?.focus({ preventScroll: true })
  }, [isEditing])
  const edit = () => {
    if (request === null || !isPending) return
    setTab('what')
    setEditing(true)
  }
  const title = `${approval.action} ${approval.summary}`.trim()
  return (
    <section className="pane detail" aria-label={`Request: ${title}`}>
      <Head approval={approval} title={title} />
      <TabList
        label="Request"
        className="tabs"
        tabs={tabNames.map((name) => ({ name, ...tabTitle(name, request?.body) }))}
        current={tab}
        onChoose={setTab}
      />
      <div className="apr-body">
        <div className="pane-body scrolls" role="tabpanel" aria-label={tab}>
          {tab === 'what' && (
            <WhatTab
              approval={approval}
              body={body}
              decision={decision}
              isEditing={isEditing}
              onEdited={() => setEditing(false)}
            />
          )}
          {tab === 'request' && <RequestTab approval={approval} body={body} />}
          {tab === 'policy' && <PolicyTab body={body} />}
          {tab === 'context' && <ContextTab approval={approval} />}
        </div>
        <ApprovalAside approval={approval} request={request} />
      </div>
      <KeyOf id="approval.later" run={onLater} />
      <KeyOf id="approval.thread" run={() => go({ screen: 'thread', id: approval.threadId })} />
      {isPending && !isEditing && (
        <DecisionBar approval={approval} decision={decision} look="bar" denyRef={denyRef} hasKeys onEdit={edit}>
          <Button look="ghost" shortcut={shortcutOf('approval.later') ?? ''} onClick={onLater}>
            Later
          </Button>
          <span className="mute small">
            {decision.edited === null ? `Binds to ${middleCut(approval.hash, 11)}` : 'Binds to what you edited'}
          </span>
        </DecisionBar>
      )}
      {!isPending && decision.error && (
        <div className="decide">
          <ErrorNote
            title={decision.error.code === 'approval.decided' ? 'Already decided elsewhere' : 'It was not decided'}
            error={decision.error}
          />
        </div>
      )}
    </section>
  )
}

function tabTitle(name: TabName, body: ApprovalRequestedBody | undefined): { title: string; hint?: string } {
  switch (name) {
    case 'what': {
      const change = body?.change ?? null
      const title = changeTitle(change)
      return change?.kind === 'file' && (change.before !== null || change.after !== null)
        ? { title, hint: changesText(diffTexts(change.before, change.after)) }
        : { title }
    }
    case 'request':
      return { title: 'Request' }
    case 'policy':
      return { title: 'Policy' }
    case 'context':
      return { title: 'Context' }
  }
}

function Head({ approval, title }: { readonly approval: Approval; readonly title: string }) {
  const { action, summary, threadId, threadNumber, threadTitle, step, effects, state, expiresAt, decidedAt } = approval
  return (
    <div className="apr-head">
      <h2 title={title}>
        <span className="mono">{action}</span>
        <span className="trunc">{summary}</span>
        <Since approval={approval} />
      </h2>
      <dl className="risk">
        <dt>Thread</dt>
        <dd className="trunc">
          <a href={routeHash({ screen: 'thread', id: threadId })}>#{threadNumber}</a> {threadTitle}, step {step + 1}
        </dd>
        <dt>{state === 'pending' ? 'Asked' : 'Decided'}</dt>
        <dd className="trunc">{dayTimeText(decidedAt ?? approval.requestedAt)}</dd>
        <dt>Effects</dt>
        <dd className="trunc" title={effects.join(', ')}>
          {effectsText(effects)}
        </dd>
        <dt>{state === 'pending' ? 'Expires' : 'Answer'}</dt>
        <dd className="trunc">
          {state === 'pending' ? `${dayTimeText(expiresAt)}, then denied` : decisionText(approval)}
        </dd>
      </dl>
    </div>
  )
}

function Since({ approval: { state, requestedAt } }: { readonly approval: Approval }) {
  const isPending = state === 'pending'
  const now = useNow(1_000, isPending)
  const { status, word } = approvalLooks[state]
  return <Status status={status} word={isPending ? `${word} ${clockText(now - requestedAt)}` : word} look="chip" />
}
