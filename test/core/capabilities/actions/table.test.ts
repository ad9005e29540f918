import { open } from 'node:fs/promises'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { limits } from '../../../../core/domain/limits.ts'
import { useProject } from './project.ts'

const project = useProject()
const table = (asked: object) => project.run('table', asked)
const rowsOf = async (asked: object) => (await table(asked)).rows
const notesOf = async (asked: object) => String((await table(asked)).notes)

const sales = `Region,Product,Amount,Sold On,Returned
North,Tea,10.10,2024-01-05,false
south,Coffee,0.20,2024-02-29,true
North,Coffee,0.10,2024-03-01,false
East,Tea,,2024-03-15,false
South,Tea,1000.00,2023-12-31,false
`
beforeEach(() => project.write({ 'sales.csv': sales }))

it('a table as it is: columns with types, all rows, all counts', async () => {
  expect(await table({ path: 'sales.csv', limit: 2 })).toEqual({
    path: 'sales.csv',
    format: 'csv',
    columns: [
      { name: 'Region', type: 'text', filled: 5 },
      { name: 'Product', type: 'text', filled: 5 },
      { name: 'Amount', type: 'number', filled: 4 },
      { name: 'Sold On', type: 'date', filled: 5 },
      { name: 'Returned', type: 'boolean', filled: 5 },
    ],
    rowsTotal: 5,
    rowsMatched: 5,
    rows: [
      { Region: 'North', Product: 'Tea', Amount: 10.1, 'Sold On': '2024-01-05', Returned: 'false' },
      { Region: 'south', Product: 'Coffee', Amount: 0.2, 'Sold On': '2024-02-29', Returned: 'true' },
    ],
    rowsReturned: 2,
    complete: false,
    notes: [],
  })
})

describe('where: all conditions hold', () => {
  it.each([
    [[{ column: 'Region', op: 'eq', value: 'SOUTH' }], 2],
    [[{ column: ' region ', op: 'ne', value: 'south' }], 3],
    [{ column: 'Amount', op: 'gt', value: 0.1 }, 3],
    [[{ column: 'Amount', op: '>=', value: '0.1' }], 4],
    [[{ column: 'Amount', op: 'lt', value: '1,000.00' }], 3],
    [[{ column: 'Amount', op: 'eq', value: 1000 }], 1],
    [[{ column: 'Amount', op: 'isEmpty' }], 1],
    [[{ column: 'Amount', op: 'notEmpty' }], 4],
    [[{ column: 'Product', op: 'contains', value: 'OFF' }], 2],
    [[{ column: 'Product', op: 'startsWith', value: 'te' }], 3],
    [[{ column: 'Product', op: 'endsWith', value: 'fee' }], 2],
    [
      [
        { column: 'Sold On', op: 'ge', value: '2024-01-01' },
        { column: 'Sold On', op: 'lt', value: '2024-03-01' },
      ],
      2,
    ],
    [[{ column: 'Sold On', op: 'eq', value: '2024-02-29T15:00' }], 1],
    [[{ column: 'Returned', op: 'eq', value: true }], 1],
    [[{ column: 'Region', op: 'gt', value: 'north' }], 2],
    [[{ column: 'Region', op: 'eq', value: 'nowhere' }], 0],
  ])('%j: %i rows', async (where, rowsMatched) => {
    expect(await table({ path: 'sales.csv', where })).toMatchObject({ rowsTotal: 5, rowsMatched })
  })

  it('values that cannot be compared do not match, and the notes count them', async () => {
    await project.write({ 'a.csv': 'n\n5\nunknown\n7\n' })
    const asked = { path: 'a.csv', where: { column: 'n', op: 'gt', value: 4 } }
    expect(await table(asked)).toMatchObject({ rowsMatched: 2 })
    expect(await notesOf(asked)).toContain('1 values of "n" are no numbers like "4" and do not match')
  })

  it('a time of day is inside its day', async () => {
    await project.write({
      'a.csv': 'at\n2024-03-05T10:00:00\n2024-03-05 23:59\n2024-03-06T00:00:00\n2024-03-05T23:30:00Z\n',
    })
    // The last one is 00:30 of the next day in Berlin.
    expect(await table({ path: 'a.csv', where: { column: 'at', op: 'le', value: '2024-03-05' } })).toMatchObject({
      rowsMatched: 2,
    })
  })
})

