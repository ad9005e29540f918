import type { TraceIssue } from '../domain/issue.ts'
import type { ThreadHeader } from '../domain/thread.ts'

/**
 * Those that something can be learnt from: errors, and warnings that rest on two steps or more. A model that could not be
 * asked is an outage, and never among them; notes (Info) never are (RULES 25).
 */
export function issuesWorthKeeping(issues: readonly TraceIssue[]): readonly TraceIssue[] {
  return issues.filter(({ class: issueClass, severity, stepIds }) => {
    if (issueClass === 'llm_error') return false
    return severity === 'Error' || (severity === 'Warning' && stepIds.length >= 2)
  })
}

/** The doc of type Issue that keeps them: what went wrong, and where the record shows it. */
export function issueDoc(
  thread: Pick<ThreadHeader, 'number' | 'title'>,
  issues: readonly TraceIssue[],
): { readonly title: string; readonly content: string } {
  const lines = issues.map(
    ({ class: issueClass, severity, stepIds, reason }) =>
      `- **${issueClass}** (${severity}): ${reason} Steps: ${shownSteps(stepIds)}.`,
  )
  return {
    title: `Issues of thread #${thread.number}: ${thread.title}`,
    content: [`In thread #${thread.number} (“${thread.title}”):`, '', ...lines].join('\n'),
  }
}

function shownSteps(stepIds: readonly string[]): string {
  const shown = stepIds.slice(0, mostSteps).join(', ')
  return stepIds.length <= mostSteps ? shown : `${shown} and ${stepIds.length - mostSteps} more`
}
const mostSteps = 20
