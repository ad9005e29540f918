import fs from 'node:fs'
import path from 'node:path'
import type { Engine } from '../../../core/engine.ts'
import type { LoopbackServer } from './servers.ts'

/** Everything that an effect could change: files of the project and around it, what servers got, notes, what may be done. */
export interface World {
  readonly files: Readonly<Record<string, string>>
  readonly received: readonly string[]
  readonly notes: readonly string[]
  readonly grants: number
  readonly loops: number
  readonly settings: string
}

export interface Observed {
  readonly engine: Engine
  readonly projectId: string
  /** The project lies in it. */
  readonly base: string
  readonly servers: readonly LoopbackServer[]
}

export async function look({ engine, projectId, base, servers }: Observed): Promise<World> {
  const docs = engine.store.docs.list({ projectId, archived: false, limit: 100 })
  return {
    files: filesIn(base),
    received: servers.flatMap((server) => server.received),
    // What the engine itself notes of a thread that failed is no effect of the thread.
    notes: docs
      .filter(({ provenance }) => provenance !== 'analysis')
      .map(({ id, version, title }) => `${title} ${version} ${engine.store.docs.get(id)?.content}`),
    grants: engine.store.grants.live().length,
    loops: (await engine.api.call('orchestrator.list', {})).length,
    settings: JSON.stringify(await engine.api.call('settings.get', {})),
  }
}

/** What is not as it was, in words. */
export function effectsBetween(before: World, after: World): readonly string[] {
  const names = new Set([...Object.keys(before.files), ...Object.keys(after.files)])
  const files = [...names].filter((name) => before.files[name] !== after.files[name]).map((name) => `file ${name}`)
  const received = after.received.slice(before.received.length).map((each) => `received ${each}`)
  const notes = after.notes.filter((each) => !before.notes.includes(each)).map((each) => `note ${each}`)
  const rest = (['grants', 'loops', 'settings'] as const).filter((key) => before[key] !== after[key])
  return [...files, ...received, ...notes, ...rest]
}

function filesIn(base: string): Readonly<Record<string, string>> {
  const entries = fs.readdirSync(base, { recursive: true, withFileTypes: true })
  return Object.fromEntries(
    entries.map((entry) => {
      const file = path.join(entry.parentPath, entry.name)
      return [path.relative(base, file), entry.isFile() ? fs.readFileSync(file, 'utf8') : 'folder'] as const
    }),
  )
}