describe('groups and figures', () => {
  it.each([
    [
      'a count by group',
      { groupBy: 'Region' },
      [
        { Region: 'North', count: 2 },
        { Region: 'south', count: 1 },
        { Region: 'East', count: 1 },
        { Region: 'South', count: 1 },
      ],
    ],
    ['exact sums', { aggregate: { fn: 'sum', column: 'amount' } }, [{ sum_Amount: 1010.4 }]],
    [
      'several figures over all rows',
      {
        aggregate: [
          { fn: 'count' },
          { fn: 'count', column: 'Amount', as: 'filled' },
          { fn: 'min', column: 'Amount' },
          { fn: 'max', column: 'Sold On' },
          { fn: 'distinct', column: 'Product' },
        ],
      },
      [{ count: 5, filled: 4, min_Amount: 0.1, 'max_Sold On': '2024-03-15', distinct_Product: 2 }],
    ],
    [
      'an average and a median',
      {
        aggregate: [
          { fn: 'avg', column: 'Amount' },
          { fn: 'median', column: 'Amount' },
        ],
      },
      [{ avg_Amount: 252.6, median_Amount: 5.15 }],
    ],
    [
      'sorted by a figure, cut to the first',
      {
        groupBy: ['Product'],
        aggregate: { fn: 'sum', column: 'Amount', as: 'total' },
        sort: [{ column: 'total', order: 'desc' }],
        limit: 1,
      },
      [{ Product: 'Tea', total: 1010.1 }],
    ],
    [
      'only some columns',
      { groupBy: ['Product'], aggregate: [{ fn: 'count' }], columns: ['count'] },
      [{ count: 3 }, { count: 2 }],
    ],
    [
      'of nothing',
      {
        where: { column: 'Region', op: 'eq', value: 'x' },
        aggregate: [{ fn: 'sum', column: 'Amount' }, { fn: 'count' }],
      },
      [{ sum_Amount: null, count: 0 }],
    ],
    ['the least of text', { aggregate: { fn: 'min', column: 'Product' } }, [{ min_Product: 'Coffee' }]],
  ])('%s', async (_, asked, rows) => {
    expect(await rowsOf({ path: 'sales.csv', ...asked })).toEqual(rows)
  })

  it('counts all groups, whatever the limit', async () => {
    expect(await table({ path: 'sales.csv', groupBy: 'Region', limit: 1 })).toMatchObject({
      groups: 4,
      rowsReturned: 1,
      complete: false,
      notes: ['Some groups differ only in upper and lower case.'],
    })
  })

  it('leaves out what is no number, and says so', async () => {
    await project.write({ 'a.csv': 'n\n1\nn/a\n2.5\nunknown\n' })
    const asked = { path: 'a.csv', aggregate: { fn: 'avg', column: 'n' } }
    expect(await rowsOf(asked)).toEqual([{ avg_n: 1.75 }])
    expect(await notesOf(asked)).toContain('avg of "n" leaves out 2 values that are no numbers, such as "n/a"')
  })

  it('keeps digits that a JSON number cannot hold', async () => {
    await project.write({ 'a.csv': 'n\n9007199254740993\n0.1\n' })
    expect(await rowsOf({ path: 'a.csv', aggregate: { fn: 'sum', column: 'n' } })).toEqual([
      { sum_n: '9007199254740993.1' },
    ])
    expect(await rowsOf({ path: 'a.csv', limit: 1 })).toEqual([{ n: '9007199254740993' }])
  })
})

