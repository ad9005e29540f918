/**
 * The boundaries at which a kill must do no harm: where a fact is decided and not yet on disk, is on disk and not yet acted
 * upon, or is half of a transaction. The kill campaign dies at each of them (test/kill).
 */
export const faultPoints = [
  // transactions
  'transaction.begun',
  'transaction.worked',
  'transaction.committed',
  'journal.commit.before',
  'journal.commit.after',
  'journal.commitWith.before',
  'journal.commitWith.after',
  'journal.commitRest.before',
  'journal.commitRest.after',
  'journal.commitSoon.before',
  'journal.commitSoon.after',
  'log.commit.before',
  'log.commit.after',
  'calls.indexed',
  'calls.advanced',
  // the door
  'intents.staged',
  'intents.committed',
  'effect.before',
  'effect.after',
  'result.staged',
  'batch.between',
  'interruption.staged',
  'approval.requested',
  'approval.awaited',
  'approval.matched',
  'approval.decided',
  'approval.lent',
  'approval.granted',
  'approval.settled',
  'approval.woken',
  // the loop
  'loop.began',
  'loop.ended',
  'step.begun',
  'model.asking',
  'model.answered',
  'model.recorded',
  // code
  'code.started',
  'code.vm.started',
  'code.vm.loaded',
  'code.vm.snapshotted',
  'code.vm.stored',
  'code.resumed',
  'code.waiting',
  'code.ended',
  'code.finished',
  // children
  'child.planned',
  'child.inserted',
  'child.spawned',
  'child.rested',
  'child.finished',
  // queries and compaction
  'query.started',
  'query.finished',
  'compaction.begun',
  'compaction.summarised',
  'compaction.recorded',
  // threads
  'thread.inserted',
  'thread.started',
  'thread.told',
  'thread.ending',
  'thread.running',
  'thread.waiting',
  'thread.suspended',
  'thread.completed',
  'thread.done',
  'recovery.found',
  'recovery.suspended',
  'recovery.started',
  'recovery.woken',
  'slot.taken',
  'slot.released',
  // files and notes
  'note.written',
  'file.kept',
  'file.staged',
  'file.linked',
  'file.published',
  'file.recorded',
  // the end
  'store.closing',
  'store.closed',
] as const
/** The same of missions: lives of their own die here (test/core/missions/killed.test.ts). */
export const missionFaultPoints = [
  'mission.claim.before',
  'mission.claim.staged',
  'mission.claim.after',
  'mission.start.before',
  'mission.start.staged',
  'mission.start.after',
  'mission.settle.before',
  'mission.settle.staged',
  'mission.settle.after',
  'mission.recover.after',
] as const
export type FaultPoint = (typeof faultPoints)[number] | (typeof missionFaultPoints)[number]

let listener: ((name: FaultPoint) => void) | undefined

/** Says that a boundary is reached; costs nothing where nobody listens. */
export function faultPoint(name: FaultPoint): void {
  listener?.(name)
}

/** One listener in a process: it is told at the boundary itself, and may end the process there. */
export function onFaultPoint(listen: ((name: FaultPoint) => void) | undefined): void {
  listener = listen
}
