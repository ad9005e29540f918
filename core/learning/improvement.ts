import type { Action } from '../capabilities/capabilities.ts'
import type { Redactor } from '../domain/leaks/redactor.ts'
import { limits } from '../domain/limits.ts'
import type { ThreadHeader } from '../domain/thread.ts'
import type { Events } from '../events/events.ts'
import type { Memory } from '../memory/memory.ts'
import type { LoopVersions } from '../orchestrator/orchestrator.ts'
import type { SkillSystem } from '../skills/skills.ts'
import type { Store } from '../store/store.ts'
import { createCodeProposeAction } from './actions/code-propose.ts'
import { createFixPatternListAction } from './actions/fix-pattern-list.ts'
import { createInsightProposeAction } from './actions/insight-propose.ts'
import { createLessonWriteAction } from './actions/lesson-write.ts'
import { createOverlayProposeAction } from './actions/overlay-propose.ts'
import { createSettingProposeAction } from './actions/setting-propose.ts'
import { createThreadDigestAction } from './actions/thread-digest.ts'
import { createTraceFindingsAction } from './actions/trace-findings.ts'
import { createLearntBook } from './book.ts'
import { tallyOf } from './effect.ts'
import { createFixPatterns } from './fix-patterns.ts'
import { createLearntDesk, type LearntDesk } from './learnt.ts'
import { learntText } from './overlay.ts'
import { createLearningReadings } from './reading.ts'
import type { ProposableSettings } from './setting-changes.ts'
import { createLearntWatch } from './watch.ts'

/** Self-improvement and conversation insights, made once for an engine. */
export interface Improvement {
  /** Of the learning missions; no other thread is leased them. */
  readonly actions: readonly Action[]
  readonly desk: LearntDesk
  /** Joins the system message of a thread that begins in a project; '' for nothing. */
  promptText(projectId: string): string
  /** After its trace was looked at. */
  ended(thread: ThreadHeader): void
  expireDue(): void
  /** What a process that died left half done. */
  catchUp(): void
}

export interface ImprovementParts {
  readonly store: Store
  readonly events: Events
  readonly memory: Memory
  readonly settings: ProposableSettings
  readonly skills: Pick<SkillSystem['desk'], 'rollBack' | 'quarantine'>
  readonly loops: () => LoopVersions
  readonly redactor: Redactor
  readonly now: () => number
  readonly nextId: (prefix: string) => string
}

export function createImprovement(parts: ImprovementParts): Improvement {
  const { store, memory, settings, now } = parts
  const patterns = createFixPatterns(store, now)
  const book = createLearntBook({
    ...parts,
    patterns,
    tally: (projectId, signature) => tallyOf(store, projectId, signature),
  })
  const readings = createLearningReadings(store)
  const watch = createLearntWatch({ store, book, patterns, now })
  return {
    actions: [
      createTraceFindingsAction({ store, readings, patterns, book, memory, settings }),
      createFixPatternListAction(patterns),
      createThreadDigestAction({ store, readings, book }),
      createOverlayProposeAction({ store, book }),
      createSettingProposeAction({ store, book, settings }),
      createInsightProposeAction({ store, book }),
      createCodeProposeAction({ memory }),
      createLessonWriteAction({ memory }),
    ],
    desk: createLearntDesk({ ...parts, book, patterns }),
    promptText: (projectId) => learntText(store.learnt.live(projectId, limits.pageRows)),
    ended: watch.ended,
    expireDue: book.expireDue,
    catchUp() {
      book.catchUp()
      watch.catchUp()
    },
  }
}