describe('order, columns, repetitions, pages', () => {
  it.each([
    [
      'numbers as numbers, empty ones last',
      { sort: { column: 'Amount' }, columns: 'Amount' },
      [0.1, 0.2, 10.1, 1000, null],
    ],
    [
      'empty ones last in the other direction, too',
      { sort: { column: 'Amount', order: 'desc' }, columns: 'Amount' },
      [1000, 10.1, 0.2, 0.1, null],
    ],
    ['dates as dates', { sort: { column: 'sold on' }, columns: 'Sold On', limit: 2 }, ['2023-12-31', '2024-01-05']],
    [
      'text without case, then as it stood',
      { sort: { column: 'Region' }, columns: 'Region' },
      ['East', 'North', 'North', 'South', 'south'],
    ],
    ['each once', { columns: 'Product', distinct: true }, ['Tea', 'Coffee']],
    ['a page', { sort: { column: 'Amount' }, columns: 'Amount', offset: 1, limit: '2' }, [0.2, 10.1]],
    ['beyond the end', { offset: 10, columns: 'Amount' }, []],
  ])('%s', async (_, asked, values) => {
    const rows = await rowsOf({ path: 'sales.csv', ...asked })
    expect(Array.isArray(rows) && rows.map((row) => Object.values(row)[0])).toEqual(values)
  })

  it('sorts by two columns', async () => {
    const asked = {
      path: 'sales.csv',
      columns: ['Product', 'Amount'],
      sort: [{ column: 'Product' }, { column: 'Amount', order: 'desc' }],
    }
    expect(await rowsOf(asked)).toEqual([
      { Product: 'Coffee', Amount: 0.2 },
      { Product: 'Coffee', Amount: 0.1 },
      { Product: 'Tea', Amount: 1000 },
      { Product: 'Tea', Amount: 10.1 },
      { Product: 'Tea', Amount: null },
    ])
  })

  it('is complete at the last page only', async () => {
    expect(await table({ path: 'sales.csv', offset: 3 })).toMatchObject({ complete: true, rowsReturned: 2 })
    expect(await table({ path: 'sales.csv', offset: 2, limit: 2 })).toMatchObject({ complete: false })
  })
})

describe('formats', () => {
  it.each([
    ['a.tsv', 'a\tb\n1\t2\n', 'tsv', [{ a: 1, b: 2 }]],
    ['semicolon.csv', 'a;b\n1,5;x\n', 'csv', [{ a: '1,5', b: 'x' }]],
    ['quoted.csv', 'a,b\n"x, ""y""\nz",2\n', 'csv', [{ a: 'x, "y"\nz', b: 2 }]],
    ['bom.csv', '\ufeffa,b\r\n1,2\r\n', 'csv', [{ a: 1, b: 2 }]],
    [
      'codes.csv',
      'zip,n\n01234,1\n99999,2\n',
      'csv',
      [
        { zip: '01234', n: 1 },
        { zip: '99999', n: 2 },
      ],
    ],
    [
      'a.json',
      '[{"a":1,"b":{"c":"x","d":[1,2]}},{"a":null}]',
      'json',
      [
        { a: 1, 'b.c': 'x', 'b.d': '[1,2]' },
        { a: null, 'b.c': null, 'b.d': null },
      ],
    ],
    ['scalars.json', '[1,"two",true]', 'json', [{ value: 1 }, { value: 'two' }, { value: true }]],
    [
      'arrays.json',
      '[[1,2],[3,4]]',
      'json',
      [
        { column1: 1, column2: 2 },
        { column1: 3, column2: 4 },
      ],
    ],
    ['wrapped.json', '{"meta":{"n":1},"items":[{"a":1}]}', 'json', [{ a: 1 }]],
    [
      'map.json',
      '{"x":{"a":1},"y":{"a":2}}',
      'json',
      [
        { key: 'x', a: 1 },
        { key: 'y', a: 2 },
      ],
    ],
    ['one.json', '{"a":1,"b":"c"}', 'json', [{ a: 1, b: 'c' }]],
    [
      'a.jsonl',
      '{"a":1}\n\n{"b":2}\n',
      'jsonl',
      [
        { a: 1, b: null },
        { a: null, b: 2 },
      ],
    ],
    [
      'a.log',
      'first\nsecond\n',
      'lines',
      [
        { line: 1, text: 'first' },
        { line: 2, text: 'second' },
      ],
    ],
    ['sniffed-csv', 'a,b\n1,2\n', 'csv', [{ a: 1, b: 2 }]],
    ['sniffed-json', '[{"a":1}]', 'json', [{ a: 1 }]],
    ['sniffed-jsonl', '{"a":1}\n{"a":2}', 'jsonl', [{ a: 1 }, { a: 2 }]],
    [
      'sniffed-lines',
      'no table\nat all, really\n',
      'lines',
      [
        { line: 1, text: 'no table' },
        { line: 2, text: 'at all, really' },
      ],
    ],
    ['empty.csv', '', 'csv', []],
    ['header.csv', 'a,b\n', 'csv', []],
    [
      'proto.json',
      '[{"__proto__":{"polluted":1},"constructor":2}]',
      'json',
      [{ '__proto__.polluted': 1, constructor: 2 }],
    ],
  ])('%s', async (name, content, format, rows) => {
    await project.write({ [name]: content })
    expect(await table({ path: name })).toMatchObject({ format, rows, rowsTotal: rows.length })
  })

  it('lines of any file can be counted and filtered', async () => {
    const asked = { path: 'sales.csv', format: 'lines', where: { column: 'text', op: 'contains', value: 'tea' } }
    expect(await table(asked)).toMatchObject({
      rowsTotal: 6,
      rowsMatched: 3,
      columns: [{ name: 'line' }, { name: 'text' }],
    })
  })

  it('at says where the list is', async () => {
    await project.write({ 'a.json': '{"one":{"items":[{"n":1}]},"two":[{"n":2},{"n":3}],"three":[1]}' })
    expect(await rowsOf({ path: 'a.json', at: 'one.items' })).toEqual([{ n: 1 }])
    expect(await rowsOf({ path: 'a.json', at: 'two[1]' })).toEqual([{ n: 3 }])
    await expect(table({ path: 'a.json' })).rejects.toMatchObject({
      code: 'action.args',
      message: expect.stringContaining('one.items, two, three'),
    })
    await expect(table({ path: 'a.json', at: 'four' })).rejects.toMatchObject({
      message: expect.stringContaining('one, two, three'),
    })
  })
})

