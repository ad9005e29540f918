import { describe, expect, test } from 'vitest'
import { limits } from '../../../../core/domain/limits.ts'
import type { MemoryHit } from '../../../../core/domain/memory.ts'
import { problemsOf } from '../../../../renderer/screens/memory/save-doc.ts'
import { tagsOf, whyText } from '../../../../renderer/screens/memory/words.ts'

const hit: MemoryHit = {
  ...{ id: 'd1', type: 'Note', title: 'T', snippet: 's', untrusted: false, updatedAt: 1, score: 0.03 },
  ...{ ftsRank: 1, vectorRank: 3, embedder: 'lexical' },
}

describe('why a doc was found', () => {
  test('by words and by its vector, which is called lexical where it is', () => {
    expect(whyText(hit)).toBe('words 1st, lexical 3rd')
  })
  test('by one of them alone', () => {
    expect(whyText({ ...hit, vectorRank: null })).toBe('words 1st')
    expect(whyText({ ...hit, ftsRank: null, vectorRank: 22 })).toBe('none of the words, lexical 22nd')
  })
  test('by a provider’s model, which is named', () => {
    expect(whyText({ ...hit, embedder: 'embed-small', vectorRank: 12 })).toBe(
      'words 1st, meaning, by embed-small, 12th',
    )
  })
})

test('tags are what stands between commas, once each', () => {
  expect(tagsOf(' flags, docs ,, flags')).toEqual(['flags', 'docs'])
})

describe('what keeps a doc from being saved', () => {
  const draft = { type: 'Note', title: 'Flags', tags: '', content: 'text' } as const
  const named = (part: Partial<typeof draft> | { content: string }) =>
    Object.entries(problemsOf({ ...draft, ...part })).flatMap(([name, problem]) => (problem ? [name] : []))

  test('nothing, where it has a title and a text', () => {
    expect(named({})).toEqual([])
  })
  test('no title, no text, a text that is too long by one', () => {
    expect(named({ content: ' ' })).toEqual(['content'])
    expect(named({ content: 'x'.repeat(limits.memoryDocCharacters) })).toEqual([])
    expect(named({ content: 'x'.repeat(limits.memoryDocCharacters + 1) })).toEqual(['content'])
    expect(problemsOf({ ...draft, title: ' ' }).title).toBeDefined()
  })
  test('tags that are too many or too long', () => {
    const many = Array.from({ length: 21 }, (_, n) => `t${n}`).join(',')
    expect(problemsOf({ ...draft, tags: many }).tags).toBeDefined()
    expect(problemsOf({ ...draft, tags: 'x'.repeat(41) }).tags).toBeDefined()
  })
})
