import fs from 'node:fs'
import path from 'node:path'
import { AppError } from '../domain/error.ts'
import type { DocHeader, DocType, MemoryDoc } from '../domain/memory.ts'
import { docFileName, docMarkdown } from '../memory/memory.ts'
import type { Access } from './access.ts'
import type { Terminal } from './terminal.ts'

export interface DocListOptions {
  readonly project: string
  readonly type: DocType | undefined
  readonly limit: number
  readonly before: number | undefined
}

/** `doc list`: the newest first. */
export async function listDocs(access: Access, terminal: Terminal, options: DocListOptions): Promise<number> {
  const { type, limit, before } = options
  const projectId = await projectOf(access, options.project)
  const filter = { projectId, limit, ...(type && { type }), ...(before !== undefined && { before }) }
  const { rows } = await access.call('doc.list', filter)
  for (const doc of rows) {
    terminal.json(headerOf(doc))
    terminal.line(`${doc.type.padEnd(8)} ${doc.title}  `, terminal.dim(`version ${doc.version}, ${doc.id}`))
  }
  if (rows.length === 0) terminal.note('no docs')
  return 0
}

export interface DocShowOptions {
  readonly project: string
  readonly id: string
  readonly version: number | undefined
}

/** `doc show <id|title>`: whole, the newest version where none is named. */
export async function showDoc(access: Access, terminal: Terminal, options: DocShowOptions): Promise<number> {
  const id = await idOf(access, options)
  const { version } = options
  const doc = await access.call('doc.get', { id, ...(version !== undefined && { version }) })
  terminal.json({ ...headerOf(doc), createdAt: iso(doc.createdAt), content: doc.content })
  terminal.line(`${doc.type}: ${doc.title}`)
  terminal.line(terminal.dim(`version ${doc.version}, by ${doc.provenance}, ${iso(doc.updatedAt)}  ${doc.id}`))
  if (doc.untrusted) terminal.line(terminal.status('its text came from outside', false))
  terminal.line(`\n${doc.content}`)
  return 0
}

export interface DocSearchOptions {
  readonly project: string
  readonly query: string
  readonly limit: number
}

/** `doc search "<q>"`: the best first, with why each was found. */
export async function searchDocs(access: Access, terminal: Terminal, options: DocSearchOptions): Promise<number> {
  const { query, limit } = options
  const projectId = await projectOf(access, options.project)
  const hits = await access.call('doc.search', { projectId, query, limit })
  for (const { updatedAt, ...hit } of hits) {
    terminal.json({ ...hit, updatedAt: iso(updatedAt) })
    const why = `words ${hit.ftsRank ?? '–'}, ${hit.embedder} ${hit.vectorRank ?? '–'}`
    terminal.line(`${hit.type.padEnd(8)} ${hit.title}  `, terminal.dim(`${why}  ${hit.id}`))
    terminal.line(`  ${hit.snippet.replace(/\s+/g, ' ')}`)
  }
  if (hits.length === 0) terminal.note('nothing found')
  return 0
}

export interface DocExportOptions {
  readonly project: string
  /** Undefined for every doc in use. */
  readonly id: string | undefined
  /** Absolute; made where it is missing. */
  readonly out: string
}

/** `doc export <id|--all>`: a Markdown file each. */
export async function exportDocs(access: Access, terminal: Terminal, options: DocExportOptions): Promise<number> {
  const { id, project, out } = options
  const ids = id === undefined ? await allIds(access, project) : [await idOf(access, { id, project })]
  for (const each of ids) {
    const doc = await access.call('doc.get', { id: each })
    const file = path.join(out, docFileName(doc))
    writeFile(file, docMarkdown(doc))
    terminal.json({ id: doc.id, title: doc.title, version: doc.version, file })
    terminal.line(file)
  }
  if (ids.length === 0) terminal.note('no docs')
  return 0
}

async function projectOf(access: Access, folder: string): Promise<string> {
  const real = fs.existsSync(folder) ? fs.realpathSync(folder) : folder
  const project = (await access.call('project.list', {})).find((each) => each.folder === real)
  if (project !== undefined) return project.id
  throw new AppError('project.not_found', {
    message: `no project has the folder ${real}`,
    userMessage: `${real} is no project yet, so nothing is known of it. Name another with --project.`,
  })
}

/** A doc by its id, or by the title that it has in this project. */
async function idOf(
  access: Access,
  { id, project }: { readonly id: string; readonly project: string },
): Promise<string> {
  const byId = await found(access, id)
  if (byId !== undefined) return byId.id
  const projectId = await projectOf(access, project)
  const { rows } = await access.call('doc.list', { projectId, query: id.slice(0, 200), limit: 1_000 })
  const [first, ...more] = rows.filter((doc) => doc.title === id)
  if (first !== undefined && more.length === 0) return first.id
  throw first === undefined ? noDoc(id) : several(id, [first, ...more])
}

async function found(access: Access, id: string): Promise<MemoryDoc | undefined> {
  // An id has no spaces and is short: what is longer is a title.
  if (id.length > 64) return undefined
  try {
    return await access.call('doc.get', { id })
  } catch (error) {
    if (error instanceof AppError && error.code === 'memory.not_found') return undefined
    throw error
  }
}

async function allIds(access: Access, folder: string): Promise<readonly string[]> {
  const projectId = await projectOf(access, folder)
  const ids: string[] = []
  let before: number | null = Number.MAX_SAFE_INTEGER
  while (before !== null) {
    const page: { rows: readonly DocHeader[]; next: number | null } = await access.call('doc.list', {
      projectId,
      before,
    })
    ids.push(...page.rows.map((doc) => doc.id))
    before = page.next
  }
  return ids
}

function writeFile(file: string, text: string): void {
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, text)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'it cannot be written'
    throw new AppError('store.io', {
      message: reason,
      userMessage: `${file} could not be written. The docs themselves are kept; choose another folder with --out.`,
      cause,
    })
  }
}

function headerOf(doc: DocHeader) {
  const { id, number, type, title, version, tags, provenance, untrusted, sourceThreadId, updatedAt } = doc
  return { id, number, type, title, version, tags, provenance, untrusted, sourceThreadId, updatedAt: iso(updatedAt) }
}

function iso(epochMs: number): string {
  return new Date(epochMs).toISOString()
}

function noDoc(id: string): AppError {
  return new AppError('memory.not_found', {
    message: `no doc ${id}`,
    userMessage: `There is no doc "${id}" in this project. \`threadsmith doc list\` shows what there is.`,
  })
}

function several(title: string, docs: readonly DocHeader[]): AppError {
  const ids = docs.map((doc) => `${doc.id} (${doc.type})`).join(', ')
  return new AppError('usage', {
    message: `${docs.length} docs have the title "${title}"`,
    userMessage: `Several docs have the title "${title}": name one by its id: ${ids}.`,
  })
}
