import type { Capabilities, Scope } from '../capabilities/capabilities.ts'
import type { JsonObject } from '../domain/json.ts'
import type { Redactor } from '../domain/leaks/redactor.ts'
import type { ToolDefinition } from '../domain/model.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { StoredCodeVm } from '../store/store.ts'
import type { Asker } from './ask.ts'
import type { Children } from './children.ts'
import type { Snippet } from './code/snippets.ts'
import type { RecordedStep } from './recorded-step.ts'
import type { SnippetShelf } from './snippet-shelf.ts'

export interface CodeVmRows {
  get(threadId: string, step: number, path: string): StoredCodeVm | undefined
  put(vm: StoredCodeVm): void
  drop(threadId: string, step: number, path: string): void
}

export interface CodeParts {
  readonly sandbox: Sandbox
  readonly capabilities: Capabilities
  readonly asker: Asker
  readonly children: Children
  readonly codeVms: CodeVmRows
  /** Code can put a secret together, or print one that it was given in pieces. */
  readonly redactor: Redactor
  readonly snippetShelf: SnippetShelf
}

/** The code of one step. */
export interface CodeStep {
  readonly source: string
  /** The thread's folder, journal and step; paths of its calls are `1.n`. */
  readonly scope: Omit<Scope, 'pathAt' | 'recorded' | 'ofCode'>
  readonly tools: readonly ToolDefinition[]
  readonly inputs: JsonObject
  /** Of the skills that are active. */
  readonly snippets: readonly Snippet[]
  readonly recorded: RecordedStep | undefined
}
