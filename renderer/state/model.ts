import type { Approval } from '../../core/domain/approval.ts'
import type { ChatMessage, EngineInfo } from '../../core/domain/contract.ts'
import type { ErrorBody } from '../../core/domain/error.ts'
import type { CanvasEmitted, ContextWarned } from '../../core/domain/event.ts'
import type { ModelRef } from '../../core/domain/model.ts'
import type { Project } from '../../core/domain/project.ts'
import type { Settings } from '../../core/domain/settings.ts'
import type { ActiveSkill } from '../../core/domain/skill.ts'
import type { CallRow, ThreadHeader } from '../../core/domain/thread.ts'

/** The part of a chat that is loaded: a run of messages that ends with the newest. `before` is the key of the page above. */
export interface Chat {
  readonly messages: readonly ChatMessage[]
  readonly before: number | null
}

/** What is being said right now in a thread; gone as soon as it is on record. */
export interface LiveAnswer {
  readonly step: number
  readonly text: string
  readonly reasoning: string
}

/** How a thread ended that gave no answer: the error, and what of an answer had been said. */
export interface Ending {
  readonly error: ErrorBody | null
  readonly partialText: string
  /** False: this window saw it, the record does not hold it. */
  readonly isKept: boolean
  /** Which model it was, where one was asked last. */
  readonly model: ModelRef | null
}

/** A card that a thread drew; its body is fetched by `seq`. */
export interface CanvasCard extends CanvasEmitted {
  readonly seq: number
}

/** Calls of one thread, keyed by `callKey`. */
export type CallTable = Readonly<Record<string, CallRow>>

/**
 * What the window knows of the store: pages that calls answered, moved on by every event since. An event that a page already
 * holds changes nothing, so the order in which pages and events arrive does not matter.
 */
export interface Known {
  /** The newest event folded so far. */
  readonly seq: number
  readonly threads: Readonly<Record<string, ThreadHeader>>
  /** By conversation. Absent until the chat is opened. */
  readonly chats: Readonly<Record<string, Chat>>
  /** By thread. Absent until something shows the thread's steps. */
  readonly calls: Readonly<Record<string, CallTable>>
  readonly live: Readonly<Record<string, LiveAnswer>>
  /** Threads that wait for a slot, and how many are ahead. */
  readonly queued: Readonly<Record<string, number>>
  /** By thread: that its model's window was too small, as it was told last while something looked on. */
  readonly warned: Readonly<Record<string, ContextWarned>>
  /** By thread: the skills that it works with, in the order in which they joined. Absent until something shows its steps. */
  readonly skills: Readonly<Record<string, readonly ActiveSkill[]>>
  /** By thread: its cards, each at the place where its id stood first. */
  readonly canvases: Readonly<Record<string, readonly CanvasCard[]>>
  /** The newest event that changed a skill or a candidate: what was read of them before it is old. */
  readonly skillSeq: number
  /** By mission: the newest event that changed it or one of its firings. */
  readonly missionSeqs: Readonly<Record<string, number>>
  /** The newest event that changed what was learnt. */
  readonly learntSeq: number
  /** Threads that ended without an answer, once something shows them. */
  readonly endings: Readonly<Record<string, Ending>>
  /** By id: all that wait for a person, and of those decided what was asked for or happened since. */
  readonly approvals: Readonly<Record<string, Approval>>
}

export const emptyKnown: Known = {
  ...{ seq: 0, threads: {}, chats: {}, calls: {}, live: {}, queued: {}, warned: {}, endings: {}, skills: {} },
  ...{ canvases: {}, skillSeq: 0, missionSeqs: {}, learntSeq: 0, approvals: {} },
}

export interface Facts {
  readonly info: EngineInfo | null
  readonly settings: Settings | null
  readonly projects: readonly Project[]
}
