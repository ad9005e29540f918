import { useId } from 'react'
import { limits } from '../../../core/domain/limits.ts'
import type { Settings } from '../../../core/domain/settings.ts'
import { tierTitles } from '../../../core/domain/thread.ts'
import { Note } from '../../components/card.tsx'
import { usdText } from '../../format/figures.ts'
import { routeHash } from '../../routes.ts'
import { tiersWithoutPrice } from '../../state/prices.ts'
import { changeSettingsBy } from '../../state/settings.ts'
import { useApp } from '../../state/store.ts'
import { amountText, minutesText, moneyText, parseMinutes, parseSteps, parseTokens, parseUsd } from './amounts.ts'
import { ProjectBudget } from './project-budget.tsx'
import { SettingField } from './setting-field.tsx'
import { useDraft } from './use-draft.ts'
import { UsedToday } from './used-today.tsx'

type Budgets = Settings['budgets']
type Scope = keyof Budgets

/** How much may be used: by one thread, by a project in a day, by all in a day. */
export function BudgetsSection() {
  const settings = useApp((state) => state.settings)
  if (!settings) return null
  const { budgets } = settings
  return (
    <>
      <h1>Budgets</h1>
      <p>
        Checked before a model is asked, and recorded with the step. A thread warns at 80 % and stops at the limit; what
        it had done stays. An empty field is no limit.
      </p>
      <UnpricedNote settings={settings} />
      <Group title="Each new thread" note="With all its children. A thread under way keeps what it began with.">
        <TokensField scope="thread" budgets={budgets} />
        <UsdField scope="thread" budgets={budgets} />
        <StepsField budgets={budgets} />
        <MinutesField budgets={budgets} />
      </Group>
      <Group title="Each project, each day" note="All threads of one folder, from midnight to midnight.">
        <TokensField scope="project" budgets={budgets} />
        <UsdField scope="project" budgets={budgets} />
        <ProjectBudget />
      </Group>
      <Group title="Everything, each day" note="All threads of all folders.">
        <TokensField scope="day" budgets={budgets} />
        <UsdField scope="day" budgets={budgets} />
      </Group>
    </>
  )
}

function Group({
  title,
  note,
  children,
}: {
  readonly title: string
  readonly note: string
  readonly children: React.ReactNode
}) {
  const id = useId()
  return (
    <>
      <div className="sech">
        <h2 id={id}>{title}</h2>
        <span className="mute small">{note}</span>
      </div>
      <fieldset className="card" aria-labelledby={id}>
        {children}
      </fieldset>
    </>
  )
}

/** A limit in USD stops a model whose cost nobody knows: said before it happens. */
function UnpricedNote({ settings }: { readonly settings: Settings }) {
  const ownUsd = useApp(({ projects }) => projects.some(({ dayBudget }) => dayBudget.usd !== null))
  const hasUsd = ownUsd || Object.values(settings.budgets).some(({ usd }) => usd !== null)
  const unpriced = tiersWithoutPrice(settings)
  if (!hasUsd || unpriced.length === 0) return null
  const names = unpriced.map((tier) => `${settings.tiers[tier].model} (${tierTitles[tier]})`).join(', ')
  return (
    <div className="after-lead">
      <Note
        status="waiting"
        action={
          <a className="link" href={routeHash({ screen: 'settings', section: 'models' })}>
            Set prices
          </a>
        }
      >
        A limit in USD needs prices: a model without one is not asked. Without a price now: {names}.
      </Note>
    </div>
  )
}

interface FieldProps {
  readonly scope: Scope
  readonly budgets: Budgets
}

function TokensField({ scope, budgets }: FieldProps) {
  const used = useApp((state) => state.info?.usedToday.tokens ?? 0)
  const limit = budgets[scope].tokens
  const draft = useDraft({
    stored: amountText(limit),
    parse: parseTokens,
    save: (tokens) => saveLimit(scope, { tokens }),
  })
  const today = <UsedToday what="Tokens" used={used} limit={limit} text={(value) => value.toLocaleString('en')} />
  const detail = scope === 'day' ? today : 'Input and output together.'
  return <SettingField label="Tokens" detail={detail} unit="tokens" placeholder="no limit" draft={draft} />
}

function UsdField({ scope, budgets }: FieldProps) {
  const used = useApp((state) => state.info?.usedToday.usd ?? 0)
  const limit = budgets[scope].usd
  const draft = useDraft({ stored: moneyText(limit), parse: parseUsd, save: (usd) => saveLimit(scope, { usd }) })
  const today = (
    <UsedToday what="Money" used={used} limit={limit} text={(usd) => (usd === 0 ? '$0.00' : usdText(usd))} />
  )
  const detail = scope === 'day' ? today : 'Of models that have a price.'
  return <SettingField label="Money" detail={detail} unit="USD" placeholder="no limit" draft={draft} />
}

function StepsField({ budgets }: Pick<FieldProps, 'budgets'>) {
  const draft = useDraft({
    stored: amountText(budgets.thread.steps),
    parse: parseSteps,
    save: (steps) => saveLimit('thread', { steps }),
  })
  const detail = `One step is one answer of a model. Empty: ${limits.maxSteps}.`
  return <SettingField label="Steps" detail={detail} unit="steps" placeholder={String(limits.maxSteps)} draft={draft} />
}

function MinutesField({ budgets }: Pick<FieldProps, 'budgets'>) {
  const draft = useDraft({
    stored: minutesText(budgets.thread.ms),
    parse: parseMinutes,
    save: (ms) => saveLimit('thread', { ms }),
  })
  const detail = 'At work. Waiting for you does not count.'
  return <SettingField label="Time" detail={detail} unit="minutes" placeholder="no limit" draft={draft} />
}

function saveLimit(scope: Scope, part: Partial<Budgets['thread']>): Promise<void> {
  return changeSettingsBy(({ budgets }) => ({ budgets: { ...budgets, [scope]: { ...budgets[scope], ...part } } }))
}
