import path from 'node:path'
import type { SkillFolder } from './scan.ts'

export const bundledPlace = 'built in'

/** That ships with the app. */
export function bundledFolder(contentDir: string): SkillFolder {
  return { folder: path.join(contentDir, 'skills'), place: bundledPlace, trust: 'trusted', plainSource: 'authored' }
}

/** Of the person, for all projects; a later one wins. */
export function userFolders(home: string): readonly SkillFolder[] {
  return ['.agents', '.claude'].map((name) => ({
    folder: path.join(home, name, 'skills'),
    place: `~/${name}/skills`,
    trust: 'trusted',
    plainSource: 'migrated',
  }))
}

/** Of one project, to be read only while its folder is trusted; a later one wins. Whoever wrote the project wrote them: installed. */
export function projectFolders(projectFolder: string): readonly SkillFolder[] {
  return ['.agents', '.claude', '.threadsmith'].map((name) => ({
    folder: path.join(projectFolder, name, 'skills'),
    place: `${name}/skills`,
    trust: 'installed',
    plainSource: 'migrated',
    within: projectFolder,
  }))
}
