import { useState } from 'react'
import { type ModelRef, modelRefText } from '../../../core/domain/model.ts'
import type { Settings } from '../../../core/domain/settings.ts'
import { Button } from '../../components/button.tsx'
import { priceText, pricingOf } from '../../state/prices.ts'
import { useApp } from '../../state/store.ts'
import { PriceForm } from './price-form.tsx'

interface PriceLineProps {
  readonly model: ModelRef
  /** Before the price: what it is the price of. */
  readonly children?: React.ReactNode
}

/** What a model costs, and the way to say so. */
export function PriceLine({ model, children }: PriceLineProps) {
  const settings = useApp((state) => state.settings)
  const [isEditing, setEditing] = useState(false)
  if (!settings || model.providerId === 'planner') return null
  const pricing = pricingOf(settings, model)
  const verb = pricing.kind === 'price' ? 'Change price' : 'Set price'
  return (
    <>
      <div className="price-line">
        {children}
        <span className="grow small dim">{wordsOf(settings, model)}</span>
        <Button
          look="ghost"
          aria-expanded={isEditing}
          aria-label={`${verb} of ${model.model}`}
          onClick={() => setEditing(!isEditing)}
        >
          {verb}
        </Button>
      </div>
      {isEditing && (
        <PriceForm
          key={modelRefText(model)}
          model={model}
          price={pricing.kind === 'price' ? pricing.price : null}
          onClose={() => setEditing(false)}
        />
      )}
    </>
  )
}

function wordsOf(settings: Settings, model: ModelRef): string {
  const pricing = pricingOf(settings, model)
  switch (pricing.kind) {
    case 'price':
      return priceText(pricing.price)
    case 'free':
      return 'runs on this computer, costs nothing'
    case 'none':
      return 'no price: costs are not counted'
  }
}
