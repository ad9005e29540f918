import { hash } from 'node:crypto'
import { z } from 'zod'
import { AppError, errorBody } from './domain/error.ts'
import { limits } from './domain/limits.ts'
import type { SkillList } from './domain/skill.ts'
import type { Secrets } from './secrets.ts'
import type { SettingsStore } from './settings.ts'
import {
  createManifestSource,
  type FetchText,
  type Manifests,
  mergeSkills,
  placeOf,
  type SkillScan,
} from './skills/skills.ts'

/** Lists of skills on servers. What one held stays in use while it does not answer. */
export interface SkillLists {
  list(): readonly SkillList[]
  /** Reads it at once. @throws AppError skill.manifest where it is no such list; secret.unavailable */
  follow(url: string, headers: Readonly<Record<string, string>>): Promise<readonly SkillList[]>
  /** Its skills are out of use then; their versions and uses stay on record. */
  unfollow(url: string): Promise<readonly SkillList[]>
  /** Reads all of them anew. What fails is shown in the list. */
  read(): Promise<void>
  /** For the collection of skills. */
  manifests(): Manifests
}

interface Read {
  readonly scan: SkillScan | null
  readonly problem: string | null
}

export function createSkillLists(parts: {
  readonly settings: SettingsStore
  readonly secrets: Secrets
  readonly fetchText: FetchText
  /** What they hold is another. */
  readonly onChange: () => void
  readonly signal: AbortSignal
}): SkillLists {
  const { settings, secrets, fetchText } = parts
  const known = new Map<string, Read>()

  async function headersOf(keyName: string | null): Promise<Readonly<Record<string, string>>> {
    if (keyName === null) return {}
    const kept = await secrets.get(keyName)
    return kept === undefined ? {} : headerSchema.parse(JSON.parse(kept))
  }

  async function readOne(url: string, keyName: string | null): Promise<void> {
    const before = known.get(url)?.scan ?? null
    try {
      const source = createManifestSource({ url, headers: await headersOf(keyName) }, fetchText)
      known.set(url, { scan: await source.load(parts.signal), problem: null })
    } catch (error) {
      known.set(url, { scan: before, problem: errorBody(error, 'skill.manifest').userMessage })
    }
  }

  function list(): readonly SkillList[] {
    return settings.current.skillLists.map(({ url, keyName }) => {
      const { scan = null, problem = null } = known.get(url) ?? {}
      const state = problem !== null ? 'failed' : scan === null ? 'unread' : 'ready'
      return { url, state, skills: scan?.found.length ?? 0, hasHeaders: keyName !== null, problem }
    })
  }

  return {
    list,
    async follow(url, headers) {
      const others = () => settings.current.skillLists.filter((each) => each.url !== url)
      if (others().length >= limits.skillLists) throw tooMany()
      // First that it is such a list: nothing is kept of an address that is none.
      const scan = await createManifestSource({ url, headers }, fetchText).load(parts.signal)
      // Another one may have been followed, or left, while this one was read.
      if (others().length >= limits.skillLists) throw tooMany()
      const keyName = Object.keys(headers).length === 0 ? null : `skills:${hash('sha256', url).slice(0, 12)}`
      if (keyName !== null) await secrets.set(keyName, JSON.stringify(headers))
      settings.set({ skillLists: [...others(), { url, keyName }] })
      known.set(url, { scan, problem: null })
      parts.onChange()
      return list()
    },
    async unfollow(url) {
      const gone = settings.current.skillLists.find((each) => each.url === url)
      if (gone === undefined) return list()
      settings.set({ skillLists: settings.current.skillLists.filter((each) => each.url !== url) })
      known.delete(url)
      if (gone.keyName !== null) await secrets.remove(gone.keyName)
      parts.onChange()
      return list()
    },
    async read() {
      const lists = settings.current.skillLists
      if (lists.length === 0) return
      await Promise.all(lists.map(({ url, keyName }) => readOne(url, keyName)))
      parts.onChange()
    },
    manifests() {
      const urls = settings.current.skillLists.map(({ url }) => url)
      const read = urls.flatMap((url) => known.get(url)?.scan ?? [])
      const unread = urls.filter((url) => (known.get(url)?.scan ?? null) === null).map(placeOf)
      return { scan: mergeSkills(read), unread }
    },
  }
}

const headerSchema = z.record(z.string(), z.string())

function tooMany(): AppError {
  return new AppError('skill.manifest', {
    message: `more than ${limits.skillLists} lists of skills`,
    userMessage: `At most ${limits.skillLists} lists of skills are followed. Nothing was changed. Leave one of them first.`,
  })
}
