import { type FormEvent, useEffect, useRef, useState } from 'react'
import { KeyOf } from '../../../approval/decision-bar.tsx'
import { shortcutOf } from '../../../commands.ts'
import { Button } from '../../../components/button.tsx'
import { ErrorNote } from '../../../components/card.tsx'
import type { ReadCandidate } from './use-candidate.ts'
import type { CandidateDecisionState, Refusal } from './use-candidate-decision.ts'
import { approveText, canEdit, stepOf } from './words.ts'

interface CandidateBarProps {
  readonly read: ReadCandidate
  readonly decision: CandidateDecisionState
  onEdit(): void
  onLater(): void
}

/** Edit first, then yes, then no. The hands rest on Edit: nothing here is a default but nothing. */
export function CandidateBar(props: CandidateBarProps) {
  const { decision, onEdit } = props
  const { error, refusing, approve, setRefusing } = decision
  return (
    <div className="decide">
      {error && <ErrorNote title={errorTitle(error.code)} error={error} />}
      {refusing === null ? <Choices {...props} /> : <RefusalForm key={refusing} way={refusing} decision={decision} />}
      <KeyOf id="approval.approve" run={approve} />
      <KeyOf id="approval.deny" run={() => setRefusing('reject')} />
      <KeyOf id="approval.quarantine" run={() => setRefusing('quarantine')} />
      <KeyOf id="approval.edit" run={onEdit} />
    </div>
  )
}

function errorTitle(code: string): string {
  if (code === 'candidate.stale') return 'Compared anew, not decided'
  return code === 'candidate.blocked' ? 'A check failed, so it was not approved' : 'It was not decided'
}

const key = (id: string) => shortcutOf(id) ?? ''

function Choices({ read, decision, onEdit, onLater }: CandidateBarProps) {
  const { detail, skill } = read
  const { canApprove, isBusy, edited, failed, approve, setRefusing } = decision
  const { from, to } = stepOf(detail, skill)
  const isEditable = canEdit(detail)
  const ref = useRef<HTMLButtonElement>(null)
  // No answer means no: where the hands rest, nothing is decided.
  useEffect(() => ref.current?.focus({ preventScroll: true }), [])
  return (
    <>
      <div className="decide-row">
        {isEditable && (
          <Button ref={ref} shortcut={key('approval.edit')} disabled={isBusy} onClick={onEdit}>
            {edited === null ? 'Edit, then approve' : 'Edit again'}
          </Button>
        )}
        <Button shortcut={key('approval.approve')} disabled={!canApprove} onClick={approve}>
          {isBusy ? 'Deciding' : `${approveText(detail, to)}${edited === null ? '' : ', edited'}`}
        </Button>
        <span className="vr" />
        <Button
          {...(!isEditable && { ref })}
          shortcut={key('approval.deny')}
          disabled={isBusy}
          onClick={() => setRefusing('reject')}
        >
          Reject with a reason
        </Button>
        <Button disabled={isBusy} onClick={() => setRefusing('quarantine')}>
          Quarantine
        </Button>
        <Button look="ghost" shortcut={key('approval.later')} onClick={onLater}>
          Later
        </Button>
        <span className="grow" />
        <span className="mute small">
          {failed.length === 0 && `Binds to ${edited === null ? 'these exact bytes' : 'what you edited'}.`}
          {from !== null && ` v${from} stays one key away.`}
        </span>
      </div>
      <WhyNot decision={decision} />
    </>
  )
}

/** Why it cannot be approved now; nothing where it can. */
function WhyNot({ decision: { canApprove, isBusy, failed, isSeen, isChecking } }: Pick<CandidateBarProps, 'decision'>) {
  if (canApprove || isBusy) return null
  const first = failed[0]
  const text =
    first !== undefined
      ? `${failed.length === 1 ? 'A check' : `${failed.length} checks`} failed: ${first.title}. Edit it, or reject it.`
      : isSeen
        ? isChecking
          ? 'What you edited is being checked.'
          : ''
        : 'It can be approved once you have seen the difference.'
  return text === '' ? null : <p className={first ? 'decide-note ink-failed' : 'decide-note'}>{text}</p>
}

const refusals = {
  reject: {
    button: 'Reject',
    label: 'Why not; it stays with the candidate',
    placeholder: 'Why not? It stays with the candidate.',
  },
  quarantine: {
    button: 'Quarantine',
    label: 'What is dangerous about it; it stays with the candidate',
    placeholder: 'What is dangerous about it? It is put away, to be looked at, and never in use.',
  },
} as const

function RefusalForm({ way, decision }: { readonly way: Refusal; readonly decision: CandidateDecisionState }) {
  const [reason, setReason] = useState('')
  const words = refusals[way]
  function send(event: FormEvent): void {
    event.preventDefault()
    decision.refuse(way, reason)
  }
  return (
    <form
      className="decide-row"
      onSubmit={send}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        decision.setRefusing(null)
      }}
    >
      <input
        className="input deny-reason"
        aria-label={words.label}
        placeholder={words.placeholder}
        maxLength={1_000}
        value={reason}
        // The person has just asked for this field.
        ref={focusOnce}
        onChange={(event) => setReason(event.target.value)}
      />
      <Button type="submit" look="danger" shortcut="Enter" disabled={decision.isBusy}>
        {words.button}
      </Button>
      <Button look="ghost" shortcut="Escape" disabled={decision.isBusy} onClick={() => decision.setRefusing(null)}>
        Back
      </Button>
    </form>
  )
}

function focusOnce(field: HTMLInputElement | null): void {
  field?.focus()
}
