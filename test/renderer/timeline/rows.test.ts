import { describe, expect, test } from 'vitest'
import { nextFailure, type RowFilter, rowsOf } from '../../../renderer/timeline/rows.ts'
import { createTimeline, putCalls, spanAt } from '../../../renderer/timeline/timeline.ts'
import { call, header, row } from './course.ts'

const timeline = createTimeline(header())
putCalls(timeline, [
  row({ step: 0, from: 0, to: 10, name: 'qwen' }),
  row({ step: 0, path: '1', from: 11, to: 20, name: 'list_files', summary: 'docs' }),
  row({ step: 0, path: '2', from: 11, to: 20, name: 'read_file', summary: 'docs/logo.png', state: 'failed' }),
  row({ step: 1, from: 30, to: 40, name: 'qwen' }),
  row({ step: 1, path: '1', from: 41, to: 50, name: 'shell', summary: 'npm test', state: 'refused' }),
])
const everything: RowFilter = { folded: new Set(), hiddenKinds: new Set(), query: '' }
const names = (filter: Partial<RowFilter>) => {
  const { ids, levels } = rowsOf(timeline, { ...everything, ...filter })
  return [...ids].map((id, at) => `${levels[at]} ${spanAt(timeline, id).name}`)
}

describe('rows', () => {
  test('are the spans from top to bottom with their levels', () => {
    expect(names({})).toEqual([
      '1 thread #1',
      '2 step 1',
      '3 qwen',
      '3 list_files',
      '3 read_file',
      '2 step 2',
      '3 qwen',
      '3 shell',
    ])
  })

  test('a folded step hides its calls, a folded thread everything', () => {
    expect(names({ folded: new Set([1]) })).toEqual(['1 thread #1', '2 step 1', '2 step 2', '3 qwen', '3 shell'])
    expect(names({ folded: new Set([0]) })).toEqual(['1 thread #1'])
  })

  test('a search shows what matches with the rows above it, folded or not, and counts it', () => {
    expect(names({ query: 'LOGO', folded: new Set([0, 1]) })).toEqual(['1 thread #1', '2 step 1', '3 read_file'])
    expect(names({ query: 'docs read' })).toEqual(['1 thread #1', '2 step 1', '3 read_file'])
    expect(rowsOf(timeline, { ...everything, query: 'qwen' }).matches).toBe(2)
    expect(names({ query: 'nowhere' })).toEqual(['1 thread #1'])
  })

  test('hidden kinds go; without steps the calls stand directly below the thread', () => {
    expect(names({ hiddenKinds: new Set(['model']) })).not.toContain('3 qwen')
    expect(names({ hiddenKinds: new Set(['step', 'model']) })).toEqual([
      '1 thread #1',
      '2 list_files',
      '2 read_file',
      '2 shell',
    ])
  })

  test('every shown span knows its row, a hidden one has none', () => {
    const { ids, rowOf } = rowsOf(timeline, { ...everything, query: 'shell' })
    expect([...ids].map((id) => rowOf[id])).toEqual([0, 1, 2])
    expect(rowOf[call(timeline, 0, '0').id]).toBe(-1)
    expect(rowOf[1]).toBe(-1)
  })
})

test('the next error is the next one below, from the top again after the last, and back the other way', () => {
  const [failed, refused] = [call(timeline, 0, '2').id, call(timeline, 1, '1').id]
  expect(nextFailure(timeline, 0, 1)).toBe(failed)
  expect(nextFailure(timeline, failed, 1)).toBe(refused)
  expect(nextFailure(timeline, refused, 1)).toBe(failed)
  expect(nextFailure(timeline, refused, -1)).toBe(failed)
  expect(nextFailure(timeline, failed, -1)).toBe(refused)
  expect(nextFailure(createTimeline(header()), 0, 1)).toBeNull()
})
