import { fenced } from '../domain/fence.ts'
import { profileText } from '../domain/profile.ts'
import type { Settings } from '../domain/settings.ts'
import { type Source, sourceOf, withSources } from '../domain/source.ts'
import type { Tier } from '../domain/thread.ts'
import { knowledgeText, type Memory } from '../memory/memory.ts'
import type { Prompts } from '../orchestrator/orchestrator.ts'
import { activeOf, type LoadedSkill, manifestOf, skillBlock, type ThreadSkills } from '../skills/skills.ts'
import type { Store } from '../store/store.ts'
import { type RunSurroundings, type RunWish, requireProject } from '../threads/threads.ts'
import { type ConnectionGate, frozenTools } from './tools.ts'

/** What a run is made of. */
export interface WishParts {
  readonly store: Store
  readonly memory: Pick<Memory, 'retrieveDocs'>
  readonly prompts: Pick<Prompts, 'run'>
  readonly skills: Pick<ThreadSkills, 'active'>
  readonly settings: () => Settings
  /** Names of all actions that there are. */
  readonly actionNames: readonly string[]
  /** The connection gate, for one skill. */
  readonly gate: (skill: LoadedSkill) => ConnectionGate
  readonly now: () => number
}

export interface WishFor {
  readonly skill: LoadedSkill
  readonly objective: string
  readonly projectId: string
  readonly around: RunSurroundings
  /** The thread that waits for it; null for none. */
  readonly callerId: string | null
  readonly tier?: Tier | undefined
  readonly signal: AbortSignal
}

/** Everything that a run is told and may use, read once before it begins. @throws AppError project.not_found; the signal's reason */
export async function makeWish(
  parts: WishParts,
  { skill, objective, projectId, around, callerId, tier, signal }: WishFor,
): Promise<RunWish> {
  const { name: projectName, folder } = requireProject(parts.store, projectId)
  const manifest = manifestOf(skill)
  const docs = await parts.memory.retrieveDocs(projectId, objective, { signal })
  const { actions, withheld } = frozenTools(manifest.tools, { known: parts.actionNames, gate: parts.gate(skill) })
  const { profile, runsCode } = parts.settings()
  const system = parts.prompts.run({
    ...{ startedAt: parts.now(), projectName, folder, runsCode },
    userContext: [profileText(profile), knowledgeText(docs)].filter((text) => text !== '').join('\n'),
    skill: skillBlock(skill),
    withheld: withheld.map(({ name, reason }) => `${name}: ${reason}`),
  })
  return {
    mark: { skill: skill.name, version: skill.version },
    // A ceiling that holds for whoever asks holds for what they ask for.
    skills: [activeOf(skill), ...installedOf(parts.skills, callerId).filter(({ id }) => id !== skill.id)],
    ...{ goal: objective, tier: tier ?? manifest.tier, hasOwnTier: manifest.hasOwnTier },
    ...{ maxSteps: manifest.maxTurns, actions, system },
    sources: withSources(
      sourcesOf(skill),
      docs.filter(({ untrusted }) => untrusted).map(({ title }) => sourceOf('memory', title)),
    ),
    conversation: conversationOf(around),
    docs: docs.map(({ id, version, type, title, score, untrusted }) => ({
      ...{ id, version, type, title, score },
      ...(untrusted && { untrusted: true as const }),
    })),
  }
}

function conversationOf({ conversation, sources }: RunSurroundings): RunWish['conversation'] {
  if (conversation.trim() === '') return null
  return { text: `# The conversation that this is part of\n\n${fenced(conversation, sources)}`, sources }
}

function installedOf(skills: WishParts['skills'], callerId: string | null) {
  const installed = callerId === null ? [] : skills.active(callerId).filter(({ trust }) => trust === 'installed')
  // Held to their ceiling, without their text.
  return installed.map((skill) => ({ ...skill, tokens: 0 }))
}

function sourcesOf({ name, trust }: LoadedSkill): readonly Source[] {
  return trust === 'installed' ? [sourceOf('skill', name)] : []
}
