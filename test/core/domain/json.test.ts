import { expect, test } from 'vitest'
import { type Json, jsonLength } from '../../../core/domain/json.ts'

test.each<Json>([null, true, -1.5, 'text', [], {}, [1], [1, 'a', null], { a: 1 }, { a: { b: [1, 2, {}] }, c: 'd' }])(
  'the length of %j is that of its JSON',
  (value) => {
    expect(jsonLength(value)).toBe(JSON.stringify(value).length)
  },
)
