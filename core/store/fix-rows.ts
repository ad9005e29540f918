import { z } from 'zod'
import type { Connection } from './connection.ts'

/** A known fix of a kind of issue. Source: engine-behaviour 6.9. */
export interface FixPattern {
  readonly projectId: string
  readonly id: string
  readonly issueClass: string
  /** Words that the issue must name, in lower case. */
  readonly needs: readonly string[]
  readonly level: 'PROMPT' | 'CONFIG' | 'CODE'
  /** For whoever reads it. */
  readonly strategy: string
  /** The rule, or the name of the setting; '' of a fix in code. */
  readonly rule: string
  /** `bundled`, or the thread that found it. */
  readonly origin: string
  readonly successes: number
  readonly failures: number
  readonly createdAt: number
}
type StoredPattern = Omit<FixPattern, 'needs'> & { readonly needs: string }

/** Known fixes. Writes must run in a transaction. */
export function createFixRows(connection: Connection) {
  const addPattern = connection.prepare(
    `INSERT INTO fix_pattern (projectId, id, issueClass, needs, level, strategy, rule, origin, successes, failures, createdAt)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  )
  const patterns = connection.prepare<StoredPattern>('SELECT * FROM fix_pattern WHERE projectId = ? LIMIT ?')
  const tally = connection.prepare(
    'UPDATE fix_pattern SET successes = successes + ?, failures = failures + ? WHERE projectId = ? AND id = ?',
  )
  const dropPattern = connection.prepare('DELETE FROM fix_pattern WHERE projectId = ? AND id = ?')
  return {
    /** Nothing where there is one of this id. */
    add: (p: FixPattern) =>
      addPattern.run(
        ...[p.projectId, p.id, p.issueClass, JSON.stringify(p.needs), p.level, p.strategy, p.rule, p.origin],
        ...[p.successes, p.failures, p.createdAt],
      ),
    list: (projectId: string, max: number): readonly FixPattern[] =>
      patterns.all(projectId, max).map((row) => ({ ...row, needs: wordsOf(row.needs) })),
    /** One more use that went well, or did not. */
    tally: (projectId: string, id: string, isSuccess: boolean) =>
      tally.run(isSuccess ? 1 : 0, isSuccess ? 0 : 1, projectId, id),
    drop: (projectId: string, id: string) => dropPattern.run(projectId, id),
  }
}

const wordList = z.array(z.string())

/** One that cannot be read fits nothing. */
function wordsOf(text: string): readonly string[] {
  try {
    return wordList.parse(JSON.parse(text))
  } catch {
    return ['\u0000']
  }
}
