export { parseSkill, type SkillCredential } from './file/parse.ts'
export { type LoadedSkill, readSkillLibrary, type SkillLibrary } from './library.ts'