describe('several files are one table', () => {
  it('with a column that says where a row stands', async () => {
    await project.write({ 'a.csv': 'x,y\n1,2\n', 'sub/b.csv': 'Y,X\n4,3\n' })
    expect(await table({ paths: ['a.csv', 'sub/b.csv'] })).toMatchObject({
      path: 'a.csv, sub/b.csv',
      rows: [
        { file: 'a.csv', x: 1, y: 2 },
        { file: 'sub/b.csv', x: 3, y: 4 },
      ],
    })
    expect(
      await rowsOf({ paths: ['a.csv', 'sub/b.csv'], groupBy: 'file', aggregate: { fn: 'sum', column: 'x' } }),
    ).toEqual([
      { file: 'a.csv', sum_x: 1 },
      { file: 'sub/b.csv', sum_x: 3 },
    ])
  })
})

describe('what had to be assumed is said in the notes', () => {
  it.each([
    [
      'numbers in dress',
      'p\n"1,234.50"\n$12\n12 %\n"€ 3,50"\n(5)\n',
      { aggregate: { fn: 'sum', column: 'p' } },
      '5 values of "p" such as "1,234.50" were read as numbers',
      [{ sum_p: 1257 }],
    ],
    [
      'an ambiguous comma',
      'p\n"1,234"\n2\n',
      { aggregate: { fn: 'sum', column: 'p' } },
      'they were read as 1234, not as 1.234',
      [{ sum_p: 1236 }],
    ],
    [
      'no header',
      '1,2\n3,4\n',
      {},
      'so the columns are column1 to column2',
      [
        { column1: 1, column2: 2 },
        { column1: 3, column2: 4 },
      ],
    ],
    [
      'ragged rows',
      'a,b\n1\n1,2,3\n',
      {},
      '2 rows of "a.csv" have more or fewer fields',
      [
        { a: 1, b: null, column3: null },
        { a: 1, b: 2, column3: 3 },
      ],
    ],
    ['another separator', 'a;b\n1;2\n', {}, 'Fields of "a.csv" are separated by ";"', [{ a: 1, b: 2 }]],
    ['a name that stands there twice', 'a,a\n1,2\n', {}, '', [{ a: 1, a_2: 2 }]],
    [
      'a quote that never closes',
      'a,b\n"x,1\ny,2\n',
      {},
      '1 quotation marks of "a.csv" never close',
      [
        { a: '"x', b: 1 },
        { a: 'y', b: 2 },
      ],
    ],
  ])('%s', async (_, content, asked, note, rows) => {
    await project.write({ 'a.csv': content })
    expect(await notesOf({ path: 'a.csv', ...asked })).toContain(note)
    expect(await rowsOf({ path: 'a.csv', ...asked })).toEqual(rows)
  })

  it('lines that are no JSON, and the list that was taken', async () => {
    await project.write({ 'a.jsonl': '{"a":1}\n{oops\n[[[\n{"a":2}\n', 'b.json': '{"items":[{"a":1}]}' })
    expect(await notesOf({ path: 'a.jsonl' })).toContain(
      '2 lines of "a.jsonl" are not JSON and were left out, the first is line 2',
    )
    expect(await notesOf({ path: 'b.json' })).toContain('The rows are the list "items"')
  })
})

