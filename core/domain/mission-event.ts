/**
 * What can set off a mission besides the clock, a webhook and a person. `thread-done`: a thread answered; `thread-failed`: it failed, or
 * used up what it may; `thread-ended`: in whatever way; `thread-waiting`: it waits for an approval; `thread-issues`: something was
 * found wrong with one that ended, which neither a person's stop nor a model that was away explains. `idle`: nobody asks for anything
 * and no thread is at work.
 */
export const missionEvents = [
  ...(['thread-done', 'thread-failed', 'thread-ended', 'thread-waiting', 'thread-issues'] as const),
  ...(['file-changed', 'app-start', 'idle'] as const),
] as const
export type MissionEvent = (typeof missionEvents)[number]

/** What each of them is, after “when”: the form of a mission and the words of its cadence say the same. */
export const missionEventWords: Readonly<Record<MissionEvent, string>> = {
  'thread-done': 'a thread has answered',
  'thread-failed': 'a thread has failed',
  'thread-ended': 'a thread has ended',
  'thread-waiting': 'a thread waits for an approval',
  'thread-issues': 'something went wrong in a thread',
  'file-changed': 'files of the project change',
  'app-start': 'Threadsmith starts',
  idle: 'nothing happened for a while',
}
