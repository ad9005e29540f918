import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRecordReader } from '../../../../core/capabilities/actions/table/csv-records.ts'

const read = (pieces: readonly string[], delimiter = ',') => {
  const reader = createRecordReader(delimiter, '\n')
  const records = pieces.flatMap((piece) => reader.push(piece))
  return { records: [...records, ...reader.end()], unpaired: reader.unpaired }
}
const quoted = (field: string) => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)

describe('CSV records', () => {
  it.each([
    [
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,b\r\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,\n,b\n,',
      [
        ['a', ''],
        ['', 'b'],
        ['', ''],
      ],
    ],
    ['\n\na\n\n', [['a']]],
    ['"a,""b""\nc",d', [['a,"b"\nc', 'd']]],
    ['"a"\r\n"b"\r\n', [['a'], ['b']]],
    ['"",x', [['', 'x']]],
    ['5" pipe,6', [['5" pipe', '6']]],
    ['"a" b,c', [['"a" b', 'c']]],
    ['"a, b" c,d', [['"a, b" c', 'd']]],
    ['', []],
  ])('%j', (text, expected) => {
    expect(read([text])).toEqual({ records: expected, unpaired: 0 })
    expect(read([...text])).toEqual({ records: expected, unpaired: 0 })
  })

  it('a quote that never closes is an ordinary character, and counted', () => {
    expect(read(['a,"b\nc,d\n'])).toEqual({
      records: [
        ['a', '"b'],
        ['c', 'd'],
      ],
      unpaired: 1,
    })
  })

  it('a quoted field of over 1 MiB is none', () => {
    const reader = createRecordReader(',', '\n')
    expect(reader.push(`"${'x'.repeat(1_048_576)}\na,b\n`)).toHaveLength(2)
    expect(reader.unpaired).toBe(1)
    expect(read([`"${'x'.repeat(1_048_000)}",b\n`]).records).toHaveLength(1)
  })

  const field = fc.stringMatching(/^[ab",\r\n ]{0,6}$/)
  const rows = fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { maxLength: 8 })

  it('what was written properly is read back, however it is cut', () => {
    fc.assert(
      fc.property(rows, fc.constantFrom('\n', '\r\n'), fc.integer({ min: 1, max: 9 }), (records, lineEnd, size) => {
        const text = records.map((fields) => `${fields.map(quoted).join(',')}${lineEnd}`).join('')
        const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
        expect(read(pieces)).toEqual({ records, unpaired: 0 })
        expect(read([text]).records).toEqual(
          parse(text, { relax_column_count: true, record_delimiter: lineEnd, skip_empty_lines: true }),
        )
      }),
    )
  })

  it('any text gives the same records, however it is cut', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[ab",\r\n]{0,40}$/), fc.integer({ min: 1, max: 9 }), (text, size) => {
        expect(read(text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [])).toEqual(read([text]))
      }),
      { numRuns: 1_000 },
    )
  })
})
