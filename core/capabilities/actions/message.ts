import { z } from 'zod'
import { limits } from '../../domain/limits.ts'
import { defineAction } from '../action.ts'
import { summaryText } from './parameters.ts'

export const message = defineAction({
  name: 'message',
  description:
    'Tells the person something now, outside the chat too: that a long task is done, or that something needs them. It asks nothing and waits for nothing.',
  parameters: z.strictObject({
    text: z.string().trim().min(1).max(limits.messageCharacters).describe('One or two plain sentences.'),
    urgency: z.enum(['normal', 'urgent']).default('normal').describe('urgent: it cannot wait. Default normal.'),
  }),
  effects: ['Compute'],
  // Told twice it would be two messages.
  isIdempotent: false,
  rate: { perMinute: 10, perHour: 60 },
  summarize: ({ text }) => summaryText(text),
  run: ({ text, urgency }, context) => {
    context.notify(urgency === 'urgent' ? `Urgent: ${text}` : text)
    return { told: true }
  },
})
