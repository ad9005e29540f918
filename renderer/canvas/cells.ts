import type { Canvas } from '../../core/domain/canvas.ts'

type Cell = Extract<Canvas, { kind: 'table' }>['rows'][number][string]

/** A figure that can be drawn; text that only looks like one is none. */
export function numberOf(cell: Cell | undefined): number | null {
  return typeof cell === 'number' && Number.isFinite(cell) ? cell : null
}

/** A cell as it reads; what is not there is a dash. */
export function cellText(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return '–'
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no'
  return typeof cell === 'number' ? cell.toLocaleString('en', { maximumFractionDigits: 6 }) : cell
}

/** Whether a column holds figures only, so that they are set flush right. */
export function isNumeric(rows: readonly Readonly<Record<string, Cell>>[], key: string): boolean {
  const filled = rows.map((row) => row[key]).filter((cell) => cell !== null && cell !== undefined)
  return filled.length > 0 && filled.every((cell) => typeof cell === 'number')
}
