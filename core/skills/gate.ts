import fs from 'node:fs'
import path from 'node:path'
import type { SkillFile } from './file/parse.ts'

/** What this computer has, for the requirements of skills. */
export interface SkillHost {
  hasProgram(name: string): boolean
  hasVariable(name: string): boolean
  hasFile(name: string): boolean
}

/** What a skill requires and does not find, in words; empty where it can be used. Other skills are never required. */
export function missingFor({ fields }: Pick<SkillFile, 'fields'>, host: SkillHost): readonly string[] {
  const { bins = [], env = [], config = [] } = fields.metadata?.threadsmith?.requires ?? fields.requires ?? {}
  return [
    ...bins.filter((name) => !host.hasProgram(name)).map((name) => `the program ${name}`),
    ...env.filter((name) => !host.hasVariable(name)).map((name) => `the environment variable ${name}`),
    ...config.filter((name) => !host.hasFile(name)).map((name) => `the file ${name}`),
  ]
}

/** Looks anew each time: a program can be installed while the engine runs. */
export function createSkillHost(environment: Readonly<Record<string, string | undefined>>, home: string): SkillHost {
  const folders = (environment.PATH ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder))
  const endings = ['', ...(environment.PATHEXT ?? '').toLowerCase().split(';')]
  return {
    hasProgram: (name) =>
      /^[\w.+-]+$/.test(name) &&
      folders.some((folder) => endings.some((ending) => isFile(path.join(folder, `${name}${ending}`)))),
    hasVariable: (name) => (environment[name] ?? '') !== '',
    hasFile: (name) => fs.existsSync(path.resolve(home, name.replace(/^~[/\\]/, ''))),
  }
}

function isFile(file: string): boolean {
  return fs.statSync(file, { throwIfNoEntry: false })?.isFile() ?? false
}
