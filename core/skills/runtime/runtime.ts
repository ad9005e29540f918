export type { SkillsEvent } from './analytics.ts'
export {
  createSkills,
  type LoadedRecord,
  type SkillRefused,
  type SkillSaved,
  type SkillsCatalogue,
  type SkillsConfig,
  type SkillsContract,
  type SkillsRun,
  type SkillsSeams,
} from './contract.ts'
export { createHostedSkills, type HostedSkills } from './hosted.ts'
export type { EmbedTexts, SkillInjectMode } from './inject.ts'
export { MockSkillsStore } from './mock-store.ts'
export type {
  SkillCatalogueEntry,
  SkillDraftRecord,
  SkillPromotion,
  SkillRecord,
  SkillsStoreContract,
} from './record.ts'
export type { SkillDecision, SkillReview } from './review.ts'
export type { ReadManifest, SkillSourceConfig, SkillSourceProblem } from './sources.ts'
