import { useState } from 'react'
import { type ModelInfo, type ModelPrice, type ModelRef, modelRefText } from '../../../core/domain/model.ts'
import type { Settings } from '../../../core/domain/settings.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/card.tsx'
import { Icon } from '../../components/icon.tsx'
import { ProbeBadges } from '../../components/probe-badges.tsx'
import { localProviderId } from '../../state/local.ts'
import { isSentToLimits } from '../../state/models-focus.ts'
import { priceText, pricingOf } from '../../state/prices.ts'
import { probeOf, testModel } from '../../state/probes.ts'
import { useApp } from '../../state/store.ts'
import { useAction } from '../../state/use-load.ts'
import { LimitsForm } from './limits-form.tsx'
import { PriceForm } from './price-form.tsx'

interface ModelLineProps {
  readonly model: ModelRef
  /** Its name, and with it its own test; without one it stands below a row that has both. */
  readonly title?: string
  /** What its provider lists of it: window and price, where it does. */
  readonly listed?: Pick<ModelInfo, 'contextTokens' | 'price'> | undefined
  /** It answers when a person was sent to the limits of this model. */
  readonly isAimedAt?: boolean
}

/** What is known of a model, what it costs, how long it may take; each can be changed in place. */
export function ModelLine({ model, title, listed, isAimedAt = true }: ModelLineProps) {
  const settings = useApp((state) => state.settings)
  const isSentTo = useApp(({ modelsFocus }) => isAimedAt && isSentToLimits(modelsFocus, model))
  const test = useAction(() => testModel(model))
  const [choice, setChoice] = useState<'price' | 'limits' | 'none' | null>(null)
  const open = choice ?? (isSentTo ? 'limits' : 'none')
  const toggle = (form: 'price' | 'limits') => setChoice(open === form ? 'none' : form)
  if (!settings || model.providerId === 'planner') return null
  const probe = probeOf(settings, model)
  const pricing = pricingOf(settings, model)
  // What the app runs has its limits where its file stands, and no price.
  const isLocal = model.providerId === localProviderId
  const priceVerb = pricing.kind === 'price' ? 'Change price' : 'Set price'
  return (
    <>
      <div className="model-line">
        <div className="model-said">
          {title !== undefined && (
            <span className="trunc model-name" title={model.model}>
              {title}
            </span>
          )}
          <ProbeBadges model={model} listedTokens={listed?.contextTokens ?? null} />
          <span className="fact">{priceWords(settings, model, listed?.price)}</span>
        </div>
        <div className="model-acts">
          {title !== undefined && (
            <Button look="ghost" aria-label={`Test ${model.model}`} disabled={test.isBusy} onClick={() => test.run()}>
              {test.isBusy ? 'Testing' : 'Test'}
            </Button>
          )}
          {!isLocal && (
            <>
              <Button
                look="ghost"
                aria-expanded={open === 'limits'}
                aria-label={`Limits of ${model.model}`}
                onClick={() => toggle('limits')}
              >
                Limits
              </Button>
              <Button
                look="ghost"
                aria-expanded={open === 'price'}
                aria-label={`${priceVerb} of ${model.model}`}
                onClick={() => toggle('price')}
              >
                {priceVerb}
              </Button>
            </>
          )}
        </div>
      </div>
      {test.error && <ErrorNote title="The test could not be made" error={test.error} />}
      {probe?.error && (
        <p className="field-err model-problem">
          <Icon name="alert" size="small" />
          <span>
            {probe.error.userMessage} <span className="mono">{probe.error.code}</span>
          </span>
        </p>
      )}
      {open === 'limits' && (
        <LimitsForm
          key={modelRefText(model)}
          model={model}
          toldTokens={probe?.contextTokens ?? listed?.contextTokens ?? null}
          onClose={() => setChoice('none')}
        />
      )}
      {open === 'price' && (
        <PriceForm
          key={modelRefText(model)}
          model={model}
          price={pricing.kind === 'price' ? pricing.price : null}
          onClose={() => setChoice('none')}
        />
      )}
    </>
  )
}

function priceWords(settings: Settings, model: ModelRef, listed: ModelPrice | undefined): string {
  const pricing = pricingOf(settings, model)
  switch (pricing.kind) {
    case 'price':
      return priceText(pricing.price)
    case 'free':
      return 'runs here, costs nothing'
    case 'none':
      return listed === undefined ? 'no price: costs are not counted' : `${priceText(listed)}, as listed`
  }
}
