import { z } from 'zod'
import { AppError } from '../domain/error.ts'
import type { DocHeader, DocProvenance, DocType, DocVersionHeader, MemoryDoc } from '../domain/memory.ts'
import type { Connection } from './connection.ts'

type Stored<Doc> = Omit<Doc, 'tags' | 'untrusted'> & { readonly untrusted: number }
type DocRow = Stored<MemoryDoc> & { readonly tags: string }
type HeaderRow = Stored<DocHeader> & { readonly tags: string }
const tagList = z.array(z.string())

const header = `doc.id, doc.number, doc.projectId, doc.type, doc.title, v.tags, v.version, v.provenance, v.untrusted,
  v.sourceThreadId, v.callKey, doc.createdAt, v.createdAt AS updatedAt, doc.archivedAt`
const newest = 'FROM doc JOIN doc_version AS v ON v.docId = doc.id AND v.version = doc.version'

export interface DocVersion {
  readonly docId: string
  readonly version: number
  readonly content: string
  readonly tags: readonly string[]
  readonly sourceThreadId: string | null
  readonly callKey: string | null
  readonly createdAt: number
  /** Default: an action wrote it, of its own words. */
  readonly provenance?: DocProvenance
  readonly untrusted?: boolean | undefined
}

export interface DocFilter {
  readonly projectId: string
  readonly type?: DocType | undefined
  /** A part of the title. */
  readonly query?: string | undefined
  readonly archived: boolean
  /** Docs with a smaller number. */
  readonly before?: number | undefined
  readonly limit: number
}

/** Docs, their versions and what the full-text index holds of them. Writes must run in a transaction. */
export function createDocRows(connection: Connection) {
  const insert = connection.prepare(
    'INSERT INTO doc (id, projectId, type, title, version, createdAt, updatedAt) VALUES (?, ?, ?, ?, 1, ?, ?)',
  )
  const bump = connection.prepare('UPDATE doc SET version = ?, updatedAt = ?, archivedAt = NULL WHERE id = ?')
  const rename = connection.prepare('UPDATE doc SET type = ?, title = ? WHERE id = ?')
  const archive = connection.prepare('UPDATE doc SET archivedAt = ? WHERE id = ?')
  const insertVersion = connection.prepare(
    `INSERT INTO doc_version (docId, version, content, tags, sourceThreadId, callKey, createdAt, provenance, untrusted)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const byId = connection.prepare<DocRow>(`SELECT ${header}, v.content ${newest} WHERE doc.id = ?`)
  const byVersion = connection.prepare<DocRow>(
    `SELECT ${header}, v.content FROM doc JOIN doc_version AS v ON v.docId = doc.id WHERE doc.id = ? AND v.version = ?`,
  )
  const byTitle = connection.prepare<DocRow>(
    `SELECT ${header}, v.content ${newest} WHERE doc.projectId = ? AND doc.type = ? AND doc.title = ?`,
  )
  const byCallKey = connection.prepare<{ docId: string }>('SELECT docId FROM doc_version WHERE callKey = ?')
  const versions = connection.prepare<Omit<DocVersionHeader, 'untrusted'> & { untrusted: number }>(
    `SELECT version, provenance, untrusted, sourceThreadId, callKey, length(content) AS characters, createdAt
     FROM doc_version WHERE docId = ? ORDER BY version DESC LIMIT 200`,
  )
  const place = connection.prepare<{ number: number; title: string }>('SELECT number, title FROM doc WHERE id = ?')
  const index = connection.prepare('INSERT OR REPLACE INTO doc_fts (rowid, title, content) VALUES (?, ?, ?)')
  const recent = connection.prepare<DocRow>(
    `SELECT ${header}, v.content ${newest}
     WHERE doc.projectId = ? AND doc.archivedAt IS NULL ORDER BY doc.updatedAt DESC LIMIT ?`,
  )
  const list = connection.prepare<HeaderRow>(
    `SELECT ${header} ${newest}
     WHERE doc.projectId = ? AND doc.number < ? AND (? IS NULL OR doc.type = ?)
       AND (? IS NULL OR instr(lower(doc.title), lower(?)) > 0) AND (doc.archivedAt IS NOT NULL) = ?
     ORDER BY doc.number DESC LIMIT ?`,
  )

  return {
    insert: (doc: { id: string; projectId: string; type: DocType; title: string; at: number }) =>
      insert.run(doc.id, doc.projectId, doc.type, doc.title, doc.at, doc.at),
    /** The doc's newest version from now on, and what searches find. An archived doc is in use again. */
    addVersion(version: DocVersion): void {
      const { docId, content, sourceThreadId, callKey, createdAt } = version
      const provenance = version.provenance ?? 'action'
      const tags = JSON.stringify(version.tags)
      const untrusted = version.untrusted ? 1 : 0
      const row = [docId, version.version, content, tags, sourceThreadId, callKey, createdAt, provenance, untrusted]
      insertVersion.run(...row)
      bump.run(version.version, createdAt, docId)
      const { number, title } = one(place.get(docId), docId)
      index.run(number, title, content)
    },
    /** Before `addVersion`, which brings the new title into the index. */
    rename: (id: string, type: DocType, title: string) => rename.run(type, title, id),
    archive: (id: string, at: number | null) => archive.run(at, id),
    /** The newest version, archived or not. */
    get: (id: string, version?: number) => toDoc(version === undefined ? byId.get(id) : byVersion.get(id, version)),
    byTitle: (projectId: string, type: DocType, title: string) => toDoc(byTitle.get(projectId, type, title)),
    docOfCall: (callKey: string): string | undefined => byCallKey.get(callKey)?.docId,
    /** Newest first, at most 200. */
    versions: (id: string): readonly DocVersionHeader[] =>
      versions.all(id).map((row) => ({ ...row, untrusted: row.untrusted === 1 })),
    recent: (projectId: string, max: number): readonly MemoryDoc[] =>
      recent.all(projectId, max).flatMap((row) => toDoc(row) ?? []),
    /** By number, the highest first. */
    list({ projectId, type: wanted, query, archived, before, limit }: DocFilter): readonly DocHeader[] {
      const type = wanted ?? null
      const part = query === undefined || query === '' ? null : query
      const from = before ?? Number.MAX_SAFE_INTEGER
      const rows = list.all(projectId, from, type, type, part, part, archived ? 1 : 0, limit)
      return rows.map((row) => ({ ...row, tags: tagsOf(row.tags), untrusted: row.untrusted === 1 }))
    },
  }
}

function toDoc(row: DocRow | undefined): MemoryDoc | undefined {
  return row && { ...row, tags: tagsOf(row.tags), untrusted: row.untrusted === 1 }
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
