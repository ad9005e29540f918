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
  maxConsecutiveCodeErrors: 5,
  maxNudges: 2,
  maxObligationNudges: 2,
  repeatsNudge: 3,
  repeatsStop: 5,
  compactionShare: 0.85,
  compactionTailShare: 0.25,
  defaultWindowTokens: 128_000,
  summaryTokens: 1_024,
  outputTokens: 4_096,
  surroundingsEntries: 60,
  // code and children
  codeBatch: 20,
  maxDepth: 1,
  childSteps: 20,
  // threads
  slots: 2,
  slotReleaseBackoffMs: 5_000,
  // values that cross the VM
  vmValueDepth: 64,
  vmValueBytes: 1_048_576,
  vmOutputBytes: 1_048_576,
  vmErrorCharacters: 8_000,
  /** So that a program is over within its limit + 250 ms (RULES 6, performance V2): the kill and its news take the rest. */
  vmKillGraceMs: 200,
  vmMemoryGrowthBytes: 256 * 1_048_576,
  loopMs: 10_000,
  loopMemoryBytes: 64 * 1_048_576,
  // code of a model
  codeMs: 30_000,
  codeMemoryBytes: 64 * 1_048_576,
  codeCalls: 50,
  codeCharacters: 100_000,
  codeParts: 8_000,
  codeStateBytes: 262_144,
  codeOutputCharacters: 8_000,
  codePreviewCharacters: 500,
  // actions
  goalCharacters: 100_000,
  actionNameCharacters: 64,
  actionSummaryCharacters: 60,
  errorCharacters: 2_000,
  callsPerAnswer: 128,
  actionArgumentBytes: 262_144,
  actionResultCharacters: 60_000,
  /** Of a call of code: what it prints of it is short, and pages of an API are not. */
  codeResultCharacters: 800_000,
  actionMs: 60_000,
  approvalMs: 7 * 86_400_000,
  leaseMs: 30 * 86_400_000,
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
  writeCharacters: 1_000_000,
  patchEdits: 100,
  patchFileBytes: 8 * 1_048_576,
  changeCharacters: 200_000,
  keptCopyBytes: 64 * 1_048_576,
  treeEntries: 10_000,
  messageCharacters: 2_000,
  sourceCharacters: 120,
  /** Past so many it is enough to know that there are more. */
  threadSources: 50,
  trashDays: 30,
  trashBytes: 1_073_741_824,
  // memory
  memoryTitleCharacters: 120,
  embeddedCharacters: 8_000,
  /** A message waits so long for a question to become a vector; then its words are enough. */
  embedderMs: 4_000,
  /** An embedder that failed is left alone for so long. */
  embedderRestMs: 60_000,
  knowledgeDocs: 5,
  knowledgeDocCharacters: 500,
  profileFieldCharacters: 2_000,
  conversationContextCharacters: 2_000,
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
  /** Of one attempt, from the request to the end of the answer. */
  totalMs: 1_800_000,
  responseBytes: 64 * 1_048_576,
  // http
  httpOrigins: 100,
  httpUrlCharacters: 8_192,
  /** Of a body that a model reads; a file that is saved may have `httpFileBytes`. */
  httpResponseBytes: 5 * 1_048_576,
  httpFileBytes: 50 * 1_048_576,
  httpUploadFiles: 10,
  httpUploadBytes: 20 * 1_048_576,
  httpRedirects: 5,
  httpMs: 30_000,
  httpMostMs: 300_000,
  httpPerMinute: 30,
  httpPerHour: 500,
  // skills
  skillFileBytes: 1_048_576,
  skillHeaderBytes: 65_536,
  skillKeywords: 50,
  skillPatterns: 20,
  skillPatternCharacters: 512,
  skillDescriptionCharacters: 1_024,
  /** Of one source, with all that lie below it. */
  skillFolders: 2_000,
  /** A skill lies at most so many folders below its source. */
  skillFolderDepth: 3,
  manifestBytes: 5 * 1_048_576,
  manifestMs: 10_000,
  manifestSkills: 500,
  /** Files beside one SKILL.md that are listed. */
  skillResources: 500,
  skillResourceBytes: 1_048_576,
  importFiles: 1_000,
  importFileBytes: 2 * 1_048_576,
  /** Of an archive, packed or not. */
  importBytes: 20 * 1_048_576,
  /** Of what was asked, its beginning and its end: so much is looked at when skills are chosen. */
  skillGoalCharacters: 8_192,
  skillsChosen: 3,
  skillTokens: 4_000,
  skillTableRows: 100,
  /** Of all skills in the system message. */
  catalogueTokens: 200,
  /** Of those that a host brings: their names and descriptions, and the bodies that stand in a prompt from the beginning. */
  hostedCatalogueTokens: 1_000,
  hostedInjectTokens: 16_000,
  candidateMs: 30 * 86_400_000,
  /** A proposal to go back is carried out where nobody answered. */
  rollbackProposalMs: 7 * 86_400_000,
  pastGoals: 50,
  /** Of one thread: a skill that is looked for and not there costs nothing. */
  skillLoads: 5,
  skillsFound: 20,
  /** Of a query: those that come later are not looked up. */
  skillSearchWords: 30,
  skillReviewMs: 60_000,
  /** Of a skill's run, where its file says nothing. One more asks for the answer. */
  skillTurns: 8,
  skillUses: 500,
  /** On servers. */
  skillLists: 20,
  canvasBytes: 262_144,
  // mining of finished threads
  minerThreads: 200,
  /** Of those that do the same, so many are looked at side by side. */
  minerSupport: 12,
  minerEpisodeBytes: 262_144,
  /** Of all threads that one run holds beside each other: as objects they take a few times as much. */
  minerKeptBytes: 16_777_216,
  minerCalls: 400,
  minerNodes: 60,
  minerLeaves: 20,
  minerSources: 400,
  minerLists: 60,
  minerStates: 6_000,
  /** Of all loops of one function together: a code step may make `codeCalls`. */
  minerIterations: 40,
  minerLines: 60,
  minerParameters: 6,
  minerFreeParameters: 2,
  /** Of one run, whatever the number of threads that it looks at. */
  minerMs: 2_000,
  /** Finished threads that are mined in one call. */
  minedThreads: 20,
  localIdleMs: 600_000,
  localContextTokens: 8_192,
  localModels: 1_000,
  downloadRedirects: 5,
  /** A list of models says about how long a file is: a server that sends so many times as much sends something else. */
  downloadMostOfExpected: 1.5,
  // learning
  /** Rules in force in one project. */
  overlayRules: 12,
  overlayRuleCharacters: 300,
  insightCharacters: 400,
  /** Of what a person said, in a system message. */
  promptInsights: 20,
  /** That one learning thread proposes. */
  insightsPerRun: 5,
  /** That rules find in one message: more are a list that somebody pasted. */
  messageInsights: 3,
  /** Of a paragraph that somebody typed: a longer one they pasted. */
  ownParagraphCharacters: 1_000,
  ownParagraphLines: 12,
  /** That wait for a person, of one project. */
  learntPending: 50,
  learntSources: 20,
  /** Known fixes of one project, beside those that ship with the app. */
  fixPatterns: 200,
  /** Threads that one firing looks at. */
  learningThreads: 20,
  digestMessages: 60,
  digestMessageCharacters: 500,
  // missions
  /** Instants that one preview shows. */
  cronPreview: 100,
  /** Of one mission at once: the instants before them stand in one row together. A day and nine hours of minutes. */
  firingRows: 2_000,
  /** Claimed in one tick, of all missions; the rest waits for the next. */
  tickRows: 500,
  /** Missions at work at the same time. */
  missionsAtOnce: 2,
  /** Between the beginnings of two firings that are caught up. */
  catchUpStaggerMs: 5_000,
  /** Queued for so long it is missed. */
  firingWaitMs: 12 * 3_600_000,
  /** Threads that caused one another by missions. */
  causeDepth: 3,
  firingPayloadBytes: 65_536,
  /** Of a brief. */
  briefApproaches: 10,
  briefApproachCharacters: 500,
  briefDocs: 10,
  briefPayloadCharacters: 2_000,
  /** Of a firing's own account: a focus and each line of evidence. */
  outcomeCharacters: 2_000,
  outcomeEvidence: 20,
  /** Failures in a row after which a mission is paused, where it does not say. */
  missionFailures: 5,
  missionEventCooldownMs: 300_000,
  /** A day, where it does not say; of those that something else sets off, the second. */
  missionDailyCap: 10,
  missionEventDailyCap: 24,
  /** That are caught up, where all are. */
  missionCatchUp: 10,
  missionEveryMs: 60_000,
  /** Of what counts of an event: patterns of files, and the text that a goal holds. */
  triggerPaths: 20,
  triggerPatternCharacters: 512,
  /** Only each so many-th counts. */
  triggerEach: 1_000,
  /** Rows that one look at the log leaves of one mission; what else fits stands in one more together. */
  triggerRows: 20,
  missionIdleMs: 900_000,
  missionLeastIdleMs: 60_000,
  /** Of one project's folder, it among them. */
  watchedFolders: 1_000,
  /** That one firing is told of. */
  changedFiles: 50,
  // webhooks
  /** What a delivery says of its time may be so far from the clock, in both directions. */
  webhookWindowMs: 300_000,
  webhookSignatures: 5,
  /** Of one mission, authentic ones; of all, whoever sends them. */
  webhookPerMinute: 30,
  webhookAllPerMinute: 120,
  webhookConnections: 32,
  webhookHeaderBytes: 8_192,
  webhookHeaderMs: 5_000,
  webhookRequestMs: 10_000,
  missionGoalCharacters: 20_000,
  /** That wait for a person, of one project. */
  missionsProposed: 50,
  /** Of one mission in a strip of days. */
  missionDayRows: 200,
  /** Missions of which days, or rows of a list, are asked for together: to work out the days of one takes some ms. */
  missionsAsked: 5,
  /** On one page of their list. */
  missionPageRows: 100,
  /** That an agent is told of. */
  missionsTold: 100,
  /** Within it starts without an end are a loop. */
  crashLoopMs: 3_600_000,
  /** So late is still on time. */
  firingGraceMs: 60_000,
  /** Later than that an instant is missed, where the mission does not say. */
  firingLatenessMs: 12 * 3_600_000,
  // secrets
  /** Of one event: a file may be full of them. */
  redactionsListed: 20,
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
