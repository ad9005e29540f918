import type { Json } from '../../../domain/json.ts'
import { isJsonObject } from '../../../domain/json.ts'

/** One field of a row. CSV gives text only; JSON keeps its types. null: the row has no such field. */
export type Cell = string | number | boolean | null

export function isEmptyCell(cell: Cell | undefined): boolean {
  return cell === undefined || cell === null || (typeof cell === 'string' && cell.trim() === '')
}

export function cellText(cell: Cell): string {
  return cell === null ? '' : String(cell).trim()
}

/** The fields of a JSON value as cells: nested objects by dotted names, arrays as JSON text. */
export function flattenJson(value: Json, put: (name: string, cell: Cell) => void, name = '', depth = 0): void {
  if (isJsonObject(value) && depth < 8) {
    for (const [key, field] of Object.entries(value)) {
      flattenJson(field, put, name === '' ? key : `${name}.${key}`, depth + 1)
    }
    return
  }
  const isCell = value === null || typeof value !== 'object'
  put(name === '' ? 'value' : name, isCell ? value : JSON.stringify(value))
}
