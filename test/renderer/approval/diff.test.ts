import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { diffTexts, type TextDiff } from '../../../renderer/approval/diff.ts'
import { expectWithin } from '../../support/times.ts'

const lines = (diff: TextDiff) => diff.runs.flatMap((run) => run.lines)
const textOf = (line: { parts: readonly { text: string }[] }) => line.parts.map(({ text }) => text).join('')
/** As a person reads it: sign and text, marked words in brackets. */
const shown = (diff: TextDiff) =>
  lines(diff).map(({ kind, parts }) => {
    const sign = { same: ' ', add: '+', del: '-' }[kind]
    return `${sign}${parts.map(({ text, isMarked }) => (isMarked ? `[${text}]` : text)).join('')}`
  })

describe('a diff', () => {
  test('of a new file adds all, of a deleted one removes all', () => {
    expect(shown(diffTexts(null, 'a\nb\n'))).toEqual(['+a', '+b'])
    expect(diffTexts('a\nb\n', null)).toMatchObject({ added: 0, removed: 2 })
  })

  test('marks the words that changed in a line, and none where two lines have too little in common', () => {
    const before = 'Pass `--keep-last 7` to keep one week.\n'
    expect(shown(diffTexts(before, 'Pass `--retain 7` to keep one week.\n'))).toEqual([
      '-Pass `--[keep-last] 7` to keep one week.',
      '+Pass `--[retain] 7` to keep one week.',
    ])
    expect(shown(diffTexts(before, 'Nothing of it.\n'))).toEqual([`-${before.trim()}`, '+Nothing of it.'])
  })

  test('folds what is far from every change, and keeps three lines around one', () => {
    const text = Array.from({ length: 20 }, (_, n) => `line ${n + 1}`)
    const changed = text.with(9, 'LINE')
    const { runs } = diffTexts(`${text.join('\n')}\n`, `${changed.join('\n')}\n`)
    expect(runs.map(({ kind, lines: inRun }) => [kind, inRun.length])).toEqual([
      ['folded', 6],
      ['shown', 8],
      ['folded', 7],
    ])
    expect(runs[1]?.lines[0]).toMatchObject({ before: 7, after: 7 })
  })

  test('tells of a line end that comes or goes, which no line shows', () => {
    expect(diffTexts('a\n', 'a').lineEnd).toBe('lost')
    expect(diffTexts('a', 'a\n').lineEnd).toBe('gained')
    expect(diffTexts('a', 'b').lineEnd).toBeNull()
  })

  test('gives both texts back, whatever they are', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c d', 'c e', ''), { maxLength: 30 })
    fc.assert(
      fc.property(text, text, (old, fresh) => {
        const diff = diffTexts(`${old.join('\n')}\n`, `${fresh.join('\n')}\n`)
        const side = (other: 'add' | 'del') => lines(diff).filter(({ kind }) => kind !== other)
        expect(side('add').map(textOf)).toEqual(old.length === 0 ? [''] : old)
        expect(side('del').map(textOf)).toEqual(fresh.length === 0 ? [''] : fresh)
        expect(side('add').map(({ before }) => before)).toEqual(side('add').map((_, at) => at + 1))
        expect(side('del').map(({ after }) => after)).toEqual(side('del').map((_, at) => at + 1))
      }),
    )
  })

  test('of two long texts without anything in common takes a moment and replaces one by the other', () => {
    const text = (word: string) => Array.from({ length: 5_000 }, (_, n) => `${word} ${n}`).join('\n')
    const began = performance.now()
    expect(diffTexts(text('old'), text('new'))).toMatchObject({ added: 5_000, removed: 5_000 })
    expectWithin(performance.now() - began, 2_000)
  })
})
