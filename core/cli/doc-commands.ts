import path from 'node:path'
import { type DocType, docTypes } from '../domain/memory.ts'
import { count, type Line, none, only, text, wrongUsage } from './line.ts'

export type DocCommand =
  | {
      readonly name: 'doc list'
      readonly project: string
      readonly type?: DocType
      readonly limit: number
      readonly before?: number
    }
  | { readonly name: 'doc show'; readonly project: string; readonly id: string; readonly version?: number }
  | { readonly name: 'doc search'; readonly project: string; readonly query: string; readonly limit: number }
  | { readonly name: 'doc export'; readonly project: string; readonly id?: string; readonly out: string }

export function docCommand(name: DocCommand['name'], line: Line): DocCommand {
  const { rest, values, currentFolder } = line
  const project = path.resolve(currentFolder, text(values, 'project') ?? '.')
  if (name !== 'doc show' && values.version !== undefined) throw wrongUsage(`${name} takes no --version`)
  switch (name) {
    case 'doc list':
      none(rest)
      return docListCommand(line, project)
    case 'doc show': {
      const version = count(values, 'version', { max: 999_999_999 })
      return { name, project, id: only(rest, 'the id or the title of a doc'), ...(version && { version }) }
    }
    case 'doc search': {
      const query = only(rest, 'words to look for, in quotes')
      return { name, project, query, limit: count(values, 'limit', { max: 100 }) ?? 20 }
    }
    case 'doc export': {
      const out = path.resolve(currentFolder, text(values, 'out') ?? '.')
      if (values.all !== true) return { name, project, out, id: only(rest, 'the id or the title of a doc, or --all') }
      none(rest)
      return { name, project, out }
    }
  }
}

function docListCommand({ values }: Line, project: string): DocCommand {
  const wanted = text(values, 'type')
  const type = docTypes.find((each) => each.toLowerCase() === wanted?.toLowerCase())
  if (wanted !== undefined && type === undefined) throw wrongUsage(`--type is one of ${docTypes.join(', ')}`)
  const before = count(values, 'before', { max: 999_999_999 })
  const limit = count(values, 'limit', { max: 1_000 }) ?? 50
  return { name: 'doc list', project, limit, ...(type && { type }), ...(before && { before }) }
}
