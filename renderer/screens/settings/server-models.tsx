import { useState } from 'react'
import type { ProviderStatus } from '../../../core/domain/contract.ts'
import { modelRefText } from '../../../core/domain/model.ts'
import { Button } from '../../components/button.tsx'
import { windowText } from '../../format/figures.ts'
import { PriceLine } from './price-line.tsx'

const firstModels = 5

/** A server's models with their prices; long lists are cut until somebody asks. */
export function ServerModels({ provider }: { readonly provider: ProviderStatus }) {
  const [isWhole, setWhole] = useState(false)
  const { models, title } = provider
  const shown = isWhole ? models : models.slice(0, firstModels)
  if (models.length === 0) return null
  return (
    <div className="setmore models">
      <div className="label price-label">
        <span>Models of {title}</span>
        <span>USD for a million tokens</span>
      </div>
      <ul>
        {shown.map((model) => (
          <li key={modelRefText(model)}>
            <PriceLine model={model}>
              <span className="trunc model-name" title={model.model}>
                {model.title}
                {model.contextTokens !== null && <span className="mute small"> {windowText(model.contextTokens)}</span>}
              </span>
            </PriceLine>
          </li>
        ))}
      </ul>
      {models.length > shown.length && (
        <Button look="ghost" icon="down" onClick={() => setWhole(true)}>
          Show all {models.length.toLocaleString('en')} models
        </Button>
      )}
    </div>
  )
}
