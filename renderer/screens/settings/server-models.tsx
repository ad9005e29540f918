import { useState } from 'react'
import type { ProviderStatus } from '../../../core/domain/contract.ts'
import { type ModelInfo, type ModelRef, modelRefText } from '../../../core/domain/model.ts'
import { type Tier, tiers } from '../../../core/domain/thread.ts'
import { Button } from '../../components/button.tsx'
import { useApp } from '../../state/store.ts'
import { ModelLine } from './model-line.tsx'

const firstModels = 5
const mostModels = 60

/** A server's models: those of the tiers first, long lists cut until somebody asks, very long ones narrowed by a word. */
export function ServerModels({ provider }: { readonly provider: ProviderStatus }) {
  const used = useApp((state) => state.settings?.tiers)
  const [isWhole, setWhole] = useState(false)
  const [query, setQuery] = useState('')
  const { models, title } = provider
  if (models.length === 0) return null
  const matching = withUsedFirst(models, used).filter((model) => matches(model, query))
  const shown = matching.slice(0, isWhole ? mostModels : firstModels)
  return (
    <div className="setmore models">
      <div className="models-head">
        <span className="label">Models of {title}</span>
        {isWhole && models.length > mostModels && (
          <input
            className="input models-filter"
            type="search"
            aria-label={`Filter the models of ${title}`}
            placeholder="Filter"
            value={query}
            onChange={(event) => setQuery(event.target.value)}
          />
        )}
      </div>
      <ul>
        {shown.map((model) => (
          <li key={modelRefText(model)}>
            <ModelLine model={model} title={model.title} listed={model} isAimedAt={!isUsed(model, used)} />
          </li>
        ))}
      </ul>
      {matching.length === 0 && <p className="mute small">No model of {title} is called so.</p>}
      {isWhole && matching.length > shown.length && (
        <p className="mute small">
          {(matching.length - shown.length).toLocaleString('en')} more: write a part of the name.
        </p>
      )}
      {!isWhole && models.length > shown.length && (
        <Button look="ghost" icon="down" onClick={() => setWhole(true)}>
          Show all {models.length.toLocaleString('en')} models
        </Button>
      )}
    </div>
  )
}

type Used = Readonly<Record<Tier, ModelRef>> | undefined

function isUsed(model: ModelInfo, used: Used): boolean {
  return used !== undefined && tiers.some((tier) => modelRefText(used[tier]) === modelRefText(model))
}

function withUsedFirst(models: readonly ModelInfo[], used: Used): readonly ModelInfo[] {
  return [...models.filter((model) => isUsed(model, used)), ...models.filter((model) => !isUsed(model, used))]
}

function matches({ model, title }: ModelInfo, query: string): boolean {
  return `${model} ${title}`.toLowerCase().includes(query.trim().toLowerCase())
}
