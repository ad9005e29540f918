import path from 'node:path'
import { count, type Line, none, only, text, wrongUsage } from './line.ts'

export type SkillCommand =
  | { readonly name: 'skill list' }
  | { readonly name: 'skill show'; readonly skill: string; readonly version?: number }
  | { readonly name: 'skill select'; readonly goal: string; readonly folder: string }
  | {
      readonly name: 'skill approve' | 'skill reject' | 'skill quarantine'
      readonly id: string
      readonly reason?: string
    }
  | { readonly name: 'skill import'; readonly path: string; readonly isDryRun: boolean }
  | { readonly name: 'skill export'; readonly skill: string; readonly path: string; readonly version?: number }
  | { readonly name: 'skill sources' }
  | { readonly name: 'skill follow' | 'skill unfollow'; readonly url: string }
  | { readonly name: 'skill rollback'; readonly skill: string; readonly to: number; readonly reason?: string }

const versions = { min: 1, max: 999_999_999 }

export function skillCommand(name: SkillCommand['name'], { rest, values, currentFolder }: Line): SkillCommand {
  const said = text(values, 'reason')?.trim()
  const reason = { ...(said && { reason: said }) }
  if (name !== 'skill show' && name !== 'skill export' && values.version !== undefined)
    throw wrongUsage(`${name} takes no --version`)
  switch (name) {
    case 'skill list':
    case 'skill sources':
      none(rest)
      return { name }
    case 'skill show': {
      const version = count(values, 'version', versions)
      return { name, skill: only(rest, 'the name of a skill'), ...(version !== undefined && { version }) }
    }
    case 'skill select':
      return {
        name,
        goal: only(rest, 'a goal, in quotes'),
        folder: path.resolve(currentFolder, text(values, 'project') ?? '.'),
      }
    case 'skill approve':
    case 'skill reject':
    case 'skill quarantine':
      return { name, id: only(rest, 'the id of a candidate, as `approval list` shows it'), ...reason }
    case 'skill import':
      return {
        name,
        path: path.resolve(currentFolder, only(rest, 'a folder or a zip file')),
        isDryRun: values['dry-run'] === true,
      }
    case 'skill export': {
      const [skill, target] = rest
      if (skill === undefined || target === undefined || rest.length > 2)
        throw wrongUsage('skill export takes the name of a skill, and a folder or a file that ends in .zip')
      const version = count(values, 'version', versions)
      return { name, skill, path: path.resolve(currentFolder, target), ...(version !== undefined && { version }) }
    }
    case 'skill follow':
    case 'skill unfollow':
      return { name, url: only(rest, 'the address of a list of skills') }
    case 'skill rollback': {
      const to = count(values, 'to', versions)
      if (to === undefined) throw wrongUsage('skill rollback takes --to N: the version to go back to')
      return { name, skill: only(rest, 'the name of a skill'), to, ...reason }
    }
  }
}
