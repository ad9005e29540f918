import { useCallback, useState } from 'react'
import type { Approval, Change, TrashItem } from '../../../../core/domain/approval.ts'
import type { StoredEvent } from '../../../../core/domain/event.ts'
import { ChangeView } from '../../../approval/change-view.tsx'
import { DecisionBar } from '../../../approval/decision-bar.tsx'
import { useDecision } from '../../../approval/use-decision.ts'
import { effectsText, sentence } from '../../../approval/words.ts'
import { Button } from '../../../components/button.tsx'
import { ErrorNote, Note } from '../../../components/card.tsx'
import { call } from '../../../engine/client.ts'
import { dayTimeText } from '../../../format/dates.ts'
import { useBody } from '../../../record/bodies.ts'
import { JsonView } from '../../../record/json-view.tsx'
import { Body, FactList, Section } from '../../../record/parts.tsx'
import { routeHash } from '../../../routes.ts'
import { useApp } from '../../../state/store.ts'
import { useAction, useLoad } from '../../../state/use-load.ts'
import type { Span } from '../../../timeline/span.ts'

const firstLines = 60

/** What an action was about to do, as it was told beforehand: in its request, or with its start. */
export function changeOf(event: StoredEvent | undefined): Change | null {
  if (event?.kind === 'approval.requested') return event.body.change
  if (event?.kind === 'action.started') return event.body?.change ?? null
  return null
}

/** The event that tells the change of an action: null where none does. */
export function useChangeEvent(span: Span): StoredEvent | undefined {
  const seq = span.kind === 'action' ? (span.asked?.requestSeq ?? span.startSeq) : null
  const body = useBody(seq === 0 ? null : seq)
  return body.phase === 'ready' ? body.event : undefined
}

/** The change, the answer where one is waited for, and the way back where there is one. */
export function ChangeTab({ span }: { readonly span: Span }) {
  const approvalId = span.asked?.approvalId
  const approval = useApp((state) => (approvalId === undefined ? undefined : state.known.approvals[approvalId]))
  if (approval?.state === 'pending') return <AskPanel key={approval.id} approval={approval} />
  return (
    <>
      {span.state === 'done' && <Undo span={span} />}
      {span.asked?.decidedSeq ? <Decided span={span} /> : <Told seq={span.asked?.requestSeq ?? span.startSeq} />}
    </>
  )
}

/** A person may have edited it: then that is what ran. */
function Decided({ span }: { readonly span: Span }) {
  return (
    <Body seq={span.asked?.decidedSeq ?? null} none="">
      {(event) =>
        event.kind === 'approval.decided' && event.body?.change ? (
          <>
            <div className="change-facts">
              <Note status="done">Edited before it was approved. This is what ran.</Note>
            </div>
            <ChangeView change={event.body.change} firstLines={firstLines} />
          </>
        ) : (
          <Told seq={span.asked?.requestSeq ?? span.startSeq} />
        )
      }
    </Body>
  )
}

function Told({ seq }: { readonly seq: number }) {
  return (
    <Body seq={seq} none="The start of this action is not recorded.">
      {(event) => {
        const change = changeOf(event)
        return change ? (
          <ChangeView change={change} firstLines={firstLines} />
        ) : (
          <p className="mute small pad">This action did not say beforehand what it would change.</p>
        )
      }}
    </Body>
  )
}

/** Approve in place: the same change and the same answers as on the screen of approvals. */
function AskPanel({ approval }: { readonly approval: Approval }) {
  const decision = useDecision(approval)
  return (
    <>
      <Section title="Waits for you" aside={<a href={routeHash({ screen: 'approvals', id: approval.id })}>Review</a>}>
        <FactList
          facts={[
            ['Effects', effectsText(approval.effects)],
            ['Asks because', sentence(approval.reason)],
            ['Undo', approval.undo],
            ['Expires', `${dayTimeText(approval.expiresAt)}, then denied`],
          ]}
        />
      </Section>
      <Body seq={approval.requestSeq} none="">
        {(event) => {
          if (event.kind !== 'approval.requested') return null
          const { change } = event.body
          if (change) return <ChangeView change={change} firstLines={firstLines} onSeen={decision.see} />
          return (
            <div className="change-facts" ref={decision.see}>
              <JsonView value={event.body.arguments} />
            </div>
          )
        }}
      </Body>
      <DecisionBar approval={approval} decision={decision} look="card" hasKeys />
    </>
  )
}

const trashRows = 1_000

/** Puts back what was there before. Only what the trash holds can be put back, so only that is offered. */
function Undo({ span }: { readonly span: Span }) {
  const { threadId, step, path, undoneAt } = span
  const [items, setItems] = useState<readonly TrashItem[]>([])
  useLoad(
    useCallback(async () => {
      const all = await call('trash.list', { threadId, limit: trashRows })
      setItems(all.filter((item) => item.step === step && item.path === path))
    }, [threadId, step, path, undoneAt]),
  )
  const undo = useAction(async () => {
    for (const item of items) if (item.restoredAt === null) await call('trash.restore', { id: item.id })
  })
  if (undoneAt !== null)
    return (
      <div className="change-facts">
        <Note status="done">Undone on {dayTimeText(undoneAt)}: what was there before is there again.</Note>
      </div>
    )
  const first = items.find(({ restoredAt }) => restoredAt === null)
  if (first === undefined) return null
  return (
    <div className="change-facts">
      {undo.error && <ErrorNote title="It was not undone" error={undo.error} />}
      <div className="row">
        <Button icon="undo" disabled={undo.isBusy} onClick={() => undo.run()}>
          {undoText(first)}
        </Button>
      </div>
    </div>
  )
}

function undoText({ kind, file }: TrashItem): string {
  const name = file.split('/').at(-1) ?? file
  switch (kind) {
    case 'created':
      return `Take ${name} away again`
    case 'overwritten':
      return `Put ${name} back as it was`
    case 'moved':
      return `Move ${name} back`
    case 'deleted':
      return `Put ${name} back`
  }
}
