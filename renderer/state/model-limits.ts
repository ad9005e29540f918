import { type ModelRef, modelRefText } from '../../core/domain/model.ts'
import type { Settings, SettingsPatch } from '../../core/domain/settings.ts'

export type ModelLimits = Settings['modelLimits'][string]
export type ModelLimitName = keyof ModelLimits

/** One limit of a model, or null for the usual; a model without any is left out. */
export function withLimit(
  { modelLimits }: Pick<Settings, 'modelLimits'>,
  ref: ModelRef,
  [name, value]: readonly [name: ModelLimitName, value: number | null],
): SettingsPatch {
  const text = modelRefText(ref)
  const { [text]: own = {}, ...others } = modelLimits
  const { [name]: _, ...rest } = own
  const next = value === null ? rest : { ...rest, [name]: value }
  return { modelLimits: Object.keys(next).length === 0 ? others : { ...others, [text]: next } }
}
