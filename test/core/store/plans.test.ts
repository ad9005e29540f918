import { expect, test } from 'vitest'
import { folderWith, runGoal, startEngine } from '../../support/engine.ts'

/** Small by nature: one row a project, a setting, a skill or a version of the loop. */
const smallTables = ['project', 'setting', 'skill', 'orchestrator_version']
/** Of what a person has not decided yet, of what still stands, and of firings that have not ended: rows leave them. */
const smallIndexes = [
  'approval_pending',
  'skill_candidate_pending',
  'learnt_pending',
  'standing_grant_live',
  'firing_queued',
  'firing_running',
]
/** Recursive walks over indexed steps: a lease's ancestors, its descendants. */
const walks = ['chain', 'tree', 'below']

/** What a node of a plan reads row by row, and how: `SCAN event USING INDEX event_thread`. */
const scan = /^SCAN (?<table>\w+)(?: (?<how>.*))?$/
/** Full-text rows by the words asked for or by their number; any other way reads the whole table. */
const fullTextLookup = /^VIRTUAL TABLE INDEX \d+:(M\d|=)/

/** Why a statement may read more and more rows as its table grows; undefined when its plan is bounded. */
function growth(sql: string, plan: readonly string[]): string | undefined {
  for (const line of plan) {
    const { table = '', how = '' } = scan.exec(line)?.groups ?? {}
    if (table === '' || table === 'CONSTANT' || smallTables.includes(table)) continue
    // A subquery that is one row by its aggregates.
    if (table === 't' && sql.includes(') AS t')) continue
    if (fullTextLookup.test(how) || walks.includes(table)) continue
    if (smallIndexes.some((index) => how.endsWith(`INDEX ${index}`))) continue
    // A page: read in the order of its index until it is full, so nothing is left to be sorted.
    const isPage =
      how.startsWith('USING') && /LIMIT \?\s*$/.test(sql) && !plan.some((each) => each.includes('TEMP B-TREE'))
    if (!isPage) return line
  }
  return undefined
}

test.each([
  ['a table', 'SELECT * FROM event WHERE data = ?'],
  ['an index', 'SELECT count(*) FROM event'],
  ['an index, sorted', 'SELECT id FROM thread ORDER BY title LIMIT ?'],
  ['the full text by a column', 'DELETE FROM doc_fts WHERE title = ?'],
  ['the full text', 'SELECT count(*) FROM doc_fts'],
])('a statement that scans %s is seen', async (_name, sql) => {
  const { store } = await startEngine()
  expect(growth(sql, store.explain(sql))).toContain('SCAN')
})

test('no statement of the main connection scans a growing table (RULES 27)', async () => {
  const engine = await startEngine()
  const folder = folderWith({ 'a.txt': 'x' })
  const thread = await runGoal(engine, folder, 'what is in this folder?')
  await runGoal(engine, folder, 'remember that the tide gauge was moved')
  await runGoal(engine, folder, 'what do you remember about the tide gauge?')
  const { projectId, id } = thread
  const filters = [{}, { projectId }, { state: 'Done' }, { conversations: true }, { projectId, state: 'Done' }] as const
  for (const filter of filters) {
    await engine.api.call('thread.list', filter)
    await engine.api.call('thread.list', { ...filter, query: 'folder' })
  }
  await engine.api.call('doc.search', { projectId, query: 'tide gauge' })
  const docs = await engine.api.call('doc.list', { projectId, type: 'Note', query: 'tide' })
  expect(docs.rows.length).toBeGreaterThan(0)
  await engine.api.call('chat.messages', { conversationId: thread.conversationId })
  await engine.api.call('thread.events', { id })
  await engine.api.call('thread.conversation', { conversationId: thread.conversationId })

  const statements = engine.store.statementTimes().filter(({ sql }) => !/^(BEGIN|COMMIT|ROLLBACK)/.test(sql))
  const seen = statements.map(({ sql }) => sql)
  expect(seen.length).toBeGreaterThan(30)
  expect(seen.filter((sql) => sql.includes('title LIKE'))).toHaveLength(filters.length)
  const growing = seen.flatMap((sql) => {
    const why = growth(sql, engine.store.explain(sql))
    return why === undefined ? [] : [`${why} | ${sql.replace(/\s+/g, ' ')}`]
  })
  expect(growing).toEqual([])
})
