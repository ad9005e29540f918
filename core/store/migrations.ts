/**
 * The schema, one entry a version; `PRAGMA user_version` is how many have run. An entry never changes once released: a new
 * column or table is a new entry. Every table is STRICT.
 */
export const migrations: readonly string[] = [
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
]
