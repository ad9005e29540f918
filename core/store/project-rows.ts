import type { Connection } from './connection.ts'

export interface ProjectRow {
  readonly id: string
  readonly folder: string
  readonly name: string
  readonly createdAt: number
}

export function createProjectRows(connection: Connection) {
  const insert = connection.prepare('INSERT INTO project (id, folder, name, createdAt) VALUES (?, ?, ?, ?)')
  const byId = connection.prepare<ProjectRow>('SELECT * FROM project WHERE id = ?')
  const byFolder = connection.prepare<ProjectRow>('SELECT * FROM project WHERE folder = ?')
  const list = connection.prepare<ProjectRow>('SELECT * FROM project ORDER BY createdAt DESC')
  return {
    insert: (project: ProjectRow) => insert.run(project.id, project.folder, project.name, project.createdAt),
    get: (id: string) => byId.get(id),
    byFolder: (folder: string) => byFolder.get(folder),
    /** Newest first. */
    list: () => list.all(),
  }
}
