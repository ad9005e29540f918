export { skillBlock } from './block.ts'
export type { Manifests } from './collection/collection.ts'
export { readHeader } from './file/header.ts'
export { parseSkill, type SkillCredential } from './file/parse.ts'
export { writeSkillFile } from './file/write.ts'
export { createSkillHost } from './gate.ts'
export { type LoadedSkill, readSkillLibrary, type SkillLibrary } from './library.ts'
export { activeOf, whyNot } from './load.ts'
export { manifestOf } from './manifest.ts'
export type { SkillProposal, SkillReview } from './review/review.ts'
export type { SkillsConfig, SkillsContract } from './runtime/contract.ts'
export { createHostedSkills, type HostedSkills, type HostedTold, hostedCeiling } from './runtime/hosted.ts'
export { skillTextOf } from './skill-text.ts'
export { bundledFolder, projectFolders, userFolders } from './sources/folders.ts'
export { mergeSkills, type SkillScan } from './sources/found.ts'
export {
  createManifestSource,
  type FetchText,
  manifestError,
  placeOf,
} from './sources/manifest.ts'
export { readResource, resourcesIn } from './sources/resources.ts'
export type { SkillFolder } from './sources/scan.ts'
export { createSkillSystem, type SkillSystem } from './system.ts'
export type { SkillsTold, ThreadSkills } from './thread-skills.ts'
