import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import type { Canvas } from '../../../core/domain/canvas.ts'
import { CanvasView } from '../../../renderer/canvas/canvas-card.tsx'
import { canvasMarkdown } from '../../../renderer/canvas/canvas-markdown.ts'
import { CanvasTable } from '../../../renderer/canvas/canvas-table.tsx'
import { cellText, isNumeric, numberOf } from '../../../renderer/canvas/cells.ts'
import { canvasSpan } from '../../../renderer/state/canvases.ts'
import { callRow } from '../support.ts'

const rows = [
  { page: 'docs/a|b.md', lines: 1_204, ok: true },
  { page: 'two\nlines', lines: 51.25, ok: null },
]
const table: Canvas = {
  id: 'a',
  kind: 'table',
  title: 'Pages',
  columns: [{ key: 'page', title: 'Page' }, { key: 'lines' }, { key: 'ok' }],
  rows,
}
const chart: Canvas = {
  id: 'b',
  kind: 'chart',
  chart: 'bar',
  title: 'Lines',
  x: 'page',
  series: [{ key: 'lines', title: 'Lines' }],
  rows,
}

test.each([
  [1_204, '1,204', 1_204],
  [51.25, '51.25', 51.25],
  [true, 'yes', null],
  [false, 'no', null],
  [null, '–', null],
  [undefined, '–', null],
  // Text that only looks like a figure is not drawn as one.
  ['12', '12', null],
])('a cell of %o reads “%s”, and is drawn as %o', (cell, text, figure) => {
  expect(cellText(cell)).toBe(text)
  expect(numberOf(cell)).toBe(figure)
})

test('a column of figures is set as figures, gaps or not; one with a word among them is not', () => {
  expect(isNumeric(rows, 'lines')).toBe(true)
  expect(isNumeric([...rows, { page: 'c', lines: null, ok: null }], 'lines')).toBe(true)
  expect(isNumeric(rows, 'page')).toBe(false)
  expect(isNumeric([], 'lines')).toBe(false)
})

describe('a card', () => {
  test('of a table has its titles and its cells, as text whatever they hold', () => {
    const html = renderToStaticMarkup(
      <CanvasView canvas={{ ...table, rows: [{ page: '<img src=x>', lines: 1, ok: true }] }} />,
    )
    expect(html).toContain('&lt;img src=x&gt;')
    expect(html).toContain('<th scope="col" class="num">lines</th>')
    expect(html).toContain('1 row')
  })

  test('of a long table shows the first hundred rows, and says how many more there are', () => {
    const many = Array.from({ length: 101 }, (_, at) => ({ page: `p${at}`, lines: at, ok: null }))
    const html = renderToStaticMarkup(<CanvasTable title="Pages" columns={[{ key: 'page' }]} rows={many} />)
    expect(html).toContain('p99')
    expect(html).not.toContain('p100')
    expect(html).toContain('1 more row')
  })

  test('of a chart can be read as a table', () => {
    const html = renderToStaticMarkup(<CanvasView canvas={chart} />)
    expect(html).toContain('How it is shown')
    expect(html).toContain('2 points')
  })

  test('of Markdown is the app’s own Markdown: raw HTML stays text', () => {
    const html = renderToStaticMarkup(
      <CanvasView canvas={{ id: 'c', kind: 'markdown', title: 'T', text: '<b>x</b> **y**' }} />,
    )
    expect(html).toContain('&lt;b&gt;x&lt;/b&gt;')
    expect(html).toContain('<strong>y</strong>')
  })

  test('is copied as Markdown, a chart as the table that it was drawn from', () => {
    expect(canvasMarkdown(table)).toBe(
      '## Pages\n\n| Page | lines | ok |\n| --- | --- | --- |\n| docs/a\\|b.md | 1,204 | yes |\n| two lines | 51.25 | – |',
    )
    expect(canvasMarkdown(chart)).toContain('| page | Lines |')
  })
})

test('cards are looked for only in the part of the log in which the thread drew', () => {
  const draws = (startSeq: number, endSeq: number | null) =>
    callRow({ kind: 'action', name: 'emit_canvas', path: `${startSeq}`, startSeq, endSeq })
  expect(canvasSpan(undefined)).toBe(null)
  expect(canvasSpan({ a: callRow({ startSeq: 1, endSeq: 900 }) })).toBe(null)
  expect(canvasSpan({ a: draws(40, 44), b: callRow({ startSeq: 1, endSeq: 900 }), c: draws(20, null) })).toEqual({
    after: 19,
    until: 44,
  })
})
