import { type ReactNode, useCallback, useEffect, useState } from 'react'
import type { Approval, ApprovalRequestedBody } from '../../../core/domain/approval.ts'
import type { StoredEvent } from '../../../core/domain/event.ts'
import { ChangeView } from '../../approval/change-view.tsx'
import { EditForm } from '../../approval/edit-form.tsx'
import { PolicySteps } from '../../approval/policy-steps.tsx'
import type { DecisionState } from '../../approval/use-decision.ts'
import { Button } from '../../components/button.tsx'
import { ErrorCard, Note, Skeleton } from '../../components/card.tsx'
import { Markdown } from '../../components/markdown.tsx'
import { call } from '../../engine/client.ts'
import type { BodyState } from '../../record/bodies.ts'
import { readBody } from '../../record/bodies.ts'
import { JsonView } from '../../record/json-view.tsx'
import { Body, LongText, Section } from '../../record/parts.tsx'
import { loadThread } from '../../state/load.ts'
import { useApp } from '../../state/store.ts'
import { useLoad } from '../../state/use-load.ts'

interface BodyTab {
  readonly body: BodyState
}

/** What the request recorded, once it is read. */
function Recorded({
  body,
  children,
}: BodyTab & { children(body: ApprovalRequestedBody, event: StoredEvent): ReactNode }) {
  switch (body.phase) {
    case 'none':
    case 'loading':
      return <Skeleton rows={5} label="Reading the request" />
    case 'failed':
      return (
        <div className="padded">
          <ErrorCard
            title="What is asked for could not be read"
            error={body.error}
            actions={<Button onClick={body.retry}>Read again</Button>}
          />
        </div>
      )
    case 'ready':
      return body.event.kind === 'approval.requested' ? children(body.event.body, body.event) : null
  }
}

interface WhatTabProps extends BodyTab {
  readonly approval: Approval
  readonly decision: DecisionState
  readonly isEditing: boolean
  onEdited(): void
}

const firstLines = 400

export function WhatTab({ approval, body, decision, isEditing, onEdited }: WhatTabProps) {
  const { edited, setEdited, see } = decision
  return (
    <Recorded body={body}>
      {(request) => {
        if (isEditing)
          return (
            <EditForm
              body={request}
              edited={edited}
              onCancel={onEdited}
              onDone={(next) => {
                setEdited(next)
                onEdited()
              }}
            />
          )
        if (edited !== null)
          return (
            <>
              <div className="change-facts">
                <Note
                  status="running"
                  action={
                    <Button look="ghost" onClick={() => setEdited(null)}>
                      Back to what was asked
                    </Button>
                  }
                >
                  Edited by you. This runs in place of what was asked for.
                </Note>
              </div>
              <ChangeView key="edited" change={edited.change} firstLines={firstLines} onSeen={see} />
            </>
          )
        if (approval.decidedSeq !== null && approval.state === 'approved')
          return <Decided seq={approval.decidedSeq} request={request} />
        return <Asked request={request} onSeen={see} />
      }}
    </Recorded>
  )
}

/** An action that says nothing of its change beforehand is shown by its arguments. */
function Asked({ request, onSeen }: { readonly request: ApprovalRequestedBody; onSeen?(): void }) {
  const { change } = request
  useEffect(() => {
    if (change === null) onSeen?.()
  }, [change, onSeen])
  if (change !== null) return <ChangeView change={change} firstLines={firstLines} onSeen={onSeen} />
  return (
    <Section title="Arguments" aside="This action does not say beforehand what it changes">
      <JsonView value={request.arguments} />
    </Section>
  )
}

/** What was approved: as it was asked for, or as a person edited it. */
function Decided({ seq, request }: { readonly seq: number; readonly request: ApprovalRequestedBody }) {
  return (
    <Body seq={seq} none="">
      {(event) => {
        const edit = event.kind === 'approval.decided' ? event.body : undefined
        return (
          <>
            {edit && (
              <div className="change-facts">
                <Note status="done">Edited before it was approved. This is what ran.</Note>
              </div>
            )}
            <Asked request={edit ?? request} />
          </>
        )
      }}
    </Body>
  )
}

export function RequestTab({ approval, body }: BodyTab & { readonly approval: Approval }) {
  return (
    <Recorded body={body}>
      {({ arguments: args, guard }) => (
        <>
          <Section title="Arguments" aside={<span className="mono">{approval.callId}</span>}>
            <LongText text={JSON.stringify(args, null, 2)} />
          </Section>
          <Section title="SHA-256 of the arguments">
            <p className="mono breaks small">{approval.hash}</p>
            <p className="mute small">An approval is bound to it: changed arguments ask again.</p>
          </Section>
          {guard !== null && (
            <Section title="Must still hold when it runs">
              <JsonView value={guard} />
            </Section>
          )}
        </>
      )}
    </Recorded>
  )
}

export function PolicyTab({ body }: BodyTab) {
  return (
    <Recorded body={body}>
      {(_request, event) =>
        event.kind === 'approval.requested' ? (
          <Section title="Policy decision" aside={<span className="mono">seq {event.seq}</span>}>
            <PolicySteps policy={event.data.policy} />
          </Section>
        ) : null
      }
    </Recorded>
  )
}

/** The goal, and what the model said in the step that asks. */
export function ContextTab({ approval }: { readonly approval: Approval }) {
  const { threadId, step } = approval
  const [said, setSaid] = useState<string | null>(null)
  const goal = useApp((state) => state.known.threads[threadId]?.goal)
  const load = useLoad(
    useCallback(async () => {
      await loadThread(threadId)
      const { rows } = await call('thread.calls', { id: threadId, afterStep: step - 1, limit: 1 })
      const seq = rows.find((row) => row.step === step && row.path === '0')?.endSeq ?? null
      const answer = seq === null ? null : await readBody(seq)
      setSaid(answer?.kind === 'model.completed' ? answer.body.text : '')
    }, [threadId, step]),
  )
  if (load.phase === 'failed')
    return (
      <div className="padded">
        <ErrorCard
          title="The context could not be read"
          error={load.error}
          actions={<Button onClick={load.retry}>Read again</Button>}
        />
      </div>
    )
  if (said === null) return <Skeleton rows={4} label="Reading the context" />
  return (
    <>
      <Section title="Goal">
        <LongText text={goal ?? ''} isMono={false} />
      </Section>
      <Section title={`Said in step ${step + 1}, before this call`}>
        {said === '' ? (
          <p className="mute small">Nothing: the model only asked for the call.</p>
        ) : (
          <Markdown text={said} />
        )}
      </Section>
    </>
  )
}
