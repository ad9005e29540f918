import { describe, expect, test } from 'vitest'
import { limits } from '../../../core/domain/limits.ts'
import { provenanceOf } from '../../../core/domain/provenance.ts'
import { type Source, sourceOf, sourcesText, withSources } from '../../../core/domain/source.ts'

const web = sourceOf('web', 'example.com')
const file = sourceOf('file', 'notes.md', true)

describe('a source', () => {
  test('is safe to show and bounded', () => {
    expect(sourceOf('file', 'a\u202eb\n c').name).toBe('a⟦U+202E⟧b c')
    expect(sourceOf('web', 'x'.repeat(limits.sourceCharacters)).name).toHaveLength(limits.sourceCharacters)
    expect(sourceOf('web', 'x'.repeat(limits.sourceCharacters + 1)).name.endsWith('…')).toBe(true)
  })

  test('is kept once; one too many of the project never hides one from outside', () => {
    expect(withSources([web], [web, file])).toEqual([web, file])
    const many = Array.from({ length: limits.threadSources }, (_each, n): Source => sourceOf('file', `${n}.md`, true))
    const kept = withSources(many, [web])
    expect(kept).toHaveLength(limits.threadSources)
    expect(kept).toContainEqual(web)
  })

  test('reads as words', () => {
    expect(sourcesText([file, web])).toBe('notes.md and example.com')
    expect(sourcesText([file, web, sourceOf('memory', 'Habits'), sourceOf('shell', 'npm test')])).toBe(
      'notes.md, example.com, the note “Habits” and 1 more',
    )
  })
})

test('every message and every result says whose words it holds', () => {
  const message = { preview: '' }
  expect(provenanceOf({ kind: 'message.added', data: { ...message, role: 'user' } })).toEqual({ by: 'user' })
  expect(provenanceOf({ kind: 'message.added', data: { ...message, role: 'user', origin: 'nudge' } })).toEqual({
    by: 'system',
  })
  expect(provenanceOf({ kind: 'message.added', data: { ...message, role: 'user', sources: [web] } })).toEqual({
    ...{ by: 'model', sources: [web] },
  })
  const done = { step: 0, path: '1', callId: 'c', name: 'read_file', ok: true, durationMs: 1, summary: '' }
  expect(provenanceOf({ kind: 'action.finished', data: { ...done, source: file } })).toEqual({
    by: 'action',
    sources: [file],
  })
  expect(provenanceOf({ kind: 'status', data: { text: 'x' } })).toBeNull()
})
