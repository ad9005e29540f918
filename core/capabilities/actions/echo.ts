import { z } from 'zod'
import { defineAction } from '../action.ts'
import { summaryText } from './parameters.ts'

export const echo = defineAction({
  name: 'echo',
  description: 'Returns the text that it is given.',
  parameters: z.strictObject({ text: z.string().max(40_000) }),
  effects: ['Compute'],
  isIdempotent: true,
  summarize: ({ text }) => summaryText(text),
  run: ({ text }) => text,
})
