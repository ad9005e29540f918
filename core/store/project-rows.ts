import { z } from 'zod'
import type { Project } from '../domain/project.ts'
import type { Connection } from './connection.ts'

export type ProjectRow = Omit<Project, 'available'>
interface StoredProject extends Omit<ProjectRow, 'goals' | 'dayBudget' | 'trusted'> {
  readonly goals: string
  readonly trusted: number
  readonly dayTokens: number | null
  readonly dayUsd: number | null
}
const goalList = z.array(z.string())

export function createProjectRows(connection: Connection) {
  const insert = connection.prepare('INSERT INTO project (id, folder, name, createdAt) VALUES (?, ?, ?, ?)')
  const update = connection.prepare(
    'UPDATE project SET name = ?, goals = ?, dayTokens = ?, dayUsd = ?, trusted = ? WHERE id = ?',
  )
  const byId = connection.prepare<StoredProject>('SELECT * FROM project WHERE id = ?')
  const byFolder = connection.prepare<StoredProject>('SELECT * FROM project WHERE folder = ?')
  const list = connection.prepare<StoredProject>('SELECT * FROM project ORDER BY createdAt DESC')
  return {
    /** A new one has neither goals nor a budget of its own, and nobody trusts it yet. */
    insert({ id, folder, name, createdAt }: Omit<ProjectRow, 'goals' | 'dayBudget' | 'trusted'>): void {
      insert.run(id, folder, name, createdAt)
    },
    update({ id, name, goals, dayBudget, trusted }: ProjectRow): void {
      update.run(name, JSON.stringify(goals), dayBudget.tokens, dayBudget.usd, trusted ? 1 : 0, id)
    },
    get: (id: string): ProjectRow | undefined => toProject(byId.get(id)),
    byFolder: (folder: string): ProjectRow | undefined => toProject(byFolder.get(folder)),
    /** Newest first. */
    list: (): readonly ProjectRow[] => list.all().flatMap((row) => toProject(row) ?? []),
  }
}

function toProject(row: StoredProject | undefined): ProjectRow | undefined {
  if (row === undefined) return undefined
  const { goals, dayTokens, dayUsd, trusted, ...facts } = row
  return { ...facts, goals: goalsOf(goals), dayBudget: { tokens: dayTokens, usd: dayUsd }, trusted: trusted === 1 }
}

/** Goals that cannot be read do not hide their project. */
function goalsOf(text: string): readonly string[] {
  try {
    return goalList.parse(JSON.parse(text))
  } catch {
    return []
  }
}
