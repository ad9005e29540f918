import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { type LimitName, limits } from '../../../core/domain/limits.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** Where each limit is crossed by one. A limit without an entry does not compile. */
const crossedIn = {
  maxSteps: 'core/orchestrator/loop.test.ts',
  maxStepsCeiling: 'core/api.test.ts',
  maxConsecutiveActionErrorsNudge: 'core/orchestrator/loop.test.ts',
  maxConsecutiveActionErrors: 'core/orchestrator/loop.test.ts',
  maxNudges: 'core/orchestrator/loop.test.ts',
  slots: 'core/threads/threads.test.ts',
  slotReleaseBackoffMs: 'core/threads/backoff.test.ts',
  vmValueDepth: 'core/sandbox/value.test.ts',
  vmValueBytes: 'core/sandbox/value.test.ts',
  vmOutputBytes: 'core/sandbox/sandbox.test.ts',
  vmErrorCharacters: 'core/sandbox/sandbox.test.ts',
  vmKillGraceMs: 'core/sandbox/children.test.ts',
  vmMemoryGrowthBytes: 'core/sandbox/hostile.test.ts',
  loopMs: 'core/sandbox/loop-limits.test.ts',
  loopMemoryBytes: 'core/sandbox/loop-limits.test.ts',
  goalCharacters: 'core/api.test.ts',
  actionNameCharacters: 'core/orchestrator/loop.test.ts',
  actionSummaryCharacters: 'core/capabilities/door.test.ts',
  errorCharacters: 'core/capabilities/door.test.ts',
  callsPerAnswer: 'core/orchestrator/loop.test.ts',
  actionArgumentBytes: 'core/capabilities/door.test.ts',
  actionResultCharacters: 'core/capabilities/door.test.ts',
  actionMs: 'core/capabilities/door.test.ts',
  readFileBytes: 'core/capabilities/actions/read-file.test.ts',
  readFileCharacters: 'core/capabilities/actions/read-file.test.ts',
  listEntries: 'core/capabilities/actions/walk-limits.test.ts',
  walkEntries: 'core/capabilities/actions/walk-limits.test.ts',
  walkMs: 'core/capabilities/actions/walk-limits.test.ts',
  searchMatches: 'core/capabilities/actions/search-files.test.ts',
  searchFileBytes: 'core/capabilities/actions/search-files.test.ts',
  tableBytes: 'core/capabilities/actions/table.test.ts',
  tableRows: 'core/capabilities/actions/walk-limits.test.ts',
  jsonFileBytes: 'core/capabilities/actions/table.test.ts',
  hashBytes: 'core/capabilities/actions/file-facts.test.ts',
  factsFiles: 'core/capabilities/actions/file-facts.test.ts',
  memoryDocCharacters: 'core/memory/memory.test.ts',
  shellMs: 'core/capabilities/actions/shell/shell.test.ts',
  shellMsCeiling: 'core/capabilities/actions/shell/shell.test.ts',
  shellKillGraceMs: 'core/capabilities/actions/shell/processes.test.ts',
  shellCommandCharacters: 'core/capabilities/actions/shell/shell.test.ts',
  shellOutputCharacters: 'core/capabilities/actions/shell/run.test.ts',
  shellFloodCharacters: 'core/capabilities/actions/shell/run.test.ts',
  shellProcesses: 'core/capabilities/actions/shell/processes.test.ts',
  modelRetries: 'core/models/complete.test.ts',
  retryAfterMs: 'core/models/complete.test.ts',
  firstTokenMs: 'core/models/deadlines.test.ts',
  idleMs: 'core/models/deadlines.test.ts',
  responseBytes: 'core/models/complete.test.ts',
  inlineBodyBytes: 'core/store/rows.test.ts',
  backups: 'core/store/backup.test.ts',
  pageRows: 'core/api.test.ts',
  listGoalCharacters: 'core/store/rows.test.ts',
  socketBufferBytes: 'core/socket.test.ts',
  windowCallCharacters: 'electron/ipc.test.ts',
  pushEvents: 'electron/window-push.test.ts',
} satisfies Record<LimitName, string>

test.each(Object.entries(crossedIn))('%s is crossed in %s', (name, file) => {
  expect(Object.keys(limits)).toContain(name)
  expect(readFileSync(path.join(root, file), 'utf8')).toMatch(new RegExp(`limits\\.${name}\\b`))
})
