import { z } from 'zod'
import { limits } from '../../domain/limits.ts'
import { defineAction } from '../action.ts'
import { listOf, summaryText } from './parameters.ts'

export const memoryWrite = defineAction({
  name: 'memory_write',
  description:
    'Keeps a note for later threads of this project. A note with the same title gets a new version; the old ones are kept.',
  parameters: z.strictObject({
    title: z.string().trim().min(1).max(limits.memoryTitleCharacters),
    content: z.string().min(1).max(limits.memoryDocCharacters),
    tags: listOf(z.string().trim().min(1).max(40), 20).default([]),
  }),
  effects: ['WriteLocal'],
  // Keyed by the call: the same call run again finds its own note.
  isIdempotent: true,
  askedFor: ['remember', 'note', 'keep', 'save', 'store', 'write', 'record', 'memorise', 'memorize'],
  summarize: ({ title }) => summaryText(title),
  run: ({ title, content, tags }, { memory, callKey }) => {
    const doc = memory.write({ title, content, tags, callKey })
    return { id: doc.id, title: doc.title, version: doc.version, characters: doc.content.length }
  },
})
