import { useState } from 'react'
import type { Canvas } from '../../core/domain/canvas.ts'
import { Button } from '../components/button.tsx'
import { RedactedText } from '../components/redacted.tsx'
import { counted } from '../format/figures.ts'
import { cellText, isNumeric } from './cells.ts'

type TableCanvas = Extract<Canvas, { kind: 'table' }>

type CanvasTableProps = Pick<TableCanvas, 'title' | 'columns' | 'rows'>

const firstRows = 100

/** Rows as they were given: columns of figures flush right, text never as markup. A wide or long one scrolls in its own box. */
export function CanvasTable({ title, columns, rows }: CanvasTableProps) {
  const [shown, setShown] = useState(firstRows)
  const heads = columns.map(({ key, title: name = key }) => ({ key, name, isNumber: isNumeric(rows, key) }))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled with the arrow keys
    <section className="canvas-rows scrolls" tabIndex={0} aria-label={`${title}, table`}>
      <table className="table">
        <thead>
          <tr>
            {heads.map(({ key, name, isNumber }) => (
              <th key={key} scope="col" className={isNumber ? 'num' : ''}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, shown).map((row, at) => (
            // Rows have no identity but their place.
            <tr key={at}>
              {heads.map(({ key, isNumber }) => (
                <td key={key} className={isNumber ? 'num' : ''}>
                  <RedactedText text={cellText(row[key])} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > shown && (
        <Button look="ghost" onClick={() => setShown(rows.length)}>
          {counted(rows.length - shown, 'more row')}
        </Button>
      )}
    </section>
  )
}
