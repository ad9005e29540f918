import os from 'node:os'
import { DateTime } from 'luxon'
import type { Capabilities } from './capabilities/capabilities.ts'
import type { Approval, CallPreview } from './domain/approval.ts'
import type { JsonObject } from './domain/json.ts'
import { profileText } from './domain/profile.ts'
import type { Settings } from './domain/settings.ts'
import type { Clock, EngineOptions } from './engine-options.ts'
import type { Events } from './events/events.ts'
import { createModels, createPlanner, type LocalModels, type Models } from './models/models.ts'
import type { PromptFacts } from './orchestrator/orchestrator.ts'
import type { Secrets } from './secrets.ts'
import type { SettingsStore } from './settings.ts'
import { bundledFolder, projectFolders, type SkillFolder, type ThreadSkills, userFolders } from './skills/skills.ts'
import type { ProjectRow, Store } from './store/store.ts'
import type { Slots } from './threads/threads.ts'

// What `createEngine` makes of its options; it alone wires.

/** Every model that there is, by the settings of this moment. */
export function modelsOf(
  options: EngineOptions,
  seams: {
    readonly timeZone: string
    readonly secrets: Secrets
    readonly clock: Clock
    readonly random: () => number
  },
  { settings, local }: { readonly settings: SettingsStore; readonly local: LocalModels },
): Models {
  const planner = createPlanner({ timeZone: seams.timeZone })
  return createModels({
    settings: () => settings.current,
    secrets: seams.secrets,
    embedded: { planner, ...options.embedded },
    local,
    clock: seams.clock,
    random: seams.random,
    ...(options.usualServers && { usualServers: options.usualServers }),
    ...(options.wait && { wait: options.wait }),
  })
}

/** What ships with the app, then what a person has for all their agents; of a project what lies in its folder, once they trust it. */
export function skillFoldersOf(
  { contentDir, skillFolders }: EngineOptions,
  project: ProjectRow | null | undefined,
): readonly SkillFolder[] {
  if (project === null) return skillFolders ?? [bundledFolder(contentDir), ...userFolders(os.homedir())]
  return project?.trusted ? projectFolders(project.folder) : []
}

/** For a chat of no project yet. */
export function factsOfNewChat({ runsCode, profile }: Settings, startedAt: number, catalogue: string): PromptFacts {
  const nothing = { projectName: '', folder: '', depth: 0, goals: [], learnt: '' }
  return { ...nothing, startedAt, runsCode, profile: profileText(profile), catalogue }
}

/** What an edited call would do, in the place of the one that was asked about. */
export async function previewEdit(
  { store, capabilities }: { readonly store: Store; readonly capabilities: Capabilities },
  approval: Approval,
  edited: JsonObject,
): Promise<CallPreview> {
  const { threadId, projectId, callId: id, action: name } = approval
  const rootId = store.threads.get(threadId)?.rootId ?? threadId
  const folder = store.projects.get(projectId)?.folder ?? ''
  return capabilities.preview({ id, name, arguments: edited }, { threadId, rootId, projectId, folder })
}

/** The start of the day that holds a moment, in a zone. Epoch ms. */
export function midnightIn(timeZone: string): (at: number) => number {
  return (at) => DateTime.fromMillis(at, { zone: timeZone }).startOf('day').toMillis()
}

/** For `doctor`. */
export function runtimeText(): string {
  const { node, electron, chrome } = process.versions
  return `Node ${node}${electron === undefined ? '' : `, Electron ${electron}, Chrome ${chrome}`}`
}

/** Why a mission cannot work now: one of its skills is not there, or lacks something. Null where nothing is missing. */
export function missingSkill(
  skills: Pick<ThreadSkills, 'get' | 'missing'>,
  names: readonly string[],
  projectId: string,
): string | null {
  for (const name of names) {
    const skill = skills.get(name, projectId)
    if (skill === undefined) return `there is no skill ${name}`
    const lacking = skills.missing(skill)
    if (lacking.length > 0) return `the skill ${name} needs ${lacking.join(' and ')}`
  }
  return null
}

export function infoOf(options: EngineOptions, log: Pick<Events, 'lastSeq'>, slots: Slots) {
  return {
    version: options.version,
    dataDir: options.dataDir,
    readOnly: options.readOnly ?? false,
    slots: { used: slots.used, total: slots.total, queued: slots.queued },
    lastSeq: log.lastSeq,
  }
}
