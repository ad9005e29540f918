import { z } from 'zod'
import { limits } from './limits.ts'

const encoder = new TextEncoder()
const id = z.string().regex(/^[\w.-]{1,64}$/)
const title = z.string().trim().min(1).max(200)
const cell = z.union([z.string().max(2_000), z.number(), z.boolean(), z.null()])
const key = z.string().min(1).max(100)

const table = z.strictObject({
  id,
  kind: z.literal('table'),
  title,
  columns: z
    .array(z.strictObject({ key, title: z.string().max(200).optional() }))
    .min(1)
    .max(50),
  rows: z.array(z.record(key, cell)).max(1_000),
})

const chart = z.strictObject({
  id,
  kind: z.literal('chart'),
  title,
  chart: z.enum(['line', 'bar', 'area']),
  /** The key of `rows` along the bottom, and those that are drawn. */
  x: key,
  series: z
    .array(z.strictObject({ key, title: z.string().max(200).optional() }))
    .min(1)
    .max(8),
  unit: z.string().max(40).optional(),
  rows: z.array(z.record(key, cell)).min(1).max(500),
})

const markdown = z.strictObject({ id, kind: z.literal('markdown'), title, text: z.string().min(1).max(100_000) })

/** A card that an agent draws in chat and thread. The whole at most `limits.canvasBytes` as JSON in UTF-8. Source: seed L; RULES 40. */
export const canvasSchema = z
  .discriminatedUnion('kind', [table, chart, markdown])
  .refine((spec) => encoder.encode(JSON.stringify(spec)).length <= limits.canvasBytes, {
    error: 'The card is larger than 256 kB.',
  })
export type Canvas = z.infer<typeof canvasSchema>
