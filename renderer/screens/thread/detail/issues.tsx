import { useCallback, useState } from 'react'
import type { Severity, TraceIssue } from '../../../../core/domain/issue.ts'
import { Status, type StatusName } from '../../../components/status.tsx'
import { call } from '../../../engine/client.ts'
import { counted } from '../../../format/figures.ts'
import { Section } from '../../../record/parts.tsx'
import { useLoad } from '../../../state/use-load.ts'
import { callAt, type Timeline } from '../../../timeline/timeline.ts'

interface IssuesProps {
  readonly threadId: string
  readonly timeline: Timeline
  /** Looked for again when the thread comes to rest. */
  readonly restedAt: number | null
  readonly onSelect: (id: number) => void
}

const looks: Readonly<Record<Severity, StatusName>> = { Error: 'failed', Warning: 'waiting', Info: 'queued' }
const shownSteps = 6

/** What went wrong, read from the record, worst first; each leads to the steps that it rests on. */
export function Issues({ threadId, timeline, restedAt, onSelect }: IssuesProps) {
  const [issues, setIssues] = useState<readonly TraceIssue[]>([])
  const load = useLoad(useCallback(() => call('thread.issues', { id: threadId }).then(setIssues), [threadId, restedAt]))
  if (load.phase === 'failed')
    return (
      <Section title="Issues">
        <p className="bad small">{load.error.userMessage}</p>
      </Section>
    )
  if (issues.length === 0) return null
  return (
    <Section title="Issues" aside={counted(issues.length, 'issue')}>
      <ul className="issues">
        {issues.map((issue) => (
          <li key={`${issue.class} ${issue.stepIds.join()} ${issue.reason}`}>
            <Status status={looks[issue.severity]} word={issue.severity} look="icon" />
            <span>
              <span className="mono">{issue.class}</span> {issue.reason}
              <span className="issue-steps">
                {issue.stepIds.slice(0, shownSteps).map((stepId) => (
                  <StepLink key={stepId} stepId={stepId} timeline={timeline} onSelect={onSelect} />
                ))}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** `3` or `3/1.2`, counted from 0 in the record and from 1 on the screen. */
function StepLink({
  stepId,
  timeline,
  onSelect,
}: {
  stepId: string
  timeline: Timeline
  onSelect: (id: number) => void
}) {
  const [step, path] = stepId.split('/')
  const number = Number(step)
  const id = path === undefined ? timeline.stepIds.get(number) : callAt(timeline, number, path)?.id
  if (id === undefined) return null
  return (
    <button type="button" className="link" onClick={() => onSelect(id)}>
      step {number + 1}
      {path !== undefined && path !== '0' ? `, call ${path}` : ''}
    </button>
  )
}
