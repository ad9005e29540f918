import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { LearntEntry } from '../../../core/domain/learnt.ts'
import { KeyOf } from '../../approval/decision-bar.tsx'
import { shortcutOf } from '../../commands.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/card.tsx'
import { middleCut } from '../../format/figures.ts'
import type { LearntDecisionState, Refusal } from './use-learnt-decision.ts'
import { approveWords, undoButton } from './words.ts'

interface LearntBarProps {
  readonly entry: LearntEntry
  readonly decision: LearntDecisionState
}

/** No, then yes, while it waits; the way back, while it is in force; nothing where neither is left. */
export function LearntBar(props: LearntBarProps) {
  const { entry, decision } = props
  const { refusing, error } = decision
  const isOpen = entry.sha256 !== null
  if (!isOpen && entry.undo === null && error === null) return null
  return (
    <div className="decide">
      {error && <ErrorNote title={errorTitle(error.code)} error={error} />}
      {refusing !== null ? (
        <RefusalForm key={refusing} way={refusing} {...props} />
      ) : isOpen ? (
        <Choices {...props} />
      ) : (
        entry.undo !== null && <Undo {...props} />
      )}
      {isOpen && <KeyOf id="approval.approve" run={decision.approve} />}
      {isOpen && <KeyOf id="learnt.reject" run={() => decision.setRefusing('reject')} />}
      {entry.undo !== null && <KeyOf id="learnt.undo" run={() => decision.setRefusing('undo')} />}
    </div>
  )
}

function errorTitle(code: string): string {
  if (code === 'learn.decided') return 'Already decided elsewhere'
  return code === 'learn.stale' ? 'It is not what you saw' : 'Nothing was changed'
}

const key = (id: string) => shortcutOf(id) ?? ''

function Choices({ entry, decision }: LearntBarProps) {
  const { canDecide, isBusy, approve, setRefusing } = decision
  const ref = useRef<HTMLButtonElement>(null)
  // No answer means no: where the hands rest, it is on Reject.
  useEffect(() => ref.current?.focus({ preventScroll: true }), [])
  return (
    <div className="decide-row">
      <Button ref={ref} shortcut={key('learnt.reject')} disabled={!canDecide} onClick={() => setRefusing('reject')}>
        Reject
      </Button>
      <span className="vr" />
      <Button look="primary" shortcut={key('approval.approve')} disabled={!canDecide} onClick={approve}>
        {isBusy ? 'Deciding' : approveWords(entry)}
      </Button>
      <span className="grow" />
      <span className="mute small">Binds to this exact text, {middleCut(entry.sha256 ?? '', 11)}</span>
    </div>
  )
}

function Undo({ entry, decision }: LearntBarProps) {
  const { canUndo, isBusy, setRefusing } = decision
  return (
    <div className="decide-row">
      <Button icon="undo" shortcut={key('learnt.undo')} disabled={!canUndo} onClick={() => setRefusing('undo')}>
        {isBusy ? 'Taking it back' : undoButton(entry)}
      </Button>
      <span className="dim small">{entry.undo}</span>
    </div>
  )
}

function RefusalForm({ entry, decision, way }: LearntBarProps & { readonly way: Refusal }) {
  const [reason, setReason] = useState('')
  const label = way === 'reject' ? 'Why not; it stays with the proposal' : 'Why; it stays with it'
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
        aria-label={label}
        placeholder={way === 'reject' ? 'Why not? It is not proposed again.' : 'Why? You may leave this empty.'}
        maxLength={1_000}
        value={reason}
        // The person has just asked for this field.
        ref={focusOnce}
        onChange={(event) => setReason(event.target.value)}
      />
      <Button type="submit" look="danger" shortcut="Enter">
        {way === 'reject' ? 'Reject' : undoButton(entry)}
      </Button>
      <Button look="ghost" shortcut="Escape" onClick={() => decision.setRefusing(null)}>
        Back
      </Button>
    </form>
  )
}

function focusOnce(field: HTMLInputElement | null): void {
  field?.focus()
}
