import { useState } from 'react'
import { canonicalActionName, effectTypes } from '../../../core/domain/action.ts'
import { limits } from '../../../core/domain/limits.ts'
import type { PolicyRule, Verdict } from '../../../core/domain/policy.ts'
import { Button } from '../../components/button.tsx'
import { Choice } from '../../components/choice.tsx'
import { Field } from '../../components/field.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { effectWords } from './effect-rows.tsx'

interface RuleFormProps {
  readonly isBusy: boolean
  onAdd(rule: PolicyRule): void
  onClose(): void
}

const kinds = [
  { value: 'action', title: 'One action' },
  { value: 'effect', title: 'An effect' },
  { value: 'always', title: 'Every action' },
] as const
type Kind = (typeof kinds)[number]['value']
const verdictOptions = [
  ['ask', 'ask'],
  ['deny', 'deny'],
  ['allow', 'allow'],
] as const satisfies readonly (readonly [Verdict, string])[]
const mostNameCharacters = 120

/** What it is about, what it says, and why. */
export function RuleForm({ isBusy, onAdd, onClose }: RuleFormProps) {
  const [kind, setKind] = useState<Kind>('action')
  const [action, setAction] = useState('')
  const [effect, setEffect] = useState<(typeof effectTypes)[number]>('WriteLocal')
  const [verdict, setVerdict] = useState<Verdict>('ask')
  const [name, setName] = useState('')
  const [isTried, setTried] = useState(false)
  const actionProblem = kind === 'action' ? problemOfAction(action) : undefined
  const nameProblem =
    name.trim() === '' ? 'Say why, in a few words: the reason is shown where the rule applies.' : undefined
  function submit(): void {
    setTried(true)
    if (actionProblem ?? nameProblem) return
    const when = { always: { kind: 'always' }, effect: { kind: 'effect', effect }, action: whenAction(action) } as const
    onAdd({ name: name.trim(), when: when[kind], verdict })
  }
  return (
    <form
      className="card rule-form"
      aria-label="New rule"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <div className="field">
        <span className="label">Applies to</span>
        <Choice label="Applies to" options={kinds} value={kind} onChange={(value) => setKind(kindOf(value))} />
      </div>
      {kind === 'action' && (
        <Field
          label="Name of the action"
          isMono
          placeholder="write_file"
          maxLength={limits.actionNameCharacters}
          value={action}
          problem={isTried ? actionProblem : undefined}
          onChange={(event) => setAction(event.target.value)}
        />
      )}
      {kind === 'effect' && (
        <div className="field">
          <span className="label">Effect</span>
          <Choice
            label="Effect"
            options={effectTypes.map((type) => ({ value: type, title: effectWords[type].title, detail: type }))}
            value={effect}
            onChange={(value) => setEffect(effectTypes.find((type) => type === value) ?? effect)}
          />
        </div>
      )}
      {kind === 'always' && <span />}
      <div className="field">
        <span className="label">Answer</span>
        <Segmented label="Answer" options={verdictOptions} value={verdict} onChange={(next) => setVerdict(next)} />
      </div>
      <Field
        label="Reason"
        placeholder="Releases are made by hand"
        maxLength={mostNameCharacters}
        value={name}
        problem={isTried ? nameProblem : undefined}
        onChange={(event) => setName(event.target.value)}
      />
      <p className="sub">
        {verdict === 'allow'
          ? 'Allow lifts nothing: what asks by itself still asks. It only leaves a note that the rule was seen.'
          : 'The strictest answer counts: deny before ask, ask before allow.'}
      </p>
      <div className="row rule-acts">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" disabled={isBusy}>
          Add the rule
        </Button>
      </div>
    </form>
  )
}

function problemOfAction(action: string): string | undefined {
  return /^[a-z][a-z0-9_-]*$/i.test(action.trim()) ? undefined : 'The name of one action, as in write_file or shell.'
}

function whenAction(action: string) {
  return { kind: 'action', action: canonicalActionName(action.trim()) } as const
}

function kindOf(value: string): Kind {
  return kinds.find((kind) => kind.value === value)?.value ?? 'action'
}
