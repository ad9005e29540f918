import {
  createSkills,
  MockSkillsStore,
  type SkillRecord,
  type SkillsConfig,
  type SkillsSeams,
} from '../../../../core/skills/runtime/runtime.ts'

export const never = new AbortController().signal

export function record(name: string, more: Partial<SkillRecord> = {}): SkillRecord {
  return { name, description: `About ${name}.`, version: 1, body: `How to ${name}.`, type: 'authored', ...more }
}

export const storeOf = (...records: readonly SkillRecord[]) =>
  ({ type: 'store', store: new MockSkillsStore(records) }) as const

/** Without a network, and with an embedder that counts the letters of a text. */
export function skillsOf(config: Partial<SkillsConfig>, seams: Partial<SkillsSeams> = {}) {
  return createSkills(
    { name: 'test', sources: [storeOf(record('tide'), record('reef'))], ...config },
    { embedder: () => letters, readManifest: async () => [], now: () => 7, ...seams },
  )
}

/** Texts with the same letters lie close together. */
const letters = (texts: readonly string[]) =>
  texts.map((text) => {
    const counts = new Float32Array(26)
    for (const letter of text.toLowerCase().match(/[a-z]/g) ?? []) {
      const at = letter.charCodeAt(0) - 97
      counts[at] = (counts[at] ?? 0) + 1
    }
    return counts
  })
