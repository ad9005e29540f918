import { z } from 'zod'

/** What one life of the engine is told. */
export const lifeSchema = z.strictObject({
  dataDir: z.string(),
  folder: z.string(),
  contentDir: z.string(),
  /** Where it writes, before it dies, what it had committed and where it died. */
  report: z.string(),
  /** Of the world. */
  port: z.number(),
  /** The fault points that are its end, with the count at which each is. */
  dieAt: z.record(z.string(), z.number()),
  quitAfterMs: z.number().nullable(),
  /** What a person says to the running thread at the beginning. */
  says: z.string().nullable(),
})
export type Life = z.infer<typeof lifeSchema>

/** Its threads run again, at this time and with so much of the processor's; or how it ended by itself. */
export const messageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('running'), at: z.number(), cpuMs: z.number() }),
  z.object({ kind: z.enum(['done', 'quit']) }),
])
