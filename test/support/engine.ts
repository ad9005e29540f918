import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import type { StoredEvent } from '../../core/domain/event.ts'
import { createEngine, type Engine, type EngineOptions } from '../../core/engine.ts'
import { bundledFolder } from '../../core/skills/skills.ts'
import { spawnLocal, spawnSandbox } from './children.ts'

export const contentDir = path.resolve(import.meta.dirname, '../..')

/** A folder that is gone when the test has ended. */
export function temporaryFolder(name = 'threadsmith-'): string {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), name)))
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A project folder with the given files. */
export function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder('threadsmith-project-')
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, content)
  }
  return folder
}

/** A real engine on a temporary data folder; stopped when the test has ended. */
export async function startEngine(options: Partial<EngineOptions> = {}): Promise<Engine> {
  const engine = await createEngine({
    dataDir: options.dataDir ?? temporaryFolder(),
    contentDir,
    version: '0.0.0-test',
    command: 'test',
    timeZone: 'UTC',
    // What whoever runs the tests has in their home is nobody's business.
    skillFolders: [bundledFolder(contentDir)],
    spawnSandbox,
    spawnLocal,
    ...options,
  })
  onTestFinished(() => engine.stop('the test has ended'))
  return engine
}

/** Every tier answered by the scripted provider. */
export async function useScriptedModel(engine: Engine): Promise<void> {
  const scripted = { providerId: 'scripted', model: 'scripted' }
  await engine.api.call('settings.set', { patch: { tiers: { minuet: scripted, allegro: scripted, forte: scripted } } })
}

/** Runs one goal to its rest and answers its thread. */
export async function runGoal(engine: Engine, folder: string, text: string) {
  const project = await engine.api.call('project.open', { folder })
  const { threadId } = await engine.api.call('thread.send', { projectId: project.id, text })
  await engine.threads.join([threadId], AbortSignal.timeout(60_000))
  return engine.api.call('thread.get', { id: threadId })
}

/** The missions that ship with the app are gone: what a test lists is its own. */
export async function removeMissions(engine: Engine): Promise<void> {
  for (const { id } of await engine.api.call('mission.list', {})) await engine.api.call('mission.remove', { id })
}

/** The whole events of a thread, in order. */
export function eventsOf(engine: Engine, threadId: string): readonly StoredEvent[] {
  return engine.store.events.ofThread(threadId, 0, 100_000)
}

export function kindsOf(events: readonly StoredEvent[]): readonly string[] {
  return events.map((event) => event.kind)
}
