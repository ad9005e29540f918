import { z } from 'zod'
import { limits } from '../../domain/limits.ts'
import { defineAction } from '../action.ts'
import { resultCharacters } from './allowance.ts'
import { isoUtc } from './dates.ts'
import { summaryText } from './parameters.ts'
import { refusal } from './refusal.ts'

export const memoryRead = defineAction({
  name: 'memory_read',
  description: 'Reads the newest version of a note, by its id or its title.',
  parameters: z.strictObject({
    id: z.string().min(1).max(64).optional(),
    title: z.string().min(1).max(120).optional(),
  }),
  effects: ['ReadLocal'],
  isIdempotent: true,
  summarize: ({ id, title }) => summaryText(title ?? id ?? ''),
  run: ({ id, title }, { memory }) => {
    const wanted = id ?? title
    if (wanted === undefined) throw refusal('action.args', 'Say which note: id or title.')
    const doc = memory.read(wanted)
    if (!doc)
      throw refusal('memory.not_found', `There is no note "${wanted}"; memory_search finds notes by their words.`)
    const content = fitContent(doc.content)
    return {
      id: doc.id,
      type: doc.type,
      title: doc.title,
      content,
      tags: [...doc.tags],
      version: doc.version,
      updated: isoUtc(doc.updatedAt),
      ...(content.length < doc.content.length && {
        complete: false,
        note: `The note has ${doc.content.length} characters; its first ${content.length} are shown.`,
      }),
    }
  },
})

function fitContent(content: string): string {
  let start = content
  while (resultCharacters(start) > limits.actionResultCharacters - 4_000) {
    start = start.slice(0, Math.floor(start.length * 0.9)).toWellFormed()
  }
  return start
}
