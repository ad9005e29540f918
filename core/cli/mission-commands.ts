import path from 'node:path'
import { limits } from '../domain/limits.ts'
import { count, type Line, none, only, text, wrongUsage } from './line.ts'

export type MissionCommand =
  | { readonly name: 'mission list'; readonly folder?: string }
  | { readonly name: 'mission add'; readonly file: string; readonly folder: string }
  | { readonly name: 'mission edit'; readonly mission: string; readonly file?: string; readonly folder: string }
  | {
      readonly name: 'mission pause' | 'mission show'
      readonly mission: string
      readonly folder: string
    }
  /** `version`: the one that was seen; a proposed one is approved by it. */
  | { readonly name: 'mission resume'; readonly mission: string; readonly folder: string; readonly version?: number }
  | { readonly name: 'mission run'; readonly mission: string; readonly folder: string; readonly rehearses: boolean }
  /** `now`: epoch ms, in the place of the clock's. */
  | { readonly name: 'mission tick'; readonly now?: number }
  | {
      readonly name: 'mission firings'
      readonly mission: string
      readonly folder: string
      readonly from?: number
      readonly to?: number
    }
  | {
      readonly name: 'cron'
      readonly expression: string
      readonly zone?: string
      readonly from?: number
      readonly count: number
    }

export function missionCommand(name: MissionCommand['name'], { rest, values, currentFolder }: Line): MissionCommand {
  const given = text(values, 'project')
  const folder = path.resolve(currentFolder, given ?? '.')
  if (name !== 'mission resume' && values.version !== undefined) throw wrongUsage(`${name} takes no --version`)
  const aMission = 'the name of a mission, as `mission list` shows it'
  switch (name) {
    case 'mission list':
      none(rest)
      return { name, ...(given !== undefined && { folder }) }
    case 'mission add':
      return { name, file: path.resolve(currentFolder, only(rest, 'the file of a mission')), folder }
    case 'mission edit': {
      const [mission, file, ...more] = rest
      if (mission === undefined || more.length > 0)
        throw wrongUsage(`mission edit takes ${aMission}, and perhaps a file`)
      return { name, mission, folder, ...(file !== undefined && { file: path.resolve(currentFolder, file) }) }
    }
    case 'mission pause':
    case 'mission show':
      return { name, mission: only(rest, aMission), folder }
    case 'mission resume': {
      const version = count(values, 'version', { max: 999_999_999 })
      return { name, mission: only(rest, aMission), folder, ...(version !== undefined && { version }) }
    }
    case 'mission run':
      return { name, mission: only(rest, aMission), folder, rehearses: values.rehearse === true }
    case 'mission tick': {
      none(rest)
      const now = instant(text(values, 'now'), '--now')
      // Instants of another time would stand in the ledger of what is really due.
      if (now !== undefined && text(values, 'data') === undefined)
        throw wrongUsage('--now needs --data: a folder to try things in')
      return { name, ...(now !== undefined && { now }) }
    }
    case 'mission firings': {
      const [from, to] = [instant(text(values, 'from'), '--from'), instant(text(values, 'to'), '--to')]
      const range = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
      return { name, mission: only(rest, aMission), folder, ...range }
    }
    case 'cron': {
      const from = instant(text(values, 'from'), '--from')
      const zone = text(values, 'tz')
      return {
        ...{ name, expression: only(rest, 'a cron expression, in quotes') },
        ...(zone !== undefined && { zone }),
        ...(from !== undefined && { from }),
        count: count(values, 'count', { max: limits.cronPreview }) ?? 5,
      }
    }
  }
}

/** ISO 8601 with its offset, as epoch ms. */
function instant(value: string | undefined, what: string): number | undefined {
  if (value === undefined) return undefined
  const at = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/.test(value)
    ? Date.parse(value)
    : Number.NaN
  if (Number.isFinite(at) && at >= 0) return at
  throw wrongUsage(`${what} takes a time such as 2026-12-01T09:00:00Z`)
}
