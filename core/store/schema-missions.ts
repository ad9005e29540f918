/** Missions and what is learnt: the entries of the schema that follow. */
export const missionSchema: readonly string[] = [
  `
  -- nextFireAt is null unless an instant of an active mission is to come: what is due is read from its index alone.
  CREATE TABLE mission (
    id TEXT PRIMARY KEY,
    projectId TEXT NOT NULL REFERENCES project (id),
    name TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('proposed','active','paused','completed','removed')),
    statusReason TEXT,
    version INTEGER NOT NULL,
    source TEXT NOT NULL CHECK (source IN ('file','person','agent')),
    anchorAt INTEGER NOT NULL,
    claimedUntil INTEGER NOT NULL,
    nextFireAt INTEGER,
    focus TEXT,
    failures INTEGER NOT NULL DEFAULT 0,
    lastFiredAt INTEGER,
    createdAt INTEGER NOT NULL,
    updatedAt INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX mission_name ON mission (projectId, name) WHERE status <> 'removed';
  CREATE INDEX mission_ever ON mission (projectId, name);
  CREATE INDEX mission_due ON mission (nextFireAt) WHERE nextFireAt IS NOT NULL;
  -- Claimed ahead of the clock: it went back.
  CREATE INDEX mission_ahead ON mission (claimedUntil) WHERE nextFireAt IS NOT NULL;
  CREATE INDEX mission_listed ON mission (name, id) WHERE status <> 'removed';

  -- A version never changes.
  CREATE TABLE mission_version (
    missionId TEXT NOT NULL REFERENCES mission (id),
    version INTEGER NOT NULL,
    at INTEGER NOT NULL,
    source TEXT NOT NULL CHECK (source IN ('file','person','agent')),
    definition TEXT NOT NULL,
    PRIMARY KEY (missionId, version)
  ) STRICT, WITHOUT ROWID;

  -- One row per due instant. payload and outcome come last: they may be large, and no list reads them.
  CREATE TABLE firing (
    id TEXT PRIMARY KEY,
    missionId TEXT NOT NULL REFERENCES mission (id),
    instant INTEGER NOT NULL,
    until INTEGER,
    version INTEGER NOT NULL,
    "trigger" TEXT NOT NULL CHECK ("trigger" IN ('schedule','manual','rehearsal','event','webhook')),
    state TEXT NOT NULL CHECK (state IN
      ('queued','running','ran','late','coalesced','skipped','missed','blocked','cancelled','failed','unknown')),
    reason TEXT,
    claimedAt INTEGER NOT NULL,
    startedAt INTEGER,
    startedOn TEXT,
    endedAt INTEGER,
    threadId TEXT,
    causeDepth INTEGER NOT NULL DEFAULT 0,
    dedupeKey TEXT,
    payload TEXT,
    outcome TEXT,
    UNIQUE (missionId, instant)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX firing_queued ON firing (claimedAt, instant) WHERE state = 'queued';
  CREATE INDEX firing_running ON firing (missionId) WHERE state = 'running';
  CREATE INDEX firing_live ON firing (missionId, instant) WHERE state IN ('queued','running');
  CREATE INDEX firing_started ON firing (missionId, startedOn) WHERE startedOn IS NOT NULL;
  CREATE UNIQUE INDEX firing_thread ON firing (threadId) WHERE threadId IS NOT NULL;
  CREATE INDEX firing_dedupe ON firing (missionId, dedupeKey, claimedAt) WHERE dedupeKey IS NOT NULL;
  CREATE INDEX firing_rehearsal ON firing (missionId, instant) WHERE "trigger" = 'rehearsal';
  CREATE INDEX firing_told ON firing (missionId, endedAt) WHERE outcome IS NOT NULL;
  `,
  `
  -- What sets off a mission besides the clock. heard: of threads, up to which event of the log it has looked; of a quiet time, since
  -- when it was quiet as it last fired; of a webhook, when its secret was made, -1 for none. counted: events that fit since the last one that counted.
  CREATE TABLE mission_trigger (
    missionId TEXT PRIMARY KEY REFERENCES mission (id),
    kind TEXT NOT NULL CHECK (kind IN ('thread','file','start','idle','webhook')),
    heard INTEGER NOT NULL,
    counted INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX mission_trigger_heard ON mission_trigger (kind, heard);

  -- The firing that failed is made once more then; gone once that is in the ledger, or another one came first.
  CREATE TABLE mission_retry (
    missionId TEXT PRIMARY KEY REFERENCES mission (id),
    at INTEGER NOT NULL,
    firingId TEXT NOT NULL REFERENCES firing (id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX mission_retry_due ON mission_retry (at);
  -- How many failed before it, one after the other: 0 for what is no retry.
  ALTER TABLE firing ADD COLUMN attempt INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- How far a learning mission has looked; callKey, threadId and until: what it reads now, and counts once that thread is answered.
  CREATE TABLE learning_reading (
    mission TEXT NOT NULL,
    projectId TEXT NOT NULL,
    seq INTEGER NOT NULL,
    callKey TEXT,
    threadId TEXT,
    until INTEGER,
    PRIMARY KEY (projectId, mission)
  ) STRICT, WITHOUT ROWID;
  -- Few events: what learning reads of the log.
  CREATE INDEX event_learning ON event (seq) WHERE kind IN ('thread.state', 'trace.analysed');

  -- One proposal and what became of it. mergeKey: what says the same in other words' order. sources and text come last: they may be large.
  CREATE TABLE learnt (
    id TEXT PRIMARY KEY,
    projectId TEXT NOT NULL REFERENCES project (id),
    kind TEXT NOT NULL CHECK (kind IN ('overlay','insight','setting')),
    topic TEXT NOT NULL,
    mergeKey TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending','live','rejected','expired','undone','replaced')),
    reason TEXT NOT NULL,
    isUntrusted INTEGER NOT NULL CHECK (isUntrusted IN (0, 1)),
    threadId TEXT NOT NULL,
    patternId TEXT,
    replaces TEXT,
    appliedBy TEXT CHECK (appliedBy IN ('rule','person')),
    proposedAt INTEGER NOT NULL,
    expiresAt INTEGER NOT NULL,
    decidedAt INTEGER,
    decisionReason TEXT,
    endedAt INTEGER,
    endReason TEXT,
    beforeThreads INTEGER,
    beforeIssues INTEGER,
    beforeFailures INTEGER,
    isMeasured INTEGER NOT NULL DEFAULT 0 CHECK (isMeasured IN (0, 1)),
    sources TEXT NOT NULL,
    text TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX learnt_pending ON learnt (proposedAt) WHERE state = 'pending';
  CREATE INDEX learnt_live ON learnt (projectId, decidedAt) WHERE state = 'live';
  CREATE INDEX learnt_listed ON learnt (proposedAt, id);
  CREATE INDEX learnt_same ON learnt (projectId, kind, mergeKey);

  -- What a thread that worked under a rule showed of it.
  CREATE TABLE learnt_use (
    itemId TEXT NOT NULL REFERENCES learnt (id),
    threadId TEXT NOT NULL,
    at INTEGER NOT NULL,
    hadIssue INTEGER NOT NULL CHECK (hadIssue IN (0, 1)),
    isFailure INTEGER NOT NULL CHECK (isFailure IN (0, 1)),
    PRIMARY KEY (itemId, threadId)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX learnt_use_recent ON learnt_use (itemId, at);

  -- Known fixes, by project. needs: a list of words that the issue must name. origin: bundled, or the thread that found it.
  CREATE TABLE fix_pattern (
    projectId TEXT NOT NULL REFERENCES project (id),
    id TEXT NOT NULL,
    issueClass TEXT NOT NULL,
    needs TEXT NOT NULL,
    level TEXT NOT NULL CHECK (level IN ('PROMPT','CONFIG','CODE')),
    strategy TEXT NOT NULL,
    rule TEXT NOT NULL,
    origin TEXT NOT NULL,
    successes INTEGER NOT NULL DEFAULT 0,
    failures INTEGER NOT NULL DEFAULT 0,
    createdAt INTEGER NOT NULL,
    PRIMARY KEY (projectId, id)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Up to which event of the log a learning mission has looked, in each project.
  CREATE TABLE learning_cursor (
    mission TEXT NOT NULL,
    projectId TEXT NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (mission, projectId)
  ) STRICT, WITHOUT ROWID;

  -- Threads that skills can be learnt from, by the event with which they ended.
  CREATE TABLE mined_thread (
    projectId TEXT NOT NULL,
    seq INTEGER NOT NULL,
    threadId TEXT NOT NULL UNIQUE,
    PRIMARY KEY (projectId, seq)
  ) STRICT, WITHOUT ROWID;

  -- Functions that were mined and proposed. What became of one is its candidate's state.
  CREATE TABLE mined_program (
    candidateId TEXT PRIMARY KEY,
    projectId TEXT NOT NULL,
    skill TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    at INTEGER NOT NULL,
    -- JSON: its sequence of calls, when it is offered, threads that it was learnt from.
    facts TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX mined_program_listed ON mined_program (projectId, at);
  `,
  `
  -- An approval can reach as far as the mission that asked.
  CREATE TABLE approval_next (
    id TEXT PRIMARY KEY,
    threadId TEXT NOT NULL,
    projectId TEXT NOT NULL,
    step INTEGER NOT NULL,
    path TEXT NOT NULL,
    callId TEXT NOT NULL,
    action TEXT NOT NULL,
    hash TEXT NOT NULL,
    summary TEXT NOT NULL,
    effects TEXT NOT NULL,
    reason TEXT NOT NULL,
    scopeKey TEXT,
    undo TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending','approved','denied','expired','cancelled')),
    scope TEXT CHECK (scope IN ('once','thread','mission','project','always')),
    decisionReason TEXT,
    requestedAt INTEGER NOT NULL,
    expiresAt INTEGER NOT NULL,
    decidedAt INTEGER,
    requestSeq INTEGER NOT NULL,
    decidedSeq INTEGER,
    UNIQUE (threadId, step, path)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO approval_next SELECT * FROM approval;
  DROP TABLE approval;
  ALTER TABLE approval_next RENAME TO approval;
  CREATE INDEX approval_pending ON approval (requestSeq) WHERE state = 'pending';
  CREATE INDEX approval_decided ON approval (decidedSeq) WHERE state <> 'pending';

  CREATE TABLE standing_grant_next (
    id TEXT PRIMARY KEY,
    scope TEXT NOT NULL CHECK (scope IN ('thread','mission','project','always')),
    action TEXT NOT NULL,
    scopeKey TEXT NOT NULL,
    threadId TEXT,
    projectId TEXT,
    missionId TEXT,
    approvalId TEXT,
    grantedAt INTEGER NOT NULL,
    revokedAt INTEGER
  ) STRICT, WITHOUT ROWID;
  INSERT INTO standing_grant_next
    SELECT id, scope, action, scopeKey, threadId, projectId, NULL, approvalId, grantedAt, revokedAt FROM standing_grant;
  DROP TABLE standing_grant;
  ALTER TABLE standing_grant_next RENAME TO standing_grant;
  CREATE INDEX standing_grant_live ON standing_grant (grantedAt) WHERE revokedAt IS NULL;
  `,
  `
  -- Which thread proposed a mission, and what it had read by then that was not from a person: a list of sources.
  CREATE TABLE mission_proposal (
    missionId TEXT PRIMARY KEY REFERENCES mission (id),
    threadId TEXT NOT NULL,
    sources TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX mission_proposed ON mission (createdAt, id) WHERE status = 'proposed';
  `,
  `
  -- When a person last did something is asked at each tick, where a mission waits for quiet.
  CREATE INDEX thread_active ON thread (updatedAt) WHERE parentId IS NULL;
  `,
]
