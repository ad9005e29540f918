import fs from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { type Action, defineAction } from '../../core/capabilities/action.ts'
import { AppError } from '../../core/domain/error.ts'

/** A write that asks first, shows what it would do, and never overwrites what changed in between. */
export const put = defineAction({
  name: 'put',
  description: 'Writes a file of the project.',
  parameters: z.strictObject({ file: z.string(), text: z.string() }),
  effects: ['WriteLocal'],
  isIdempotent: false,
  summarize: ({ file }) => file,
  review: () => ({ verdict: 'ask', reason: 'changes a file', scopeKey: 'put' }),
  resource: ({ file }) => file,
  async preflight({ file, text }, { folder }) {
    const before = read(path.join(folder, file))
    return { change: { kind: 'file', path: file, before, after: text }, guard: before, undo: 'Write it again.' }
  },
  run({ file, text }, { folder, guard }) {
    const now = read(path.join(folder, file))
    if (now !== guard) throw new AppError('approval.stale', { message: 'the file changed', userMessage: 'It changed.' })
    fs.appendFileSync(path.join(folder, 'effects.log'), `put ${file}\n`)
    fs.writeFileSync(path.join(folder, file), text)
    return 'written'
  },
})

/** A purchase: asked each time, whatever was allowed before. */
export const pay: Action = defineAction({
  name: 'pay',
  description: 'Pays.',
  parameters: z.strictObject({ usd: z.number() }),
  effects: ['Financial'],
  isIdempotent: false,
  summarize: ({ usd }) => `$${usd}`,
  run: ({ usd }, { folder }) => {
    fs.appendFileSync(path.join(folder, 'effects.log'), `pay ${usd}\n`)
    return 'paid'
  },
})

function read(file: string): string | null {
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null
}

/** What happened in the world: one line for each effect. */
export function effectsIn(folder: string): readonly string[] {
  return (read(path.join(folder, 'effects.log')) ?? '').split('\n').filter((line) => line !== '')
}
