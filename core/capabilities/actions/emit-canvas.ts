import { z } from 'zod'
import { canvasSchema } from '../../domain/canvas.ts'
import { defineAction } from '../action.ts'
import { summaryText } from './parameters.ts'
import { refusal } from './refusal.ts'

// Told in every prompt, so no more than a model needs: `canvasSchema` says what a card is.
const named = z.array(z.looseObject({ key: z.string() }))

/** Draws a card in chat and thread. It reaches nothing outside: the card stands on the thread's record. Source: seed L. */
export const emitCanvas = defineAction({
  name: 'emit_canvas',
  description:
    'Shows the user a card: Markdown (text), a table (columns, rows) or a chart (chart, x, series, rows). Rows are objects by key; columns and series are {key, title?}. The id of an earlier card replaces it. Returns {id}.',
  parameters: z.strictObject({
    kind: z.enum(['chart', 'table', 'markdown']),
    title: z.string(),
    id: z.string().optional(),
    text: z.string().optional(),
    columns: named.optional(),
    rows: z.array(z.looseObject({})).optional(),
    chart: z.enum(['line', 'bar', 'area']).optional(),
    x: z.string().optional(),
    series: named.optional(),
    unit: z.string().optional(),
  }),
  effects: ['Compute'],
  isIdempotent: true,
  summarize: ({ kind, title }) => summaryText(`${kind}: ${title}`),
  run({ id, ...spec }, { callKey, note }) {
    const parsed = canvasSchema.safeParse(withoutGaps({ id: id ?? idOf(callKey), ...spec }))
    if (!parsed.success) throw refusal('action.args', `This is no card. ${z.prettifyError(parsed.error)}`)
    const canvas = parsed.data
    note({ kind: 'canvas.emitted', data: { id: canvas.id, kind: canvas.kind, title: canvas.title }, body: { canvas } })
    return { id: canvas.id }
  },
})

/** The same call makes the same card: `card-3.1`. */
function idOf(callKey: string): string {
  return `card-${callKey.split('/').slice(1).join('.')}`
}

/** What is left out is not there: a card takes no key that it does not know. */
function withoutGaps(spec: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== undefined))
}
