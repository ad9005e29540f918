import { call } from '../engine/client.ts'
import { getApp, setApp } from './store.ts'

/** The skills of the folder that the window works in, those of everywhere among them, and the files that are none. */
export async function loadSkills(): Promise<void> {
  const [skills, skillProblems] = await Promise.all([
    call('skill.list', ofProject()),
    call('skill.problems', ofProject()),
  ])
  setApp({ skills, skillProblems })
}

/** Reads the files of all sources anew. */
export async function rescanSkills(): Promise<void> {
  await call('skill.rescan', {})
  await loadSkills()
}

/** One skill by id or name; without a version the live one. */
export function readSkill(name: string, version?: number) {
  return call('skill.get', { name, ...ofProject(), ...(version !== undefined && { version }) })
}

function ofProject(): { readonly projectId?: string } {
  const { projectId } = getApp()
  return projectId === null ? {} : { projectId }
}
