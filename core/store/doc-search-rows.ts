import { type DocType, overlayTitle } from '../domain/memory.ts'
import type { Connection } from './connection.ts'

/** What both ways of searching may find: skills are chosen by their own selector, rules stand in every prompt, archived docs by nobody. */
const inUse = `doc.archivedAt IS NULL AND doc.type <> 'Skill' AND doc.title <> '${overlayTitle}'`
const snippetCharacters = 240

/** A doc of a project that can be searched, and the vector of its newest version where the embedder has made it. */
export interface DocVector {
  readonly number: number
  readonly id: string
  readonly version: number
  readonly vector: Uint8Array | null
}

/** What is shown of a doc that was found. */
export interface FoundDoc {
  readonly id: string
  readonly type: DocType
  readonly title: string
  readonly untrusted: boolean
  readonly updatedAt: number
}
type FoundRow = Omit<FoundDoc, 'untrusted'> & { readonly untrusted: number }

/** How docs are found: by their words and by their vectors. */
export function createDocSearchRows(connection: Connection) {
  const byWords = connection.prepare<{ id: string; distance: number }>(
    `SELECT doc.id, bm25(doc_fts, 4, 1) AS distance FROM doc_fts CROSS JOIN doc ON doc.number = doc_fts.rowid
     WHERE doc_fts MATCH ? AND doc.projectId = ? AND ${inUse} ORDER BY distance LIMIT ?`,
  )
  const found = connection.prepare<FoundRow>(
    `SELECT doc.id, doc.type, doc.title, v.untrusted, doc.updatedAt
     FROM doc JOIN doc_version AS v ON v.docId = doc.id AND v.version = doc.version WHERE doc.id = ?`,
  )
  const around = connection.prepare<{ text: string }>(
    `SELECT substr(snippet(doc_fts, 1, '', '', '…', 32), 1, ${snippetCharacters}) AS text FROM doc_fts
     WHERE doc_fts MATCH ? AND rowid = (SELECT number FROM doc WHERE id = ?)`,
  )
  const start = connection.prepare<{ text: string }>(
    `SELECT substr(v.content, 1, ${snippetCharacters}) AS text
     FROM doc JOIN doc_version AS v ON v.docId = doc.id AND v.version = doc.version WHERE doc.id = ?`,
  )
  const vectors = connection.prepare<DocVector>(
    `SELECT doc.number, doc.id, doc.version, v.vector
     FROM doc LEFT JOIN doc_vector AS v ON v.docId = doc.id AND v.version = doc.version AND v.model = ?
     WHERE doc.projectId = ? AND doc.number > ? AND ${inUse} ORDER BY doc.number LIMIT ?`,
  )
  // Of the newest version only: a slow embedder may answer when there is a newer one.
  const keep = connection.prepare(
    `INSERT OR REPLACE INTO doc_vector (docId, projectId, version, model, vector)
     SELECT id, projectId, version, ?, ? FROM doc WHERE id = ? AND version = ?`,
  )
  return {
    /** `match` is an FTS5 expression. Best first; a lower distance is better. */
    byWords: (match: string, projectId: string, max: number) => byWords.all(match, projectId, max),
    found(id: string): FoundDoc | undefined {
      const row = found.get(id)
      return row && { ...row, untrusted: row.untrusted === 1 }
    },
    /** The text around the words of `match`, or the doc's start where it has none of them. */
    snippet: (id: string, match: string | undefined): string =>
      (match === undefined ? undefined : around.get(match, id))?.text ?? start.get(id)?.text ?? '',
    /** In the order of their numbers. */
    vectors: (model: string, projectId: string, after: number, max: number): readonly DocVector[] =>
      vectors.all(model, projectId, after, max),
    /** In a transaction. False where the doc has another version by now. */
    keepVector: (
      model: string,
      vector: Float32Array,
      doc: { readonly id: string; readonly version: number },
    ): boolean =>
      keep.run(model, new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength), doc.id, doc.version) > 0,
  }
}
