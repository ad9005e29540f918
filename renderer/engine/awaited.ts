import type { LocalModel, LocalStatus } from '../../core/domain/local.ts'
import type { Tier } from '../../core/domain/thread.ts'

/** What the next request of a chat would hold: of the thread's record, and of what is being written. */
interface RoomQuestion {
  readonly threadId?: string
  readonly tier?: Tier
  /** `<providerId>/<model>`. */
  readonly model?: string
  readonly draftCharacters: number
}
/** Tokens; `windowTokens` is null where nobody knows the model's window. */
export interface Room {
  readonly promptTokens: number
  readonly windowTokens: number | null
  readonly fits: boolean
}

interface Asked<Input, Output> {
  readonly input: Input
  readonly output: Output
}
type Nothing = Record<string, never>

/** Calls that the engine is about to answer: until then they are refused as unknown. */
export interface AwaitedCalls {
  'thread.room': Asked<RoomQuestion, Room>
  'local.status': Asked<Nothing, LocalStatus>
  'local.add': Asked<{ readonly file: string }, LocalModel>
  'local.change': Asked<
    { readonly name: string; readonly contextTokens: number | null; readonly threads: number | null },
    LocalModel
  >
  'local.remove': Asked<{ readonly name: string; readonly deletesFile: boolean }, LocalStatus>
  'local.download': Asked<{ readonly id: string }, LocalStatus>
  'local.pause': Asked<{ readonly id: string }, LocalStatus>
  'local.cancel': Asked<{ readonly id: string }, LocalStatus>
  'local.unload': Asked<Nothing, LocalStatus>
  'local.gpu': Asked<{ readonly install: boolean }, LocalStatus>
  'shell.pickFile': Asked<Nothing, { readonly file: string | null }>
}
