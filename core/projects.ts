import fs from 'node:fs'
import path from 'node:path'
import { isWithin } from './capabilities/capabilities.ts'
import { AppError } from './domain/error.ts'
import type { Project, ProjectPatch } from './domain/project.ts'
import type { ProjectRow, Store } from './store/store.ts'

export interface Projects {
  list(): readonly Project[]
  /** The project of a folder, made when there is none. @throws AppError project.missing when it is no folder that can be read. */
  open(folder: string): Project
  /** In force for new threads, and at once for the day's budget. @throws AppError project.not_found */
  save(id: string, patch: ProjectPatch): Project
}

export function createProjects(options: {
  readonly store: Store
  /** Absolute and free of links: neither it nor a folder in it is a project. */
  readonly dataDir: string
  readonly now: () => number
  readonly nextId: (prefix: string) => string
  /** A person trusts a folder, or does no longer. */
  readonly onTrust?: () => void
  readonly onNew?: (projectId: string) => void
}): Projects {
  const { store } = options
  return {
    list: () => store.projects.list().map(withAvailability),
    open(folder) {
      const real = realFolder(folder)
      if (isWithin(options.dataDir, real)) throw ownFolder(folder)
      const known = store.projects.byFolder(real)
      if (known !== undefined) return withAvailability(known)
      const project = {
        id: options.nextId('prj'),
        folder: real,
        name: path.basename(real) || real,
        goals: [],
        dayBudget: { tokens: null, usd: null },
        trusted: false,
        createdAt: options.now(),
      }
      store.transaction(() => store.projects.insert(project))
      options.onNew?.(project.id)
      return withAvailability(project)
    },
    save(id, { name, goals, dayBudget, trusted }) {
      const known = store.projects.get(id)
      if (known === undefined) throw notFound(id)
      const named = { ...(name && { name }), ...(goals && { goals }), ...(dayBudget && { dayBudget }) }
      const next = { ...known, ...named, ...(trusted !== undefined && { trusted }) }
      store.transaction(() => store.projects.update(next))
      if (next.trusted !== known.trusted) options.onTrust?.()
      return withAvailability(next)
    },
  }
}

function notFound(id: string): AppError {
  return new AppError('project.not_found', {
    message: `no project ${id}`,
    userMessage: 'There is no such project in this store. Nothing was changed.',
  })
}

function withAvailability(project: ProjectRow): Project {
  return { ...project, available: isAvailable(project.folder) }
}

/** Whatever keeps the folder from being looked at (gone, a loop of links, a disk that fails) only makes it unavailable. */
function isAvailable(folder: string): boolean {
  try {
    fs.accessSync(folder, fs.constants.R_OK)
    return fs.statSync(folder).isDirectory()
  } catch {
    return false
  }
}

function ownFolder(folder: string): AppError {
  return new AppError('project.missing', {
    message: `${folder} is the app's own data`,
    userMessage: `The folder ${folder} holds Threadsmith's own data, which no agent reads. Nothing was changed. Choose another folder.`,
    data: { folder },
  })
}

function realFolder(folder: string): string {
  try {
    const real = fs.realpathSync(path.resolve(folder))
    fs.readdirSync(real)
    return real
  } catch (cause) {
    throw new AppError('project.missing', {
      message: `cannot open the folder ${folder}`,
      userMessage: `The folder ${folder} is not there, or cannot be read. Nothing was changed. Choose another folder.`,
      cause,
      data: { folder },
    })
  }
}
