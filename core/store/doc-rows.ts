import { z } from 'zod'
import { AppError } from '../domain/error.ts'
import type { DocType, MemoryDoc, MemoryHit } from '../domain/memory.ts'
import type { Connection } from './connection.ts'

interface DocRow extends Omit<MemoryDoc, 'tags'> {
  readonly tags: string
}
const tagList = z.array(z.string())

const newest = `SELECT doc.id, doc.projectId, doc.type, doc.title, v.content, v.tags, doc.version, v.sourceThreadId,
  doc.createdAt, doc.updatedAt FROM doc JOIN doc_version AS v ON v.docId = doc.id AND v.version = doc.version`

export interface DocVersion {
  readonly docId: string
  readonly version: number
  readonly content: string
  readonly tags: readonly string[]
  readonly sourceThreadId: string | null
  readonly callKey: string | null
  readonly createdAt: number
}

/** Docs, their versions and the full-text index. Writes must run in a transaction. */
export function createDocRows(connection: Connection) {
  const insert = connection.prepare(
    'INSERT INTO doc (id, projectId, type, title, version, createdAt, updatedAt) VALUES (?, ?, ?, ?, 1, ?, ?)',
  )
  const bump = connection.prepare('UPDATE doc SET version = ?, updatedAt = ? WHERE id = ?')
  const insertVersion = connection.prepare(
    `INSERT INTO doc_version (docId, version, content, tags, sourceThreadId, callKey, createdAt)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )
  const byId = connection.prepare<DocRow>(`${newest} WHERE doc.id = ? AND doc.projectId = ?`)
  const byTitle = connection.prepare<DocRow>(`${newest} WHERE doc.projectId = ? AND doc.type = ? AND doc.title = ?`)
  const byCallKey = connection.prepare<{ docId: string }>('SELECT docId FROM doc_version WHERE callKey = ?')
  const place = connection.prepare<{ number: number; title: string }>('SELECT number, title FROM doc WHERE id = ?')
  const index = connection.prepare('INSERT OR REPLACE INTO doc_fts (rowid, title, content) VALUES (?, ?, ?)')
  const search = connection.prepare<Omit<MemoryHit, 'score'> & { distance: number }>(
    `SELECT doc.id, doc.type, doc.title, substr(snippet(doc_fts, 1, '', '', '…', 32), 1, 240) AS snippet,
       bm25(doc_fts, 4, 1) AS distance, doc.updatedAt
     FROM doc_fts CROSS JOIN doc ON doc.number = doc_fts.rowid
     WHERE doc_fts MATCH ? AND doc.projectId = ? ORDER BY distance LIMIT ?`,
  )
  const recent = connection.prepare<DocRow>(`${newest} WHERE doc.projectId = ? ORDER BY doc.updatedAt DESC LIMIT ?`)

  const toDoc = (row: DocRow | undefined): MemoryDoc | undefined => row && { ...row, tags: tagsOf(row.tags) }

  return {
    insert: (doc: { id: string; projectId: string; type: DocType; title: string; at: number }) =>
      insert.run(doc.id, doc.projectId, doc.type, doc.title, doc.at, doc.at),
    /** The doc's newest version from now on, and what searches find. */
    addVersion(version: DocVersion): void {
      const { docId, content, tags, sourceThreadId, callKey, createdAt } = version
      insertVersion.run(docId, version.version, content, JSON.stringify(tags), sourceThreadId, callKey, createdAt)
      bump.run(version.version, createdAt, docId)
      const { number, title } = one(place.get(docId), docId)
      index.run(number, title, content)
    },
    get: (id: string, projectId: string) => toDoc(byId.get(id, projectId)),
    byTitle: (projectId: string, type: DocType, title: string) => toDoc(byTitle.get(projectId, type, title)),
    docOfCall: (callKey: string): string | undefined => byCallKey.get(callKey)?.docId,
    /** `match` is an FTS5 expression. Best first; a higher score is better. */
    search: (match: string, projectId: string, max: number): readonly MemoryHit[] =>
      search.all(match, projectId, max).map(({ distance, ...hit }) => ({ ...hit, score: -distance })),
    recent: (projectId: string, max: number): readonly MemoryDoc[] =>
      recent.all(projectId, max).flatMap((row) => toDoc(row) ?? []),
  }
}

/** Tags that cannot be read hide neither their doc nor themselves. */
function tagsOf(text: string): readonly string[] {
  try {
    return tagList.parse(JSON.parse(text))
  } catch {
    return ['unreadable']
  }
}

function one<Row>(row: Row | undefined, docId: string): Row {
  if (row !== undefined) return row
  throw new AppError('memory.not_found', { message: `no doc ${docId}`, userMessage: 'There is no such note.' })
}
