/**
 * Every limit of the engine, in one place (RULES 4). Each is enforced where its module says so and has a test that crosses
 * it by one; `test/core/domain/limits.test.ts` enumerates this file against those tests.
 */
export const limits = {
  // orchestrator
  maxSteps: 50,
  maxStepsCeiling: 100_000,
  maxConsecutiveActionErrorsNudge: 5,
  maxConsecutiveActionErrors: 7,
  maxNudges: 2,
  // threads
  slots: 2,
  slotReleaseBackoffMs: 5_000,
  // values that cross the VM
  vmValueDepth: 64,
  vmValueBytes: 1_048_576,
  vmOutputBytes: 1_048_576,
  vmErrorCharacters: 8_000,
  vmKillGraceMs: 250,
  vmMemoryGrowthBytes: 256 * 1_048_576,
  loopMs: 10_000,
  loopMemoryBytes: 64 * 1_048_576,
  // actions
  goalCharacters: 100_000,
  actionNameCharacters: 64,
  actionSummaryCharacters: 60,
  errorCharacters: 2_000,
  callsPerAnswer: 128,
  actionArgumentBytes: 262_144,
  actionResultCharacters: 60_000,
  actionMs: 60_000,
  readFileBytes: 64 * 1_048_576,
  readFileCharacters: 40_000,
  listEntries: 1_000,
  walkEntries: 50_000,
  walkMs: 5_000,
  searchMatches: 200,
  searchFileBytes: 16 * 1_048_576,
  tableBytes: 64 * 1_048_576,
  tableRows: 200,
  jsonFileBytes: 8 * 1_048_576,
  hashBytes: 2 * 1_073_741_824,
  factsFiles: 1_000,
  memoryDocCharacters: 100_000,
  shellMs: 120_000,
  shellMsCeiling: 600_000,
  shellKillGraceMs: 2_000,
  shellCommandCharacters: 10_000,
  shellOutputCharacters: 20_000,
  shellFloodCharacters: 64 * 1_048_576,
  shellProcesses: 256,
  // models
  modelRetries: 2,
  retryAfterMs: 120_000,
  firstTokenMs: 180_000,
  idleMs: 180_000,
  responseBytes: 64 * 1_048_576,
  // store
  inlineBodyBytes: 4_096,
  backups: 3,
  pageRows: 1_000,
  listGoalCharacters: 500,
  // socket
  socketBufferBytes: 8 * 1_048_576,
  // window
  windowCallCharacters: 1_048_576,
  pushEvents: 100,
} as const
export type LimitName = keyof typeof limits
