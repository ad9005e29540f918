export type { Diagnostic, SkillError, SkillWarning } from './file/diagnostic.ts'
export { parseSkill, type SkillFile, type SkillVerdict } from './file/parse.ts'
