import type { ProviderStatus } from '../../../core/domain/contract.ts'
import type { LocalStatus } from '../../../core/domain/local.ts'
import type { ModelRef } from '../../../core/domain/model.ts'
import type { Settings } from '../../../core/domain/settings.ts'
import { type Tier, tiers, tierTitles } from '../../../core/domain/thread.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/card.tsx'
import { Choice, type ChoiceOption } from '../../components/choice.tsx'
import { windowText } from '../../format/figures.ts'
import { localProviderId, localRef, usableModels } from '../../state/local.ts'
import { planner, setTierModels } from '../../state/models.ts'
import { testModel } from '../../state/probes.ts'
import { useApp } from '../../state/store.ts'
import { useAction } from '../../state/use-load.ts'
import { ModelLine } from './model-line.tsx'

const tierDetails: Readonly<Record<Tier, string>> = {
  minuet: 'For threads that help another one, and for summaries.',
  allegro: 'For what you ask, unless you choose otherwise.',
  forte: 'For goals that need more thought than speed.',
}

/** One row for each tier: its model, and a real test of it. */
export function TierRows({ providers }: { readonly providers: readonly ProviderStatus[] }) {
  return (
    <div className="card">
      {tiers.map((tier) => (
        <TierRow key={tier} tier={tier} providers={providers} />
      ))}
    </div>
  )
}

function TierRow({ tier, providers }: { readonly tier: Tier; readonly providers: readonly ProviderStatus[] }) {
  const settings = useApp((state) => state.settings)
  const local = useApp((state) => state.local)
  const nextTier = useApp((state) => state.tier)
  const change = useAction((model: ModelRef) =>
    settings ? setTierModels({ ...settings.tiers, [tier]: model }) : Promise.resolve(),
  )
  const test = useAction((model: ModelRef) => testModel(model))
  if (!settings) return null
  const { providerId, model } = settings.tiers[tier]
  const isPlanner = providerId === 'planner'
  const error = change.error ?? test.error
  function choose(value: string): void {
    test.clear()
    change.run(refOf(value))
  }
  return (
    <div className="setgroup">
      <div className="setrow">
        <div>
          {tierTitles[tier]}
          <div className="sub">{tierDetails[tier]}</div>
        </div>
        <div className="row">
          <Choice
            label={`Model of the ${tierTitles[tier]} tier`}
            options={modelOptions(withLocal(providers, local), settings.tiers[tier])}
            value={choiceOf({ providerId, model })}
            onChange={choose}
          />
          <Button
            disabled={test.isBusy || isPlanner}
            aria-label={`Test the ${tierTitles[tier]} tier`}
            onClick={() => test.run({ providerId, model })}
          >
            {test.isBusy ? 'Testing' : 'Test'}
          </Button>
        </div>
      </div>
      {!isPlanner && (
        <div className="setmore tier-line">
          <ModelLine
            model={{ providerId, model }}
            listed={listedOf(providers, { providerId, model })}
            isAimedAt={tierOf(settings, { providerId, model }, nextTier) === tier}
          />
        </div>
      )}
      {error && (
        <div className="setmore">
          <ErrorNote title={change.error ? 'The choice was not saved' : 'The test could not be made'} error={error} />
        </div>
      )}
    </div>
  )
}

function listedOf(providers: readonly ProviderStatus[], ref: ModelRef) {
  return providers.flatMap(({ models }) => models).find((model) => choiceOf(model) === choiceOf(ref))
}

/** A model of several tiers is shown in each; who was sent to it comes to the tier that is in use, else to the first. */
function tierOf({ tiers: models }: Pick<Settings, 'tiers'>, ref: ModelRef, inUse: Tier): Tier | undefined {
  return [inUse, ...tiers].find((tier) => choiceOf(models[tier]) === choiceOf(ref))
}

/** A model that has just come into the app is on offer at once. */
function withLocal(providers: readonly ProviderStatus[], local: LocalStatus | null): readonly ProviderStatus[] {
  if (local === null) return providers
  const models = usableModels(local).map((model) => ({
    ...localRef(model),
    title: model.title,
    contextTokens: model.contextTokens ?? model.trainedTokens,
  }))
  const others = providers.filter(({ kind }) => kind !== 'local')
  const own = { id: localProviderId, kind: 'local', title: 'in the app', baseUrl: null, keyName: null } as const
  return [{ ...own, models, hasKey: false }, ...others]
}

/** The planner first, then each server's models; a model that is chosen but not listed now stays in sight. */
function modelOptions(providers: readonly ProviderStatus[], chosen: ModelRef): readonly ChoiceOption[] {
  const listed = providers
    .filter((provider) => provider.kind !== 'planner')
    .flatMap((provider) =>
      provider.models.map((model) => ({
        value: choiceOf(model),
        title: model.title,
        detail: `${provider.title}${model.contextTokens === null ? '' : `, ${windowText(model.contextTokens)}`}`,
      })),
    )
  const options = [{ value: choiceOf(planner), title: 'Built-in planner', detail: 'no model' }, ...listed]
  const value = choiceOf(chosen)
  if (options.some((option) => option.value === value)) return options
  return [...options, { value, title: chosen.model, detail: 'not listed now' }]
}

function choiceOf({ providerId, model }: ModelRef): string {
  return `${providerId}\n${model}`
}

function refOf(value: string): ModelRef {
  const at = value.indexOf('\n')
  return { providerId: value.slice(0, at), model: value.slice(at + 1) }
}
