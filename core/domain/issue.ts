import type { CodeCategory } from './code.ts'
import type { ErrorCode } from './error.ts'

/** What can be wrong with a finished thread. Source: engine-behaviour 7. */
export const issueClasses = [
  'thread_failure',
  'no_response',
  'tool_error',
  'code_error',
  'empty_call_id',
  'missing_tool_output',
  'excessive_steps',
  'no_tools_used',
  'mixed_mode',
  'llm_error',
  'orchestrator_error',
] as const
/** `code_<category>` where a code step failed; `code_error` where only its printed text tells. */
export type IssueClass = (typeof issueClasses)[number] | `code_${CodeCategory}`

export const severities = ['Info', 'Warning', 'Error'] as const
export type Severity = (typeof severities)[number]

/** Source: CLI.md `trace issues`. */
export interface TraceIssue {
  readonly class: IssueClass
  readonly severity: Severity
  /** Steps that it rests on, `<step>` or `<step>/<path>`. */
  readonly stepIds: readonly string[]
  readonly reason: string
  /** Of a failed action: its name, and how it failed last. Absent on record of before. */
  readonly subject?: string
  readonly code?: ErrorCode
}
