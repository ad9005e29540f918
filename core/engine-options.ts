import type { Action, Resolve } from './capabilities/capabilities.ts'
import type { FaultPoint } from './domain/fault-point.ts'
import type { EngineHooks } from './domain/hooks.ts'
import type { Redactor } from './domain/leaks/redactor.ts'
import type { EmbeddedProvider, UsualServer } from './models/models.ts'
import type { SpawnSandbox } from './sandbox/sandbox.ts'
import type { Secrets } from './secrets.ts'
import type { SkillFolder, SkillLibrary, SkillsConfig, SkillsContract } from './skills/skills.ts'

/** Every seam of the engine. What is left out gets the real thing. */
export interface EngineOptions {
  readonly dataDir: string
  /** Where `core/orchestrator/*.py` and prompts, `skills/` and `missions/` are read from. */
  readonly contentDir: string
  readonly version: string
  /** Shown to whoever finds the store owned: `Threadsmith`, `threadsmith run`. */
  readonly command: string
  /** Reads only: takes no lock, runs no thread. */
  readonly readOnly?: boolean
  /** What happens to threads that a crash left running. */
  readonly recover?: 'resume' | 'suspend'
  readonly clock?: Clock
  readonly nextId?: (prefix: string) => string
  readonly random?: () => number
  readonly timeZone?: string
  readonly secrets?: Secrets
  /** Default: one that knows every key that went through `secrets`. */
  readonly redactor?: Redactor
  readonly spawnSandbox?: SpawnSandbox
  /** Starts a process for one local model. */
  readonly spawnLocal?: SpawnSandbox
  /** In place of the bundled planner, or beside it. */
  readonly embedded?: Readonly<Partial<Record<'planner' | 'scripted', EmbeddedProvider>>>
  readonly actions?: readonly Action[]
  /** In place of all that there are: what these skills do is not counted. */
  readonly skills?: SkillLibrary
  /** In place of the bundled ones and the person's own; those of projects stay. */
  readonly skillFolders?: readonly SkillFolder[]
  /** Skills of whoever hosts the engine, beside the app's: without them prompts are byte for byte what they are (seed R). */
  readonly hostedSkills?: SkillsConfig | SkillsContract
  /** All addresses of a name, for `http`. */
  readonly resolve?: Resolve
  readonly usualServers?: readonly UsualServer[]
  /** The pause before a model is asked again. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>
  /** Called around actions and model calls, in this order (RULES 3). */
  readonly hooks?: readonly EngineHooks[]
  /** Told at every named boundary (domain/fault-point.ts), for tests that end the process there. */
  readonly onFaultPoint?: (name: FaultPoint) => void
  /** Missions fire while this engine runs: of whoever stays open. Others only fire what a person asks for. */
  readonly ticks?: boolean
  /** Tells the person something while the window may be hidden, and where to look. */
  readonly notify?: (text: string, where: NoticePlace) => void
  /** Where the whole record of each ended thread is written as JSON, for debugging. */
  readonly traceDir?: string
}

export type NoticePlace = { readonly threadId: string } | { readonly missionId: string }

export interface Clock {
  /** Epoch ms. */
  now(): number
  /** Ms that never go back. */
  monotonic(): number
}
