import type { Recorded } from '../capabilities/capabilities.ts'
import type {
  ChildFinished,
  CodeFinished,
  CodeFinishedBody,
  ModelCompletedBody,
  ModelFailed,
  QueryFinished,
  QueryStarted,
  StepStarted,
} from '../domain/event.ts'

/** The model's answer; `isCode`: it asked for its fenced code to be run. */
export interface Reply extends ModelCompletedBody {
  readonly isCode: boolean
  readonly isCut: boolean
}

/** What stands beside a step's own calls: by path. */
export interface RecordedCode {
  readonly finished?: { readonly data: CodeFinished; readonly body: CodeFinishedBody }
}
export interface RecordedQuery {
  readonly purpose: QueryStarted['purpose']
  readonly finished?: { readonly data: QueryFinished; readonly text: string }
}
export interface RecordedChild {
  readonly childId: string
  readonly finished?: { readonly data: ChildFinished; readonly text: string }
}

/** A message that came while a step ran: the model reads it with the next one. */
export interface LaterMessage {
  readonly as: 'said' | 'note' | 'context' | 'skills'
  readonly content: string
}

/** The last step as it stands on record: what its host calls are answered with when the loop runs again (RULES 8). */
export interface RecordedStep {
  readonly started: StepStarted
  /** The model's answer, where it had come. */
  readonly reply: Reply | undefined
  readonly actions: ReadonlyMap<string, Recorded>
  readonly code: RecordedCode | undefined
  readonly queries: ReadonlyMap<string, RecordedQuery>
  readonly children: ReadonlyMap<string, RecordedChild>
  readonly later: readonly LaterMessage[]
  /** Why the model gave no answer, where it did not. */
  readonly failure: ModelFailed | undefined
}
