import { call } from '../engine/client.ts'
import { setApp } from './store.ts'

/** All skills and all files that are none, of every project. */
export async function loadSkills(): Promise<void> {
  const [skills, skillProblems] = await Promise.all([call('skill.list', {}), call('skill.problems', {})])
  setApp({ skills, skillProblems })
}

/** Reads the files of all sources anew. */
export async function rescanSkills(): Promise<void> {
  const skillProblems = await call('skill.rescan', {})
  setApp({ skills: await call('skill.list', {}), skillProblems })
}
