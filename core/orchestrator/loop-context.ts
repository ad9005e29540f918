import type { Capabilities } from '../capabilities/capabilities.ts'
import type { DocsRetrieved } from '../domain/event.ts'
import type { EngineHooks } from '../domain/hooks.ts'
import type { Redactor } from '../domain/leaks/redactor.ts'
import type { ToolDefinition } from '../domain/model.ts'
import type { ThreadHeader } from '../domain/thread.ts'
import type { Events, Journal } from '../events/events.ts'
import type { Models } from '../models/models.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { HostedTold, SkillsTold } from '../skills/skills.ts'
import type { Children } from './children.ts'
import type { Snippet } from './code/snippets.ts'
import type { CodeVmRows } from './code-parts.ts'
import type { Conversation } from './conversation.ts'
import type { Meter } from './meter.ts'
import type { Replayed } from './record.ts'
import type { Repeats } from './repeats.ts'
import type { SnippetShelf } from './snippet-shelf.ts'
import type { Taint } from './taint.ts'

/** Docs of the project that bear on what was asked, as the model reads them. */
export interface Knowledge {
  readonly docs: DocsRetrieved['docs']
  readonly text: string
}

/** One run of the loop over one thread: what the host calls work on. */
export interface LoopContext {
  readonly thread: ThreadHeader
  readonly folder: string
  readonly tools: readonly ToolDefinition[]
  readonly conversation: Conversation
  readonly repeats: Repeats
  readonly journal: Journal
  /** Notes what passes the journal. */
  readonly taint: Taint
  readonly signal: AbortSignal
  /** What a person said since the last step; each text is already on record. */
  takeInjected(): readonly string[]
  /** How many such texts wait now. */
  injectedCount(): number
  /** Called before a back-off: a long one gives the thread's slot back. */
  onBackoff(waitMs: number): void
  /** Called after it: takes a slot again where it was given back. */
  afterBackoff(): Promise<void>
  onAsking(isAsking: boolean): void
  readonly replayed: Replayed
  readonly meter: Meter
  readonly children: Children
  /** Fenced Python of an answer is run. */
  readonly runsCode: boolean
  /** A skill's run. */
  readonly isRun: boolean
  /** What stands in the project, for step 0. */
  surroundings(): Promise<string>
  /** The actions as functions of code: for a model that calls none. */
  functions(): string
  /** Skills of whoever hosts the engine, for a thread that begins; null for none. */
  hostedSkills(): Promise<HostedTold | null>
  /** The skills for what was said; null where there are none at all. To be staged in the same turn of the event loop. */
  skills(said: { readonly text: string; readonly step: number; readonly isFirst: boolean }): SkillsTold | null
  /** Functions of the active skills. */
  snippets(): readonly Snippet[]
  /** Null where nothing bears on it. */
  knowledge(asked: string): Promise<Knowledge | null>
  /** Values that code finds beside its own. */
  readonly timeZone: string
}

export interface HostParts {
  readonly models: Models
  readonly capabilities: Capabilities
  readonly events: Events
  readonly sandbox: Sandbox
  readonly codeVms: CodeVmRows
  readonly snippetShelf: SnippetShelf
  readonly hooks: readonly EngineHooks[]
  readonly redactor: Redactor
  readonly now: () => number
}

/** A host call that lets the thread rest instead of answering. */
export class Waits {
  readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}
