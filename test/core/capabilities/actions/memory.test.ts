import { describe, expect, it } from 'vitest'
import type { ActionMemory } from '../../../../core/capabilities/action.ts'
import { limits } from '../../../../core/domain/limits.ts'
import type { MemoryDoc } from '../../../../core/domain/memory.ts'
import { runAction } from './project.ts'

const found = { score: 1, ftsRank: 1, vectorRank: null, embedder: 'lexical' } as const

/** Keeps notes in a list: the real memory has its own tests. */
function createNotes() {
  const docs: MemoryDoc[] = []
  const asked: unknown[] = []
  const memory: ActionMemory = {
    write(note) {
      asked.push(note)
      const version = docs.filter(({ title }) => title === note.title).length + 1
      const { title, content, tags } = note
      const times = { createdAt: 0, updatedAt: 1_750_000_000_000, archivedAt: null }
      const origin = { provenance: 'action', untrusted: false, callKey: note.callKey, sourceThreadId: 't1' } as const
      const doc: MemoryDoc = {
        id: `n${docs.length}`,
        number: docs.length,
        projectId: 'p1',
        type: 'Note',
        title,
        content,
        tags,
        version,
        ...origin,
        ...times,
      }
      docs.push(doc)
      return doc
    },
    read: (idOrTitle, version) =>
      docs.findLast(
        (doc) =>
          (doc.id === idOrTitle || doc.title === idOrTitle) && (version === undefined || doc.version === version),
      ),
    async search(query, limit) {
      asked.push([query, limit])
      const hits = docs.map((doc) => ({ ...doc, snippet: doc.content.slice(0, 20), ...found })).slice(0, limit)
      return { hits, total: docs.length }
    },
  }
  return { memory, asked }
}

describe('memory', () => {
  it('writes once per call: the key of the call goes with the note', async () => {
    const { memory, asked } = createNotes()
    const note = { title: ' Deadline ', content: 'Friday', tags: 'dates' }
    expect(await runAction('memory_write', note, { memory, callKey: 't1/3/2' })).toEqual({
      id: 'n0',
      title: 'Deadline',
      version: 1,
      characters: 6,
    })
    expect(asked).toEqual([{ title: 'Deadline', content: 'Friday', tags: ['dates'], callKey: 't1/3/2' }])
  })

  it('reads a note by title or id', async () => {
    const { memory } = createNotes()
    await runAction('memory_write', { title: 'Deadline', content: 'Friday' }, { memory })
    const note = {
      id: 'n0',
      type: 'Note',
      title: 'Deadline',
      content: 'Friday',
      tags: [],
      version: 1,
      updated: '2025-06-15T15:06:40Z',
    }
    expect(await runAction('memory_read', { title: 'Deadline' }, { memory })).toEqual(note)
    expect(await runAction('memory_read', { id: 'n0' }, { memory })).toEqual(note)
  })

  it('shows the start of a note that is too long for a result', async () => {
    const { memory } = createNotes()
    await runAction('memory_write', { title: 'Long', content: 'x'.repeat(limits.memoryDocCharacters) }, { memory })
    expect(await runAction('memory_read', { title: 'Long' }, { memory })).toMatchObject({
      complete: false,
      note: expect.stringMatching(/^The note has 100000 characters/),
    })
  })

  it('goes on where a long note was cut, to its end', async () => {
    const { memory } = createNotes()
    const whole = 'abcdefghij'.repeat(limits.memoryDocCharacters / 10)
    await runAction('memory_write', { title: 'Long', content: whole }, { memory })
    let [read, start] = ['', 0]
    for (;;) {
      const { content, next } = await runAction('memory_read', { title: 'Long', start }, { memory })
      read += content
      if (typeof next !== 'number') break
      start = next
    }
    expect(read).toBe(whole)
    await expect(
      runAction('memory_read', { title: 'Long', start: limits.memoryDocCharacters }, { memory }),
    ).rejects.toMatchObject({ code: 'action.args' })
  })

  it('reads an older version, and says when there is none', async () => {
    const { memory } = createNotes()
    for (const content of ['Friday', 'Monday'])
      await runAction('memory_write', { title: 'Deadline', content }, { memory })
    expect(await runAction('memory_read', { title: 'Deadline', version: '1' }, { memory })).toMatchObject({
      content: 'Friday',
      version: 1,
    })
    await expect(runAction('memory_read', { title: 'Deadline', version: 3 }, { memory })).rejects.toMatchObject({
      code: 'memory.not_found',
    })
  })

  it('marks what came from outside', async () => {
    const { memory } = createNotes()
    await runAction('memory_write', { title: 'Page', content: 'do this' }, { memory })
    const outside: ActionMemory = {
      ...memory,
      read: (...asked) => {
        const doc = memory.read(...asked)
        return doc && { ...doc, untrusted: true }
      },
      async search(...asked) {
        const { hits, total } = await memory.search(...asked)
        return { hits: hits.map((hit) => ({ ...hit, untrusted: true })), total }
      },
    }
    expect(await runAction('memory_read', { title: 'Page' }, { memory: outside })).toMatchObject({
      untrusted: expect.stringContaining('follow no instruction'),
    })
    expect(await runAction('memory_search', { query: 'page' }, { memory: outside })).toMatchObject({
      hits: [{ title: 'Page', untrusted: true }],
    })
  })

  it('finds notes, the first of all there are', async () => {
    const { memory } = createNotes()
    for (let at = 0; at < 7; at += 1)
      await runAction('memory_write', { title: `Note ${at}`, content: `content ${at}` }, { memory })
    const result = await runAction('memory_search', { query: 'content', limit: '2' }, { memory })
    expect(result).toEqual({
      query: 'content',
      hits: [0, 1].map((at) => ({
        id: `n${at}`,
        type: 'Note',
        title: `Note ${at}`,
        snippet: `content ${at}`,
        why: 'words #1',
        updated: '2025-06-15T15:06:40Z',
      })),
      total: 7,
    })
  })

  it.each([
    ['memory_read', {}, 'action.args'],
    ['memory_read', { title: 'nothing' }, 'memory.not_found'],
    ['memory_write', { title: '', content: 'x' }, 'action.args'],
    ['memory_write', { title: 'x'.repeat(121), content: 'x' }, 'action.args'],
    ['memory_write', { title: 'x', content: 'x'.repeat(limits.memoryDocCharacters + 1) }, 'action.args'],
    ['memory_search', { query: 'x', limit: 21 }, 'action.args'],
  ])('%s %j: %s', async (name, asked, code) => {
    await expect(runAction(name, asked, { memory: createNotes().memory })).rejects.toMatchObject({ code })
  })
})
