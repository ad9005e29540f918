import { type FormEvent, type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { type Approval, type GrantScope, grantScopes } from '../../core/domain/approval.ts'
import { shortcutOf } from '../commands.ts'
import { Button } from '../components/button.tsx'
import { ErrorNote } from '../components/card.tsx'
import { Choice } from '../components/choice.tsx'
import { Segmented } from '../components/segmented.tsx'
import { useApp } from '../state/store.ts'
import { useScreenCommand } from '../state/use-screen-command.ts'
import { HoldButton, useHold } from './hold-button.tsx'
import type { DecisionState } from './use-decision.ts'
import { doText, mustBeHeld, scopesOf, scopeText, scopeTitles } from './words.ts'

interface DecisionBarProps {
  readonly approval: Approval
  readonly decision: DecisionState
  /** `card`: in the width of a chat. */
  readonly look: 'bar' | 'card'
  readonly denyRef?: RefObject<HTMLButtonElement | null>
  /** Its keys are those of the window: of several requests on a screen only one has them. */
  readonly hasKeys: boolean
  readonly onEdit?: () => void
  readonly children?: ReactNode
}

/** Deny first, then how far a yes would reach, then yes. Nothing here is a default but no. */
export function DecisionBar(props: DecisionBarProps) {
  const { approval, decision, look, hasKeys } = props
  const { error } = decision
  return (
    <div className={look === 'bar' ? 'decide' : 'decide in-card'}>
      {error && (
        <ErrorNote
          title={error.code === 'approval.decided' ? 'Already decided elsewhere' : 'It was not decided'}
          error={error}
        />
      )}
      {approval.state === 'pending' && (decision.isDenying ? <DenyForm decision={decision} /> : <Choices {...props} />)}
      {hasKeys && <KeyOf id="approval.deny" run={() => decision.setDenying(true)} />}
      {hasKeys && props.onEdit && <KeyOf id="approval.edit" run={props.onEdit} />}
    </div>
  )
}

/** Gives a command its work; a component, because hooks cannot be left out. */
export function KeyOf({ id, run }: { readonly id: string; run(): void }) {
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  useScreenCommand(
    id,
    useCallback(() => latest.current(), []),
  )
  return null
}

function Choices({ approval, decision, look, denyRef, hasKeys, onEdit, children }: DecisionBarProps) {
  const { scope, edited, canApprove, isBusy } = decision
  const key = (id: string) => (hasKeys ? (shortcutOf(id) ?? '') : '')
  const isOfMission = useApp(({ known: { threads } }) => {
    const { rootId = '' } = threads[approval.threadId] ?? {}
    return (threads[rootId]?.missionId ?? null) !== null
  })
  const scopes = edited === null ? scopesOf(approval, isOfMission) : (['once'] as const)
  return (
    <>
      <div className="decide-row">
        <Button
          {...(denyRef && { ref: denyRef })}
          shortcut={key('approval.deny')}
          disabled={isBusy}
          onClick={() => decision.setDenying(true)}
        >
          Deny
        </Button>
        <span className="vr" />
        <Scopes scopes={scopes} value={edited === null ? scope : 'once'} look={look} onChange={decision.setScope} />
        <Approve approval={approval} decision={decision} shortcut={key('approval.approve')} hasKeys={hasKeys} />
        {onEdit && (
          <Button look="ghost" shortcut={key('approval.edit')} disabled={isBusy} onClick={onEdit}>
            Edit
          </Button>
        )}
        <span className="grow" />
        {children}
      </div>
      <p className="decide-note">
        {!canApprove && !isBusy ? 'It can be approved once you have seen what it does. ' : ''}
        {edited === null ? scopeText(scope, approval) : 'What you edited runs in place of what was asked for, once.'}
      </p>
    </>
  )
}

interface ScopesProps {
  readonly scopes: readonly GrantScope[]
  readonly value: GrantScope
  readonly look: DecisionBarProps['look']
  onChange(scope: GrantScope): void
}

function Scopes({ scopes, value, look, onChange }: ScopesProps) {
  if (scopes.length === 1) return <span className="mute small">Once</span>
  if (look === 'bar')
    return (
      <Segmented
        label="How far a yes reaches"
        options={scopes.map((scope) => [scope, scopeTitles[scope]] as const)}
        value={value}
        onChange={onChange}
      />
    )
  return (
    <Choice
      label="How far a yes reaches"
      options={scopes.map((scope) => ({ value: scope, title: scopeTitles[scope] }))}
      value={value}
      onChange={(chosen) => onChange(grantScopes.find((scope) => scope === chosen) ?? 'once')}
    />
  )
}

interface ApproveProps {
  readonly approval: Approval
  readonly decision: DecisionState
  readonly shortcut: string
  readonly hasKeys: boolean
}

function Approve({ approval, decision, shortcut, hasKeys }: ApproveProps) {
  const { canApprove, isBusy, edited, approve } = decision
  const hold = useHold(approve, !canApprove)
  const isHeld = mustBeHeld(approval.effects)
  const text = `${doText(approval)}${edited === null ? '' : ', edited'}`
  return (
    <>
      {hasKeys && <KeyOf id="approval.approve" run={isHeld ? hold.hold : approve} />}
      {isHeld ? (
        <HoldButton hold={hold} shortcut={shortcut} disabled={!canApprove}>
          {`Hold to ${text.charAt(0).toLowerCase()}${text.slice(1)}`}
        </HoldButton>
      ) : (
        <Button look="primary" shortcut={shortcut} disabled={!canApprove} onClick={approve}>
          {isBusy ? 'Deciding' : text}
        </Button>
      )}
    </>
  )
}

/** No, and why: the reason is what the model reads. */
function DenyForm({ decision }: { readonly decision: DecisionState }) {
  const [reason, setReason] = useState('')
  function send(event: FormEvent): void {
    event.preventDefault()
    decision.deny(reason, false)
  }
  return (
    <form
      className="decide-row"
      onSubmit={send}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        decision.setDenying(false)
      }}
    >
      <input
        className="input deny-reason"
        aria-label="Why not; the model reads it"
        placeholder="Why not? The model reads it."
        maxLength={1_000}
        value={reason}
        // The person has just asked for this field.
        ref={focusOnce}
        onChange={(event) => setReason(event.target.value)}
      />
      <Button type="submit" shortcut="Enter" disabled={decision.isBusy}>
        Deny
      </Button>
      <Button look="danger" disabled={decision.isBusy} onClick={() => decision.deny(reason, true)}>
        Deny and stop the thread
      </Button>
      <Button look="ghost" shortcut="Escape" disabled={decision.isBusy} onClick={() => decision.setDenying(false)}>
        Back
      </Button>
    </form>
  )
}

function focusOnce(field: HTMLInputElement | null): void {
  field?.focus()
}
