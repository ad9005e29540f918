import type { Cadence, EventFilter, MissionDefinition } from '../domain/mission.ts'
import { durationWords } from './cadence.ts'

/** A definition as its file: read again it means the same. Durations are whole seconds there. */
export function missionText(definition: MissionDefinition): string {
  const { name, description, cadence, zone, success, focus, budget, skills, actions } = definition
  const { missed, catchUp, maxLatenessMs, overlap, dailyCap, cooldownMs, dedupeMs, pauseAfter, tier } = definition
  const time = (key: string, ms: number | null) => said(key, ms === null ? null : secondsText(ms))
  const lines = [
    ...said('name', name),
    ...(description === '' ? [] : said('description', description)),
    ...said('cadence', cadenceText(cadence)),
    ...(cadence.kind === 'event' ? filterLines(cadence.only) : []),
    ...[...said('zone', zone), ...said('success', success), ...said('focus', focus)],
    ...[...said('missed', missed), ...said('catch-up', catchUp), ...time('max-lateness', maxLatenessMs)],
    ...[...said('overlap', overlap), ...said('daily-cap', dailyCap), ...time('cooldown', cooldownMs)],
    ...[...time('dedupe', dedupeMs), ...said('pause-after', pauseAfter), ...said('budget-tokens', budget.tokens)],
    ...[...said('budget-usd', budget.usd), ...said('budget-steps', budget.steps), ...time('budget-time', budget.ms)],
    ...said('tier', tier),
    ...(skills.length === 0 ? [] : [names('skills', skills)]),
    ...(actions === null ? [] : [names('actions', actions)]),
  ]
  return `---\n${lines.join('\n')}\n---\n\n${definition.goal}\n`
}

function said(key: string, value: string | number | null): readonly string[] {
  return value === null ? [] : [`${key}: ${scalar(`${value}`)}`]
}

function names(key: string, values: readonly string[]): string {
  return `${key}: [${values.map(scalar).join(', ')}]`
}

/** What counts of an event: what was not said is left out here too. */
function filterLines({ projects, threads, outcomes, goal, each, paths, idleMs }: EventFilter = {}): readonly string[] {
  return [
    ...[...said('projects', projects ?? null), ...said('threads', threads ?? null)],
    ...(outcomes === undefined ? [] : [names('outcomes', outcomes)]),
    ...[...said('goal-matches', goal ?? null), ...said('each', each ?? null)],
    ...(paths === undefined ? [] : [names('paths', paths)]),
    ...said('idle-for', idleMs === undefined ? null : secondsText(idleMs)),
  ]
}

function cadenceText(cadence: Cadence): string {
  switch (cadence.kind) {
    case 'cron':
      return cadence.expression
    case 'every':
      return `every ${secondsText(cadence.everyMs)}`
    case 'once':
      return `at ${cadence.day} ${cadence.time}`
    case 'event':
      return `on ${cadence.on}`
    case 'webhook':
    case 'manual':
      return cadence.kind
  }
}

function secondsText(ms: number): string {
  return durationWords(Math.ceil(ms / 1_000) * 1_000).replace('0 milliseconds', '0 s')
}

/** Plain where YAML reads it as it stands. */
function scalar(text: string): string {
  return /^[A-Za-z0-9](?:[A-Za-z0-9 _./-]*[A-Za-z0-9])?$/.test(text) ? text : JSON.stringify(text)
}
