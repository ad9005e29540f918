import { describe, expect, test } from 'vitest'
import { restoredDraft } from '../../../../renderer/screens/missions/drafts.ts'
import { definitionOf, emptyDraft } from '../../../../renderer/screens/missions/editor-draft.ts'
import { differing } from '../../../../renderer/screens/missions/outdated-note.tsx'

describe('what was typed and not saved', () => {
  test('comes back as it was, with the version that it was begun on', () => {
    const draft = {
      ...emptyDraft(),
      ...{ name: 'digest', when: 'event', on: 'thread-done', only: '{"each":5}', everyUnit: 'seconds' },
    } as const
    expect(restoredDraft(JSON.stringify({ version: 3, draft }))).toEqual({ version: 3, draft })
    expect(restoredDraft(JSON.stringify({ version: null, draft }))?.version).toBeNull()
  })

  test.each([
    ['', 'no JSON'],
    ['{"version":1', 'half of it'],
    ['null', 'nothing'],
    ['[]', 'a list'],
    [JSON.stringify(emptyDraft()), 'without a version'],
    [JSON.stringify({ version: '1', draft: emptyDraft() }), 'a version that is no number'],
    [JSON.stringify({ version: 1, draft: 'digest' }), 'a draft that is none'],
  ])('is as if it were not there where it is none: %s (%s)', (text) => {
    expect(restoredDraft(text)).toBeNull()
  })

  const keptWith = (broken: object) => {
    const kept = restoredDraft(JSON.stringify({ version: 1, draft: { ...emptyDraft(), name: 'digest', ...broken } }))
    return kept?.draft ?? expect.fail('nothing was kept')
  }

  test.each([
    [{ when: 'fortnightly' }],
    [{ everyUnit: 'weeks' }],
    [{ on: 'full-moon' }],
    [{ missed: 'never' }],
    [{ overlap: 'pile' }],
    [{ tier: 'grand' }],
    [{ goal: 7 }],
  ])('is as in a new form where a field can be no such thing: %j', (broken) => {
    expect(keptWith(broken)).toEqual({ ...emptyDraft(), name: 'digest' })
  })

  test.each(['{"each":', '"each"', '[]'])('a filter that is none takes no form down: %s', (only) => {
    const draft = keptWith({ when: 'event', goal: 'Look.', only })
    expect(definitionOf(draft)).toMatchObject({ definition: { cadence: { kind: 'event', on: 'thread-done' } } })
    expect(draft.only).toBe('')
  })
})

test('two forms differ in fields that are named once, as the form names them', () => {
  const mine = { ...emptyDraft(), goal: 'Mine.', when: 'every', everyCount: '2', actions: 'read_file' } as const
  expect(differing(mine, emptyDraft())).toEqual(['goal', 'cadence', 'actions'])
  expect(differing(mine, mine)).toEqual([])
})
