import fs from 'node:fs'
import path from 'node:path'
import { AppError } from './domain/error.ts'
import { limits } from './domain/limits.ts'
import type { MissionDefinition } from './domain/mission.ts'
import { type Missions, parseMission } from './missions/missions.ts'
import type { Store } from './store/store.ts'

/** Missions that ship with the app, one of each for every project. */
export interface MissionFiles {
  /** Makes what a project does not have; a newer file is the next version of one that nobody changed. */
  addTo(projectId: string): void
}

/** @throws AppError mission.invalid where a file that ships with the app cannot be read. */
export function createMissionFiles(parts: {
  readonly contentDir: string
  readonly zone: string
  readonly store: Store
  readonly missions: Pick<Missions, 'save'>
}): MissionFiles {
  const { store, missions } = parts
  const definitions = readAll(path.join(parts.contentDir, 'missions'), parts.zone)
  return {
    addTo(projectId) {
      for (const definition of definitions) {
        const known = store.missions.byName(projectId, definition.name)
        // One that a person removed stays removed, one that they changed stays as they want it.
        const isLeft = known === undefined && store.missions.wasThere(projectId, definition.name)
        if (isLeft || (known !== undefined && known.source !== 'file')) continue
        missions.save({ projectId, definition, source: 'file' })
      }
    },
  }
}

function readAll(folder: string, zone: string): readonly MissionDefinition[] {
  if (!fs.existsSync(folder)) return []
  return fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => readMission(path.join(folder, name), zone))
}

/** @throws AppError mission.invalid, with the line; mission.not_found */
function readMission(file: string, zone: string): MissionDefinition {
  const bytes = readBounded(file)
  const verdict = parseMission(bytes, { zone })
  if (verdict.ok) return verdict.definition
  const text = verdict.problems.map(({ line, message }) => (line === null ? message : `Line ${line}: ${message}`))
  throw new AppError('mission.invalid', {
    message: `${file}: ${text.join(' ')}`,
    userMessage: `${path.basename(file)} is no mission yet. ${text.join(' ')} Nothing was changed.`,
  })
}

function readBounded(file: string): Buffer {
  try {
    if (fs.statSync(file).size <= limits.skillFileBytes) return fs.readFileSync(file)
  } catch (error) {
    throw new AppError('mission.not_found', {
      message: `${file}: ${error instanceof Error ? error.message : 'it cannot be read'}`,
      userMessage: `${file} cannot be read. Nothing was changed.`,
      cause: error,
    })
  }
  throw new AppError('mission.invalid', {
    message: `${file} is too large`,
    userMessage: `${file} is larger than ${limits.skillFileBytes / 1_048_576} MiB: that is no mission. Nothing was changed.`,
  })
}
