import { lazy, Suspense, useState } from 'react'
import type { Canvas } from '../../core/domain/canvas.ts'
import { Skeleton } from '../components/card.tsx'
import { Markdown } from '../components/markdown.tsx'
import { Segmented } from '../components/segmented.tsx'
import { counted } from '../format/figures.ts'
import { Body } from '../record/parts.tsx'
import type { CanvasCard } from '../state/model.ts'
import { CanvasTable } from './canvas-table.tsx'
import './canvas.css'

// The library that draws is of its own: a chat without charts never loads it.
const CanvasChart = lazy(() => import('../charts/canvas-chart.tsx').then((file) => ({ default: file.CanvasChart })))

/** What an agent drew, where it drew it; read when it is shown. */
export function CanvasCardView({ card }: { readonly card: CanvasCard }) {
  return (
    <section className="card canvas-card" aria-label={card.title}>
      <Body seq={card.seq} none="">
        {(event) => (event.kind === 'canvas.emitted' ? <CanvasView canvas={event.body.canvas} /> : null)}
      </Body>
    </section>
  )
}

const looks = [
  ['drawn', 'Chart'],
  ['table', 'Table'],
] as const

export function CanvasView({ canvas }: { readonly canvas: Canvas }) {
  const [look, setLook] = useState<(typeof looks)[number][0]>('drawn')
  return (
    <>
      <header className="canvas-head">
        <h3 className="trunc" title={canvas.title}>
          {canvas.title}
        </h3>
        <span className="mute small">{sizeText(canvas)}</span>
        <span className="grow" />
        {canvas.kind === 'chart' && (
          <Segmented label="How it is shown" options={looks} value={look} onChange={(next) => setLook(next)} />
        )}
      </header>
      <Content canvas={canvas} isTable={look === 'table'} />
    </>
  )
}

function Content({ canvas, isTable }: { readonly canvas: Canvas; readonly isTable: boolean }) {
  switch (canvas.kind) {
    case 'table':
      return <CanvasTable title={canvas.title} columns={canvas.columns} rows={canvas.rows} />
    case 'markdown':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region is scrolled by keyboard
        <section className="canvas-text scrolls" tabIndex={0} aria-label={canvas.title}>
          <Markdown text={canvas.text} />
        </section>
      )
    case 'chart':
      return isTable ? (
        <CanvasTable title={canvas.title} columns={[{ key: canvas.x }, ...canvas.series]} rows={canvas.rows} />
      ) : (
        <div className="canvas-drawn">
          <Suspense fallback={<Skeleton rows={5} label="Drawing the chart" />}>
            <CanvasChart canvas={canvas} />
          </Suspense>
        </div>
      )
  }
}

function sizeText(canvas: Canvas): string {
  switch (canvas.kind) {
    case 'table':
      return counted(canvas.rows.length, 'row')
    case 'chart':
      return canvas.unit === undefined ? counted(canvas.rows.length, 'point') : canvas.unit
    case 'markdown':
      return ''
  }
}
