import path from 'node:path'
import { type GrantScope, grantScopes } from '../domain/approval.ts'
import { count, type Line, none, only, text, whole, wrongUsage } from './line.ts'

export type DecisionCommand =
  | { readonly name: 'approval list' | 'orchestrator versions' }
  | {
      readonly name: 'approval approve' | 'approval deny'
      readonly id: string
      readonly reason?: string
      readonly scope: GrantScope
      readonly stop: boolean
      readonly run: boolean
    }
  | { readonly name: 'orchestrator show' | 'orchestrator rollback'; readonly version?: number }
  | { readonly name: 'orchestrator activate'; readonly version: number }
  | { readonly name: 'orchestrator propose'; readonly file: string; readonly reason: string }

const highestVersion = { min: 0, max: 999_999_999 }

export function decisionCommand(name: DecisionCommand['name'], { rest, values, currentFolder }: Line): DecisionCommand {
  switch (name) {
    case 'approval list':
    case 'orchestrator versions':
      none(rest)
      return { name }
    case 'approval approve':
    case 'approval deny': {
      const reason = text(values, 'reason')?.trim()
      return {
        ...{ name, id: only(rest, 'the id of a request'), ...(reason && { reason }) },
        ...{ scope: scopeOf(text(values, 'scope')), stop: values.stop === true, run: values['no-run'] !== true },
      }
    }
    case 'orchestrator show':
      if (rest.length === 0) return { name }
      return { name, version: versionOf(only(rest, 'at most one version')) }
    case 'orchestrator activate':
      return { name, version: versionOf(only(rest, 'the number of a version')) }
    case 'orchestrator rollback': {
      none(rest)
      const version = count(values, 'to', highestVersion)
      return { name, ...(version !== undefined && { version }) }
    }
    case 'orchestrator propose': {
      const reason = text(values, 'reason')?.trim() ?? ''
      if (reason === '') throw wrongUsage('orchestrator propose takes --reason TEXT: why the new loop is better')
      return { name, file: path.resolve(currentFolder, only(rest, 'one file of Python')), reason }
    }
  }
}

function versionOf(value: string): number {
  return whole(value, 'a version', highestVersion)
}

function scopeOf(wanted: string | undefined): GrantScope {
  const scope = grantScopes.find((each) => each === (wanted ?? 'once'))
  if (scope === undefined) throw wrongUsage(`--scope is one of ${grantScopes.join(', ')}`)
  return scope
}
