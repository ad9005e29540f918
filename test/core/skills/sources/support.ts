import fs from 'node:fs'
import path from 'node:path'
import type { SkillFolder } from '../../../../core/skills/sources/scan.ts'

/** A plain SKILL.md. */
export function plainSkill(
  name: string,
  more: { readonly description?: string; readonly header?: string } = {},
): string {
  const { description = `About ${name}.`, header = '' } = more
  return `---\nname: ${name}\ndescription: ${description}\n${header}---\nHow to ${name}.\n`
}

export function put(folder: string, files: Readonly<Record<string, string | Uint8Array>>): string {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, content)
  }
  return folder
}

export function sourceAt(folder: string, more: Partial<SkillFolder> = {}): SkillFolder {
  return { folder, place: path.basename(folder), trust: 'trusted', plainSource: 'migrated', ...more }
}
