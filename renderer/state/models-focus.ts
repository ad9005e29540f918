import { type ModelRef, modelRefText } from '../../core/domain/model.ts'
import { go } from './navigation.ts'
import { type ModelsFocus, setApp } from './store.ts'

/** Opens Settings, Models, at one thing of it where one is named. */
export function openModels(modelsFocus: ModelsFocus | null = null): void {
  setApp({ modelsFocus })
  go({ screen: 'settings', section: 'models' })
}

export function isSentToLimits(focus: ModelsFocus | null, model: ModelRef): boolean {
  return focus?.kind === 'limits' && modelRefText(focus.model) === modelRefText(model)
}
