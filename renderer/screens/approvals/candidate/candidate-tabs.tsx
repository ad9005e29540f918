import { useEffect, useRef } from 'react'
import type { CandidateCheck, CandidateDetail, PartEvidence, WouldChange } from '../../../../core/domain/candidate.ts'
import type { SkillDetail } from '../../../../core/domain/skill.ts'
import { DiffView, VisibleText } from '../../../approval/diff-view.tsx'
import { Button } from '../../../components/button.tsx'
import { Empty, Note } from '../../../components/card.tsx'
import { Markdown } from '../../../components/markdown.tsx'
import { Status } from '../../../components/status.tsx'
import { routeHash } from '../../../routes.ts'
import { CandidateEditor } from './candidate-editor.tsx'
import { RollbackReason } from './rollback-reason.tsx'
import type { CandidateDecisionState } from './use-candidate-decision.ts'
import { changeWords, checkLooks, fewGoals, partText, wouldChangeText } from './words.ts'

interface DiffTabProps {
  readonly detail: CandidateDetail
  readonly skill: SkillDetail | null
  readonly decision: CandidateDecisionState
  readonly isEditing: boolean
  onEdited(): void
}

const firstLines = 400

/** The exact bytes beside those that are live. What is approved is what is seen here. */
export function DiffTab({ detail, skill, decision, isEditing, onEdited }: DiffTabProps) {
  const { edited, setEdited, see } = decision
  const isPending = detail.state === 'pending'
  // An edit that was approved is what the candidate holds from then on.
  const text = isPending ? (edited ?? detail.content) : detail.content
  const live = detail.before?.content ?? null
  if (isEditing)
    return (
      <CandidateEditor
        text={text}
        onCancel={onEdited}
        onDone={(next) => {
          setEdited(next === detail.content ? null : next)
          onEdited()
        }}
      />
    )
  return (
    <>
      {detail.kind === 'rollback' && skill && <RollbackReason detail={detail} skill={skill} />}
      {!isPending && detail.state === 'approved' && edited === detail.content && (
        <div className="change-facts">
          <Note status="done">You edited it before you approved it. This is what became the skill.</Note>
        </div>
      )}
      {isPending && edited !== null && (
        <div className="change-facts">
          <Note
            status="running"
            action={
              <Button look="ghost" onClick={() => setEdited(null)}>
                Back to what was proposed
              </Button>
            }
          >
            Edited by you. This becomes the skill in place of what was proposed.
          </Note>
        </div>
      )}
      <Seen onSeen={see}>
        <p className="hunk">
          SKILL.md
          {detail.before === null ? (
            <span className="chip">new file</span>
          ) : (
            <span>
              beside v{detail.before.version}, which {isPending ? 'is' : 'was'} live
            </span>
          )}
        </p>
        <DiffView before={live} after={text} label={`Change of ${detail.name}`} firstLines={firstLines} />
      </Seen>
    </>
  )
}

/** It was on screen: from now on it can be approved. */
function Seen({ onSeen, children }: { onSeen(): void; readonly children: React.ReactNode }) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const box = ref.current
    if (!box) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) onSeen()
    })
    observer.observe(box)
    return () => observer.disconnect()
  }, [onSeen])
  return (
    <div className="change" ref={ref}>
      {children}
    </div>
  )
}

/** As a person would read it. What decides is the diff: characters that nobody sees are not seen here either. */
export function RenderedTab({ text }: { readonly text: string }) {
  const body = text.replace(/^\uFEFF?---\r?\n[\s\S]*?\r?\n---[ \t]*(\r?\n|$)/, '')
  return (
    <div className="can-prose">
      <Markdown text={body} />
    </div>
  )
}

/** Which recorded step each part rests on. What rests on none says so. */
export function EvidenceTab({ evidence }: { readonly evidence: readonly PartEvidence[] }) {
  if (evidence.length === 0)
    return <Empty title="No evidence">It was not learned from a thread: nothing of it can be found in a record.</Empty>
  return (
    <ul className="evidence">
      {evidence.map((part) => (
        <li key={`${part.part} ${part.line} ${part.text}`}>
          <p className="evidence-part">
            <span className="label">{partText(part)}</span>
            <code className="breaks">
              <VisibleText text={part.text} />
            </code>
            {part.steps.length === 0 && <Status status="waiting" word="no evidence" />}
          </p>
          {part.steps.map((step) => (
            <p key={`${step.seq} ${step.quote}`} className="evidence-step small">
              <a href={routeHash({ screen: 'thread', id: step.threadId })}>
                #{step.threadNumber}, step {step.step + 1}
              </a>
              <q className="breaks">{step.quote}</q>
            </p>
          ))}
        </li>
      ))}
    </ul>
  )
}

/** How the last goals would have been answered with it: what it adds, what it takes the place of. */
export function ChangesTab({ wouldChange }: { readonly wouldChange: WouldChange }) {
  return (
    <div className="can-changes">
      <p className="change-facts">{wouldChangeText(wouldChange)}</p>
      {wouldChange.n < fewGoals && (
        <div className="change-facts">
          <Note status="waiting">Fewer than {fewGoals} goals are on record: this says little yet.</Note>
        </div>
      )}
      {wouldChange.changes.length > 0 && (
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Goal</th>
              <th scope="col">Change</th>
              <th scope="col">Takes the place of</th>
              <th scope="col">It ended</th>
            </tr>
          </thead>
          <tbody>
            {wouldChange.changes.map(({ threadId, threadNumber, goal, change, displaces, outcome }) => (
              <tr key={`${threadId} ${change}`}>
                <td className="trunc" title={goal}>
                  <a href={routeHash({ screen: 'thread', id: threadId })}>#{threadNumber}</a> {goal}
                </td>
                <td>{changeWords[change]}</td>
                <td className={displaces.length > 0 ? 'ink-failed' : 'mute'}>
                  {displaces.length > 0 ? displaces.join(', ') : '–'}
                </td>
                <td className="dim">{outcome ?? '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}

/** What was looked at, and what came of it: a failed one blocks the approval. */
export function ChecksTab({ checks, note }: { readonly checks: readonly CandidateCheck[]; readonly note?: string }) {
  return (
    <>
      {note && <p className="change-facts small dim">{note}</p>}
      <ul className="checks">
        {checks.map((check) => (
          <CheckRow key={`${check.name} ${check.title} ${check.line}`} check={check} />
        ))}
      </ul>
    </>
  )
}

/** A detail with its line, where it does not name it itself. */
function placed(detail: string, line: number | null): string {
  if (line === null || new RegExp(`\\bline ${line}\\b`, 'i').test(detail)) return detail
  if (detail === '') return `line ${line}`
  return /[.!?]$/.test(detail) ? `${detail} Line ${line}.` : `${detail}, line ${line}`
}

export function CheckRow({ check: { state, title, detail, line } }: { readonly check: CandidateCheck }) {
  return (
    <li className="check-row">
      <Status {...checkLooks[state]} look="icon" />
      <span>{title}</span>
      <span className="sub breaks">{placed(detail, line)}</span>
    </li>
  )
}
