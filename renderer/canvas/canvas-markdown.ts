import type { Canvas } from '../../core/domain/canvas.ts'
import { cellText } from './cells.ts'

/** A card to be read elsewhere: a chart as the table that it was drawn from. */
export function canvasMarkdown(canvas: Canvas): string {
  return `## ${canvas.title}\n\n${contentOf(canvas)}`
}

function contentOf(canvas: Canvas): string {
  if (canvas.kind === 'markdown') return canvas.text
  const columns = canvas.kind === 'chart' ? [{ key: canvas.x }, ...canvas.series] : canvas.columns
  const titles = columns.map((column) => ('title' in column ? (column.title ?? column.key) : column.key))
  const line = (cells: readonly string[]) => `| ${cells.map(cellMarkdown).join(' | ')} |`
  return [
    line(titles),
    line(columns.map(() => '---')),
    ...canvas.rows.map((row) => line(columns.map(({ key }) => cellText(row[key])))),
  ].join('\n')
}

/** A bar or a line end would end the cell. */
function cellMarkdown(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ')
}
