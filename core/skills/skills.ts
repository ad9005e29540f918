export { parseSkill, type SkillCredential } from './file/parse.ts'
export { createSkillHost } from './gate.ts'
export { type LoadedSkill, readSkillLibrary, type SkillLibrary } from './library.ts'
export { createThreadSkills, type SkillsTold, type ThreadSkills } from './thread-skills.ts'
