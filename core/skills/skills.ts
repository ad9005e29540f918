export { parseSkill, type SkillCredential } from './file/parse.ts'
export { createSkillHost } from './gate.ts'
export { type LoadedSkill, readSkillLibrary, type SkillLibrary } from './library.ts'
export { createSkillShelf, type SkillShelf } from './shelf.ts'
export {
  createManifestSource,
  type FetchText,
  type ManifestSource,
  manifestError,
  type SkillManifest,
} from './sources/manifest.ts'
export { createThreadSkills, type SkillsTold, type ThreadSkills } from './thread-skills.ts'
