import { z } from 'zod'
import { defineAction } from '../../../core/capabilities/action.ts'
import { AppError } from '../../../core/domain/error.ts'

const url = z.string().min(1)

/** Reads a page: text, or JSON as a value. What a server answers with an error is quoted in the error. */
export const fetchPage = defineAction({
  name: 'fetch_page',
  description: 'Reads a page.',
  parameters: z.strictObject({ url }),
  effects: ['ReadExternal'],
  isIdempotent: true,
  summarize: ({ url: address }) => address.slice(0, 60),
  source: ({ url: address }, { ok }) => ({ kind: ok ? 'web' : 'error', name: address }),
  async run({ url: address }, { signal }) {
    const response = await fetch(address, { signal })
    const text = await response.text()
    if (!response.ok) throw new AppError('action.failed', { message: text, userMessage: text })
    return response.headers.get('content-type') === 'application/json' ? z.json().parse(JSON.parse(text)) : text
  },
})

/** Sends something away, without a question of its own beside the house rule for it. */
export const post = defineAction({
  name: 'post',
  description: 'Sends a text or an object to an address.',
  parameters: z.strictObject({ url, body: z.json() }),
  effects: ['WriteExternal'],
  isIdempotent: false,
  askedFor: ['post', 'send', 'report', 'publish'],
  summarize: ({ url: address }) => address.slice(0, 60),
  async run({ url: address, body }, { signal }) {
    const response = await fetch(address, { method: 'POST', body: JSON.stringify(body), signal })
    return response.text()
  },
})
