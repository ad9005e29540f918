import { z } from 'zod'
import type { Connection } from './connection.ts'

/** A function that was mined from threads of a project, with the candidate that proposes it. */
export interface MinedProgram {
  readonly candidateId: string
  readonly projectId: string
  readonly skill: string
  readonly fingerprint: string
  /** Epoch ms. */
  readonly at: number
  /** Of its calls, in its order. */
  readonly sequence: readonly string[]
  readonly activation: {
    readonly keywords: readonly string[]
    readonly patterns: readonly string[]
    readonly excludeKeywords: readonly string[]
  }
  /** Threads that it was learnt from. */
  readonly support: readonly string[]
}
type StoredProgram = Pick<MinedProgram, 'candidateId' | 'projectId' | 'skill' | 'fingerprint' | 'at'> & {
  readonly facts: string
}

/** How far learning missions have looked, and what they found. Writes must run in a transaction. */
export function createLearningRows(connection: Connection) {
  const cursor = connection.prepare<{ seq: number }>(
    'SELECT seq FROM learning_cursor WHERE mission = ? AND projectId = ?',
  )
  const moveCursor = connection.prepare(
    `INSERT INTO learning_cursor (mission, projectId, seq) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET seq = max(seq, excluded.seq)`,
  )
  const insertThread = connection.prepare(
    'INSERT INTO mined_thread (projectId, seq, threadId) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  )
  const dropThread = connection.prepare('DELETE FROM mined_thread WHERE threadId = ?')
  const threads = connection.prepare<{ seq: number; threadId: string }>(
    'SELECT seq, threadId FROM mined_thread WHERE projectId = ? AND seq < ? ORDER BY seq DESC LIMIT ?',
  )
  const insertProgram = connection.prepare(
    `INSERT INTO mined_program (candidateId, projectId, skill, fingerprint, at, facts) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
  )
  const programs = connection.prepare<StoredProgram>(
    'SELECT * FROM mined_program WHERE projectId = ? ORDER BY at DESC LIMIT ?',
  )

  return {
    /** 0 for one that never looked. */
    cursor: (mission: string, projectId: string): number => cursor.get(mission, projectId)?.seq ?? 0,
    /** Forward only. */
    moveCursor: (mission: string, projectId: string, seq: number) => moveCursor.run(mission, projectId, seq),
    addThread: (of: { readonly projectId: string; readonly seq: number; readonly threadId: string }) =>
      insertThread.run(of.projectId, of.seq, of.threadId),
    /** Nothing is learnt from it any more. */
    dropThread: (threadId: string) => dropThread.run(threadId),
    /** Those that ended before `seq`, the newest first. */
    threadsBefore: (projectId: string, seq: number, max: number) => threads.all(projectId, seq, max),
    addProgram({ candidateId, projectId, skill, fingerprint, at, sequence, activation, support }: MinedProgram): void {
      const facts = JSON.stringify({ sequence, activation, support })
      insertProgram.run(candidateId, projectId, skill, fingerprint, at, facts)
    },
    /** The newest first. */
    programs: (projectId: string, max: number): readonly MinedProgram[] =>
      programs.all(projectId, max).flatMap(toProgram),
  }
}

const texts = z.array(z.string())
const programFacts = z.object({
  sequence: texts,
  activation: z.object({ keywords: texts, patterns: texts, excludeKeywords: texts }),
  support: texts,
})

/** One that this version cannot read hides nothing else. */
function toProgram({ facts, ...row }: StoredProgram): readonly MinedProgram[] {
  const parsed = programFacts.safeParse(parsedJson(facts))
  return parsed.success ? [{ ...row, ...parsed.data }] : []
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
