import { useCallback, useState } from 'react'
import type { PolicyRule, Verdict } from '../../../core/domain/policy.ts'
import { Button } from '../../components/button.tsx'
import { ErrorCard } from '../../components/card.tsx'
import { Status, type StatusLook } from '../../components/status.tsx'
import { type Undoable, UndoToast } from '../../components/undo-toast.tsx'
import { changeSettingsBy } from '../../state/settings.ts'
import { useAction } from '../../state/use-load.ts'
import { effectWords } from './effect-rows.tsx'
import { RuleForm } from './rule-form.tsx'

const verdictLooks: Readonly<Record<Verdict, StatusLook>> = {
  allow: { status: 'done', word: 'allow' },
  ask: { status: 'waiting', word: 'ask' },
  deny: { status: 'denied', word: 'deny' },
}

/** A person's own rules: beside those of the engine, never in their place. */
export function PolicyRules({ rules }: { readonly rules: readonly PolicyRule[] }) {
  const [isAdding, setAdding] = useState(false)
  const [done, setDone] = useState<Undoable | null>(null)
  const change = useAction(async (edit: RuleEdit, undoable: Undoable | null) => {
    await changeRules(edit)
    setDone(undoable)
    setAdding(false)
  })
  const remove = (rule: PolicyRule, at: number) => {
    const undo = () => change.run((all) => [...all.slice(0, at), rule, ...all.slice(at)], null)
    change.run((all) => all.filter((_, n) => n !== at), { text: `Rule “${rule.name}” removed`, undo })
  }
  return (
    <>
      <div className="sech">
        <h2>Rules</h2>
        {!isAdding && (
          <Button icon="plus" onClick={() => setAdding(true)}>
            Add a rule
          </Button>
        )}
      </div>
      {isAdding && (
        <RuleForm
          isBusy={change.isBusy}
          onAdd={(rule) => change.run((all) => [...all, rule], null)}
          onClose={() => setAdding(false)}
        />
      )}
      {change.error && <ErrorCard className="after-lead" title="The rules were not saved" error={change.error} />}
      <ul className="card rules" aria-label="Rules">
        {rules.map((rule, at) => (
          // The same rule may stand there twice.
          <li key={`${at} ${rule.name}`} className="rule">
            <Status {...verdictLooks[rule.verdict]} />
            <span className="trunc">
              <When when={rule.when} />
            </span>
            <span className="trunc dim" title={rule.name}>
              {rule.name}
            </span>
            <Button look="ghost" aria-label={`Remove rule ${rule.name}`} onClick={() => remove(rule, at)}>
              Remove
            </Button>
          </li>
        ))}
        {rules.length === 0 && (
          <li className="card-text dim">
            No rules of your own. The actions still ask by themselves before they change anything. A rule can make one
            ask or deny it; the strictest answer counts.
          </li>
        )}
      </ul>
      <UndoToast done={done} onOver={useCallback(() => setDone(null), [])} />
    </>
  )
}

function When({ when }: Pick<PolicyRule, 'when'>) {
  switch (when.kind) {
    case 'always':
      return 'every action'
    case 'action':
      return <span className="mono">{when.action}</span>
    case 'effect':
      return (
        <>
          {effectWords[when.effect].title.toLowerCase()} <span className="mono mute">{when.effect}</span>
        </>
      )
  }
}

type RuleEdit = (rules: readonly PolicyRule[]) => readonly PolicyRule[]

function changeRules(edit: RuleEdit): Promise<void> {
  return changeSettingsBy(({ policy }) => ({ policy: { ...policy, rules: [...edit(policy.rules)] } }))
}