describe('what is refused', () => {
  it.each([
    [{}, 'action.args', 'Say which file'],
    [{ path: '../x.csv' }, 'action.outside', ''],
    [{ path: 'nothing.csv' }, 'action.not_found', ''],
    [
      { path: 'sales.csv', columns: 'Colour' },
      'action.args',
      'The columns are: Region, Product, Amount, Sold On, Returned',
    ],
    [{ path: 'sales.csv', where: { column: 'Colour', op: 'eq', value: 1 } }, 'action.args', 'Region'],
    [{ path: 'sales.csv', groupBy: 'Colour' }, 'action.args', 'Region'],
    [{ path: 'sales.csv', sort: { column: 'Colour' } }, 'action.args', 'Region'],
    [{ path: 'sales.csv', groupBy: 'Region', sort: { column: 'Amount' } }, 'action.args', 'Region, count'],
    [{ path: 'sales.csv', aggregate: { fn: 'sum' } }, 'action.args', 'sum needs a column'],
    [{ path: 'sales.csv', limit: 201 }, 'action.args', ''],
    [{ path: 'broken.json' }, 'action.args', 'line 2'],
    [{ path: 'deep.json' }, 'action.args', 'nests deeper than 64'],
    [{ path: 'text.json' }, 'action.args', 'holds no list'],
    [{ path: 'image.csv' }, 'action.binary', 'a PNG image'],
    [{ path: 'latin.csv' }, 'action.encoding', 'Windows-1252'],
  ])('%j: %s', async (asked, code, text) => {
    await project.write({
      'broken.json': '{"a": 1,\n b}',
      'deep.json': `${'['.repeat(65)}${']'.repeat(65)}`,
      'text.json': '"text"',
      'image.csv': Buffer.from('89504e470d0a1a0a', 'hex'),
      'latin.csv': Buffer.from('caf\xe9,1', 'latin1'),
    })
    await expect(table(asked)).rejects.toMatchObject({ code, message: expect.stringContaining(text) })
  })

  it.each([
    ['a.csv', limits.tableBytes],
    ['a.json', limits.jsonFileBytes],
  ])('%s of one byte over %i', async (name, bytes) => {
    const file = await open(path.join(project.folder, name), 'w')
    await file.truncate(bytes)
    await expect(table({ path: name })).rejects.toMatchObject({ code: 'action.binary' })
    await file.truncate(bytes + 1)
    await file.close()
    await expect(table({ path: name })).rejects.toMatchObject({ code: 'action.too_large' })
  })
})

describe('a result keeps its size', () => {
  it('with long values', async () => {
    await project.write({ 'a.csv': `a,b\n${'x'.repeat(5_000)},1\n` })
    expect(await table({ path: 'a.csv' })).toMatchObject({
      complete: false,
      notes: ['1 long values were cut to 1000 characters.'],
    })
  })

  it('with many rows and many columns', async () => {
    const header = Array.from({ length: 300 }, (_, at) => `column_with_a_long_name_${at}`).join(',')
    const row = Array.from({ length: 300 }, (_, at) => `value ${at}`).join(',')
    await project.write({ 'wide.csv': `${header}\n${`${row}\n`.repeat(50)}` })
    const result = await table({ path: 'wide.csv' })
    expect(result).toMatchObject({ rowsTotal: 50, complete: false })
    expect(String(result.notes)).toMatch(/Only \d rows fit.*Only 100 of 300 columns/)
  })
})

it('other work goes on while a large table is read', async () => {
  await project.write({ 'big.csv': `a,b,c\n${'north,12.5,2024-01-01\n'.repeat(150_000)}` })
  let turns = 0
  const timer = setInterval(() => (turns += 1), 1)
  expect(await rowsOf({ path: 'big.csv', groupBy: 'a', aggregate: { fn: 'sum', column: 'b' } })).toEqual([
    { a: 'north', sum_b: 1_875_000 },
  ])
  clearInterval(timer)
  expect(turns).toBeGreaterThan(5)
})
