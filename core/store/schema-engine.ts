/** Projects, threads, the log, models, memory, approvals and skills: the first entries of the schema. */
export const engineSchema: readonly string[] = [
  `
  CREATE TABLE project (
    id TEXT PRIMARY KEY,
    folder TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    createdAt INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE thread (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    projectId TEXT NOT NULL REFERENCES project (id),
    conversationId TEXT NOT NULL,
    title TEXT NOT NULL,
    goal TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('Created','Running','Waiting','Suspended','Completed','Done','Failed')),
    outcome TEXT CHECK (outcome IN ('answered','stopped','budget','maxSteps','failed','denied','interrupted')),
    reason TEXT,
    tier TEXT NOT NULL CHECK (tier IN ('minuet','allegro','forte')),
    model TEXT,
    maxSteps INTEGER,
    indexedSeq INTEGER NOT NULL DEFAULT 0,
    isNewest INTEGER NOT NULL CHECK (isNewest IN (0, 1)),
    steps INTEGER NOT NULL DEFAULT 0,
    inputTokens INTEGER NOT NULL DEFAULT 0,
    outputTokens INTEGER NOT NULL DEFAULT 0,
    createdAt INTEGER NOT NULL,
    updatedAt INTEGER NOT NULL,
    endedAt INTEGER
  ) STRICT;
  CREATE INDEX thread_conversation ON thread (conversationId, number);
  CREATE INDEX thread_newest ON thread (number) WHERE isNewest = 1;
  CREATE INDEX thread_project ON thread (projectId, number);
  CREATE INDEX thread_state ON thread (state, number);

  -- One ascending number for the whole store. A body over 4 kB lies in blob, once for each content.
  CREATE TABLE event (
    seq INTEGER PRIMARY KEY,
    threadId TEXT NOT NULL,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    data TEXT NOT NULL,
    body TEXT,
    bodyHash TEXT,
    bodyBytes INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX event_thread ON event (threadId, seq);
  CREATE INDEX event_message ON event (threadId, seq) WHERE kind = 'message.added';

  CREATE TABLE blob (
    sha256 TEXT PRIMARY KEY,
    content TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- One row per model call (path '0') and per action call of a step: an index folded from the log (core/domain/calls.ts),
  -- written in batches. thread.indexedSeq says up to which event it reaches.
  CREATE TABLE call (
    threadId TEXT NOT NULL,
    step INTEGER NOT NULL,
    path TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('model','action')),
    name TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('started','done','failed','refused','interrupted','cancelled')),
    summary TEXT NOT NULL,
    startedAt INTEGER NOT NULL,
    firstTokenAt INTEGER,
    endedAt INTEGER,
    inputTokens INTEGER NOT NULL,
    outputTokens INTEGER NOT NULL,
    startSeq INTEGER NOT NULL,
    endSeq INTEGER,
    PRIMARY KEY (threadId, step, path)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE lease (
    id TEXT PRIMARY KEY,
    threadId TEXT NOT NULL,
    actions TEXT NOT NULL,
    grantedAt INTEGER NOT NULL,
    expiresAt INTEGER,
    usesLeft INTEGER,
    revokedAt INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX lease_thread ON lease (threadId);

  -- number is the row of doc_fts: a full-text row can only be replaced by its number.
  CREATE TABLE doc (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    projectId TEXT NOT NULL REFERENCES project (id),
    type TEXT NOT NULL CHECK (type IN ('Summary','Lesson','Skill','Issue','Spec','Note')),
    title TEXT NOT NULL,
    version INTEGER NOT NULL,
    createdAt INTEGER NOT NULL,
    updatedAt INTEGER NOT NULL,
    UNIQUE (projectId, type, title)
  ) STRICT;
  CREATE INDEX doc_recent ON doc (projectId, updatedAt);

  -- A version never changes. callKey makes a recovered write happen once.
  CREATE TABLE doc_version (
    docId TEXT NOT NULL REFERENCES doc (id),
    version INTEGER NOT NULL,
    content TEXT NOT NULL,
    tags TEXT NOT NULL,
    sourceThreadId TEXT,
    callKey TEXT UNIQUE,
    createdAt INTEGER NOT NULL,
    PRIMARY KEY (docId, version)
  ) STRICT, WITHOUT ROWID;

  CREATE VIRTUAL TABLE doc_fts USING fts5 (title, content, tokenize = 'porter unicode61');

  CREATE TABLE setting (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  ALTER TABLE project ADD COLUMN goals TEXT NOT NULL DEFAULT '[]';
  ALTER TABLE project ADD COLUMN dayTokens INTEGER;
  ALTER TABLE project ADD COLUMN dayUsd REAL;
  -- Which stretches of 128 numbers hold events of a thread: a page of it reads those and nothing else. An index with an entry
  -- for each event would be one more page to write in every transaction.
  CREATE TABLE event_stretch (
    threadId TEXT NOT NULL,
    stretch INTEGER NOT NULL,
    PRIMARY KEY (threadId, stretch)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO event_stretch SELECT DISTINCT threadId, seq >> 7 FROM event;
  DROP INDEX event_thread;

  ALTER TABLE thread ADD COLUMN parentId TEXT;
  ALTER TABLE thread ADD COLUMN rootId TEXT NOT NULL DEFAULT '';
  ALTER TABLE thread ADD COLUMN depth INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE thread ADD COLUMN maxTokens INTEGER;
  ALTER TABLE thread ADD COLUMN maxUsd REAL;
  ALTER TABLE thread ADD COLUMN maxMs INTEGER;
  ALTER TABLE thread ADD COLUMN usd REAL NOT NULL DEFAULT 0;
  UPDATE thread SET rootId = id;
  CREATE INDEX thread_root ON thread (rootId, number);
  CREATE INDEX thread_parent ON thread (parentId, number) WHERE parentId IS NOT NULL;

  -- An index of the log: it is folded anew, with the kinds and states that there are now.
  DROP TABLE call;
  UPDATE thread SET indexedSeq = 0;
  CREATE TABLE call (
    threadId TEXT NOT NULL,
    step INTEGER NOT NULL,
    path TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('model','action','code','query','child')),
    name TEXT NOT NULL,
    state TEXT NOT NULL
      CHECK (state IN ('waiting','started','done','failed','refused','interrupted','cancelled')),
    summary TEXT NOT NULL,
    startedAt INTEGER NOT NULL,
    firstTokenAt INTEGER,
    endedAt INTEGER,
    inputTokens INTEGER NOT NULL,
    outputTokens INTEGER NOT NULL,
    usd REAL,
    childId TEXT,
    startSeq INTEGER NOT NULL,
    endSeq INTEGER,
    PRIMARY KEY (threadId, step, path)
  ) STRICT, WITHOUT ROWID;
  -- What was used since a moment, read from the index alone.
  CREATE INDEX call_used ON call (startedAt, threadId, inputTokens, outputTokens, usd) WHERE kind IN ('model','query');

  ALTER TABLE lease ADD COLUMN capability TEXT NOT NULL DEFAULT 'all';
  ALTER TABLE lease ADD COLUMN effects TEXT NOT NULL DEFAULT '[]';
  ALTER TABLE lease ADD COLUMN argsHash TEXT;
  ALTER TABLE lease ADD COLUMN parentLeaseId TEXT;
  CREATE INDEX lease_parent ON lease (parentLeaseId) WHERE parentLeaseId IS NOT NULL;
  -- What threads of the version before may still do: read and compute.
  UPDATE lease SET effects = '["ReadLocal","Compute","WriteLocal"]';

  -- What waits for a person, and what was decided. Arguments and change stand in the event requestSeq.
  CREATE TABLE approval (
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
    scope TEXT CHECK (scope IN ('once','thread','project','always')),
    decisionReason TEXT,
    requestedAt INTEGER NOT NULL,
    expiresAt INTEGER NOT NULL,
    decidedAt INTEGER,
    requestSeq INTEGER NOT NULL,
    decidedSeq INTEGER,
    UNIQUE (threadId, step, path)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX approval_pending ON approval (requestSeq) WHERE state = 'pending';
  CREATE INDEX approval_decided ON approval (decidedSeq) WHERE state <> 'pending';

  CREATE TABLE standing_grant (
    id TEXT PRIMARY KEY,
    scope TEXT NOT NULL CHECK (scope IN ('thread','project','always')),
    action TEXT NOT NULL,
    scopeKey TEXT NOT NULL,
    threadId TEXT,
    projectId TEXT,
    approvalId TEXT,
    grantedAt INTEGER NOT NULL,
    revokedAt INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX standing_grant_live ON standing_grant (grantedAt) WHERE revokedAt IS NULL;

  -- Suspended code: the newest bytes of each, gone with the result. Source: RULES 8.
  CREATE TABLE code_vm (
    threadId TEXT NOT NULL,
    step INTEGER NOT NULL,
    path TEXT NOT NULL,
    nextCall INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    sha256 TEXT NOT NULL,
    montyVersion TEXT NOT NULL,
    remainingMs REAL NOT NULL,
    output TEXT NOT NULL,
    PRIMARY KEY (threadId, step, path)
  ) STRICT;

  -- What was overwritten, moved or deleted. The files lie in the data folder's trash/.
  CREATE TABLE trash (
    id TEXT PRIMARY KEY,
    callKey TEXT NOT NULL UNIQUE,
    threadId TEXT NOT NULL,
    projectId TEXT NOT NULL,
    step INTEGER NOT NULL,
    path TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('overwritten','created','moved','deleted')),
    file TEXT NOT NULL,
    movedTo TEXT,
    kept TEXT,
    bytes INTEGER NOT NULL,
    -- Of what the action left; of a deletion, of what it took.
    sha256 TEXT NOT NULL,
    at INTEGER NOT NULL,
    restoredAt INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX trash_thread ON trash (threadId, at);
  CREATE INDEX trash_recent ON trash (at);

  -- Who wrote a version, and whether its text came from outside. Before this, only actions wrote.
  ALTER TABLE doc_version ADD COLUMN provenance TEXT NOT NULL DEFAULT 'action'
    CHECK (provenance IN ('user','action','mission','analysis','import'));
  ALTER TABLE doc_version ADD COLUMN untrusted INTEGER NOT NULL DEFAULT 0 CHECK (untrusted IN (0, 1));
  -- Taken out of sight by a person; the doc and its versions stay.
  ALTER TABLE doc ADD COLUMN archivedAt INTEGER;
  -- Ends in the doc's number: a project is walked page by page.
  CREATE INDEX doc_project ON doc (projectId);

  -- A unit vector for the newest version of a doc; model says which embedder made it.
  CREATE TABLE doc_vector (
    docId TEXT PRIMARY KEY REFERENCES doc (id),
    projectId TEXT NOT NULL,
    version INTEGER NOT NULL,
    model TEXT NOT NULL,
    vector BLOB NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- The step loop as data. Version 0 is the bundled one and has no row.
  CREATE TABLE orchestrator_version (
    version INTEGER PRIMARY KEY,
    parent INTEGER NOT NULL,
    code TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    reason TEXT NOT NULL,
    source TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('candidate','active','retired','failed')),
    failures INTEGER NOT NULL DEFAULT 0,
    dryRun TEXT NOT NULL,
    createdAt INTEGER NOT NULL,
    decidedAt INTEGER
  ) STRICT;
  `,
  `
  -- A person answers for what lies in the folder.
  ALTER TABLE project ADD COLUMN trusted INTEGER NOT NULL DEFAULT 0 CHECK (trusted IN (0, 1));
  `,
  `
  -- One name in one place: a project, or everywhere (null). live: the version in use; null for none.
  CREATE TABLE skill (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    projectId TEXT REFERENCES project (id),
    state TEXT NOT NULL CHECK (state IN ('active','suspended','quarantined','gone')),
    live INTEGER,
    -- The version that was last read from a file or a manifest.
    imported INTEGER,
    createdAt INTEGER NOT NULL,
    -- Tallies over all versions, as far as a use counts.
    uses INTEGER NOT NULL DEFAULT 0,
    successes INTEGER NOT NULL DEFAULT 0,
    lastUsedAt INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX skill_name ON skill (name, ifnull(projectId, ''));

  -- A version never changes, but for its tallies and the note that it was taken back. candidateId: the decision that made it;
  -- null for a file of a place that a person chose, and for a person's own edit. content comes last: it may be large.
  CREATE TABLE skill_version (
    skillId TEXT NOT NULL REFERENCES skill (id),
    version INTEGER NOT NULL,
    parent INTEGER,
    sha256 TEXT NOT NULL,
    source TEXT NOT NULL CHECK (source IN ('authored','extracted','imported','migrated')),
    trust TEXT NOT NULL CHECK (trust IN ('trusted','installed')),
    place TEXT NOT NULL,
    file TEXT,
    folder TEXT,
    reason TEXT NOT NULL,
    threadId TEXT,
    candidateId TEXT,
    createdAt INTEGER NOT NULL,
    uses INTEGER NOT NULL DEFAULT 0,
    successes INTEGER NOT NULL DEFAULT 0,
    cusum REAL NOT NULL DEFAULT 0,
    rolledBackAt INTEGER,
    rolledBackReason TEXT,
    rolledBackThreads TEXT,
    content TEXT NOT NULL,
    PRIMARY KEY (skillId, version)
  ) STRICT, WITHOUT ROWID;

  -- What one thread showed about one version; outcome null: it does not count.
  CREATE TABLE skill_use (
    skillId TEXT NOT NULL,
    version INTEGER NOT NULL,
    threadId TEXT NOT NULL,
    at INTEGER NOT NULL,
    how TEXT NOT NULL CHECK (how IN ('selected','loaded','called','run')),
    outcome TEXT CHECK (outcome IN ('success','failure')),
    reason TEXT NOT NULL,
    PRIMARY KEY (skillId, version, threadId)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX skill_use_recent ON skill_use (skillId, at);
  CREATE INDEX skill_use_thread ON skill_use (threadId);

  -- Inert until a decision. callKey makes a recovered proposal one.
  CREATE TABLE skill_candidate (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('new','update','rollback','global')),
    name TEXT NOT NULL,
    projectId TEXT,
    sha256 TEXT NOT NULL,
    targetId TEXT,
    targetVersion INTEGER,
    targetSha256 TEXT,
    source TEXT NOT NULL CHECK (source IN ('authored','extracted','imported','migrated')),
    trust TEXT NOT NULL CHECK (trust IN ('trusted','installed')),
    threadId TEXT,
    proposedBy TEXT NOT NULL,
    reason TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending','approved','rejected','quarantined','expired')),
    decisionReason TEXT,
    callKey TEXT UNIQUE,
    proposedAt INTEGER NOT NULL,
    expiresAt INTEGER NOT NULL,
    decidedAt INTEGER,
    version INTEGER,
    evidence TEXT NOT NULL,
    -- A folder below the data folder that holds its other files; null for SKILL.md alone.
    folder TEXT,
    content TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX skill_candidate_pending ON skill_candidate (proposedAt) WHERE state = 'pending';
  CREATE INDEX skill_candidate_decided ON skill_candidate (decidedAt) WHERE state <> 'pending';
  CREATE INDEX skill_candidate_bytes ON skill_candidate (sha256);
  `,
]
