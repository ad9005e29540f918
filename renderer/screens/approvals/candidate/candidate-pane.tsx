import { useState } from 'react'
import { KeyOf } from '../../../approval/decision-bar.tsx'
import { diffTexts } from '../../../approval/diff.ts'
import { changesText } from '../../../approval/diff-view.tsx'
import { Button } from '../../../components/button.tsx'
import { ErrorCard, ErrorNote, Note, Skeleton } from '../../../components/card.tsx'
import { TabList } from '../../../components/tab-list.tsx'
import { go } from '../../../state/navigation.ts'
import { CandidateAside } from './candidate-aside.tsx'
import { CandidateBar } from './candidate-bar.tsx'
import { CandidateFile } from './candidate-file.tsx'
import { CandidateHead } from './candidate-head.tsx'
import { ChangesTab, ChecksTab, DiffTab, EvidenceTab, RenderedTab } from './candidate-tabs.tsx'
import { type ReadCandidate, useCandidate } from './use-candidate.ts'
import { type CandidateDecisionState, useCandidateDecision } from './use-candidate-decision.ts'
import {
  type CandidateTab,
  candidateTabs,
  canEdit,
  checksHint,
  checksShown,
  evidenceHint,
  failedChecks,
  ofText,
} from './words.ts'
import './candidate.css'

interface CandidatePaneProps {
  readonly id: string
  onLater(): void
}

/** One candidate: what it would change, where it comes from, what was checked, and the answer. Mount it anew for each (`key`). */
export function CandidatePane({ id, onLater }: CandidatePaneProps) {
  const { read, load, readNow } = useCandidate(id)
  if (read) return <Candidate read={read} readNow={readNow} onLater={onLater} />
  return (
    <section className="pane detail" aria-label="Candidate">
      <div className="padded">
        {load.phase === 'failed' ? (
          <ErrorCard
            title="This candidate could not be read"
            error={load.error}
            actions={
              <>
                <Button look="primary" onClick={load.retry}>
                  Read again
                </Button>
                <Button onClick={() => go({ screen: 'approvals', id: null })}>Show what waits</Button>
              </>
            }
          />
        ) : (
          <Skeleton rows={5} label="Reading the candidate" />
        )}
      </div>
    </section>
  )
}

/** Nothing of what was found when it was decided is kept. */
const computedNow = 'Computed now, beside the skills of today: when it was decided it may have been otherwise.'

interface CandidateProps {
  readonly read: ReadCandidate
  readNow(): Promise<void>
  onLater(): void
}

function Candidate({ read, readNow, onLater }: CandidateProps) {
  const { detail, skill, isAnew } = read
  const [tab, setTab] = useState<CandidateTab>('diff')
  const [isEditing, setEditing] = useState(false)
  const [path, setPath] = useState<string | null>(null)
  const file = detail.files.find((each) => each.path === path)
  const decision = useCandidateDecision(detail, readNow)
  const isPending = detail.state === 'pending'
  const edit = () => {
    if (!isPending || !canEdit(detail)) return
    setTab('diff')
    setEditing(true)
  }
  const openFile = (next: string) => {
    setTab('diff')
    setPath(next)
  }
  const note = !isPending ? computedNow : decision.edit && `They are ${ofText(decision.edit)}.`
  const { threadId } = detail
  return (
    <section className="pane detail" aria-label={`Candidate: ${detail.name}`}>
      <CandidateHead read={read} edit={decision.edit} />
      <TabList
        label="Candidate"
        className="tabs"
        tabs={candidateTabs.map((name) => ({ name, ...tabTitle(name, read, isPending ? decision : null) }))}
        current={tab}
        onChoose={setTab}
      />
      <div className="apr-body">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region is scrolled by keyboard */}
        <div className="pane-body scrolls" role="tabpanel" aria-label={tab} tabIndex={0}>
          {isPending && (isAnew || detail.isStale) && tab === 'diff' && (
            <div className="change-facts">
              <Note status="waiting">
                {isAnew
                  ? 'The live version changed while you looked. This was compared anew: look at the difference again.'
                  : 'It was written against an older version, and is compared with the one that is live now.'}
              </Note>
            </div>
          )}
          {tab === 'diff' && (
            <DiffTab
              detail={detail}
              skill={skill}
              decision={decision}
              isEditing={isEditing}
              onEdited={() => setEditing(false)}
            />
          )}
          {tab === 'diff' && !isEditing && file && (
            <CandidateFile key={file.path} id={detail.id} file={file} onClose={() => setPath(null)} />
          )}
          {tab === 'rendered' && <RenderedTab text={(isPending ? decision.edited : null) ?? detail.content} />}
          {tab === 'evidence' && <EvidenceTab evidence={detail.evidence} />}
          {tab === 'changes' && <ChangesTab wouldChange={detail.wouldChange} />}
          {tab === 'checks' && (
            <ChecksTab checks={checksShown(detail, decision.edit).checks} {...(note !== null && { note })} />
          )}
        </div>
        <CandidateAside read={read} edit={decision.edit} shownFile={path} onTab={setTab} onFile={openFile} />
      </div>
      <KeyOf id="approval.later" run={onLater} />
      {threadId !== null && <KeyOf id="approval.thread" run={() => go({ screen: 'thread', id: threadId })} />}
      {isPending && !isEditing && <CandidateBar read={read} decision={decision} onEdit={edit} onLater={onLater} />}
      {!isPending && decision.error && (
        <div className="decide">
          <ErrorNote title="It was decided elsewhere" error={decision.error} />
        </div>
      )}
    </section>
  )
}

function tabTitle(
  name: CandidateTab,
  { detail }: ReadCandidate,
  open: CandidateDecisionState | null,
): { readonly title: string; readonly hint?: string; readonly isBad?: boolean } {
  switch (name) {
    case 'diff':
      return {
        title: 'Diff',
        hint: changesText(diffTexts(detail.before?.content ?? null, open?.edited ?? detail.content)),
      }
    case 'rendered':
      return { title: 'Rendered' }
    case 'evidence':
      return { title: 'Evidence', hint: evidenceHint(detail.evidence) }
    case 'changes':
      return { title: 'Would have changed', hint: String(detail.wouldChange.changes.length) }
    case 'checks': {
      const shown = checksShown(detail, open?.edit ?? null)
      return { title: 'Checks', hint: checksHint(shown), isBad: failedChecks(shown).length > 0 }
    }
  }
}
