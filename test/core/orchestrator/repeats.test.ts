import { expect, it } from 'vitest'
import { createRepeats } from '../../../core/orchestrator/orchestrator.ts'

it('code that prints the same again is counted like a call, until something is changed', () => {
  const repeats = createRepeats()
  expect(repeats.noteCode('print(1)', '[stdout]\n1', false)).toEqual({ name: 'code', count: 1 })
  expect(repeats.noteCode('print(1)', '[stdout]\n1', false)).toEqual({ name: 'code', count: 2 })
  expect(repeats.noteCode('print(1)', '[stdout]\n2', false)).toEqual({ name: 'code', count: 1 })
  expect(repeats.noteCode('print(1)', '[stdout]\n1', false)).toEqual({ name: 'code', count: 3 })
  expect(repeats.noteCode('print(1)', '[stdout]\n1', true)).toEqual({ name: 'code', count: 1 })
})
