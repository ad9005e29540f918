import type { PolicyCheck, PolicyDecision } from '../../core/domain/policy.ts'
import { Status, type StatusName } from '../components/status.tsx'
import { effectsText } from './words.ts'

/** What one of the checks said. */
export interface PolicyStep {
  readonly title: string
  readonly detail: string
  readonly verdict: { readonly status: StatusName; readonly word: string } | null
  /** It decided. */
  readonly isHit: boolean
}

const checks = [
  ['global', 'Global deny'],
  ['origin', 'Origin of the arguments'],
  ['rule', 'Rules'],
  ['approval', 'Needs approval'],
  ['lease', 'Lease'],
] as const satisfies readonly (readonly [PolicyCheck, string])[]

/** The trust of the active skills: shown only where it decided, because nobody else need know of it. */
const skillCheck = ['skill', 'Trust of skills'] as const

const verdicts = {
  allow: { status: 'done', word: 'allowed' },
  ask: { status: 'waiting', word: 'asked' },
  deny: { status: 'denied', word: 'denied' },
} as const

/**
 * The checks of a recorded decision. The record names the one that decided; of the others it says only that none was
 * stronger, so nothing more is claimed of them.
 */
export function policyStepsOf(
  policy: PolicyDecision,
  lease: { readonly id: string | null; readonly usesLeft: number | null },
): readonly PolicyStep[] {
  const isAnswered = policy.check === 'grant' || policy.check === 'approved'
  const hit = isAnswered ? 'approval' : policy.check
  const shown = hit === 'skill' ? [...checks.slice(0, -1), skillCheck, ...checks.slice(-1)] : checks
  return shown.map(([check, title], at): PolicyStep => {
    const isHit = check === hit
    if (isHit && isAnswered)
      return { title, detail: answeredText(policy), verdict: { status: 'done', word: 'answered' }, isHit }
    if (isHit) return { title, detail: policy.reason ?? '', verdict: verdicts[policy.verdict], isHit }
    if (policy.verdict === 'deny') {
      const isBefore = shown.findIndex(([name]) => name === hit) > at
      return { title, detail: isBefore ? 'did not deny it' : 'no matter any more', verdict: null, isHit }
    }
    if (check === 'lease' && lease.id !== null)
      return {
        title,
        detail: leaseText(lease),
        verdict: { status: 'done', word: 'valid' },
        isHit: policy.check === null,
      }
    return { title, detail: quietText(check, policy), verdict: null, isHit }
  })
}

function answeredText({ check, by, reason }: PolicyDecision): string {
  const who = check === 'grant' ? 'a standing approval' : 'your approval'
  return [reason?.replace(/\.$/, ''), `answered by ${who}${by === undefined ? '' : ` ${by}`}`]
    .filter((part) => part)
    .join('; ')
}

function leaseText({ id, usesLeft }: { readonly id: string | null; readonly usesLeft: number | null }): string {
  return usesLeft === null ? `${id} covers it` : `${id} covers it, ${usesLeft} left with this one`
}

function quietText(check: PolicyCheck, policy: PolicyDecision): string {
  if (check === 'global') return 'nothing that is switched off'
  if (check === 'origin') return 'nothing that asks by itself'
  if (check === 'rule') return 'none that denies it'
  if (check === 'lease')
    return policy.verdict === 'ask' ? 'made by your approval: one use, for these exact bytes' : 'did not deny it'
  return effectsText(policy.effects)
}

interface PolicyStepsProps {
  readonly policy: PolicyDecision
  readonly leaseId?: string | null
  readonly usesLeft?: number | null
}

/** Numbered checks, the one that decided marked. */
export function PolicySteps({ policy, leaseId = null, usesLeft = null }: PolicyStepsProps) {
  return (
    <ol className="pchk">
      {policyStepsOf(policy, { id: leaseId, usesLeft }).map(({ title, detail, verdict, isHit }, at) => (
        <li key={title}>
          <span className={isHit ? `n hit ${verdict?.status ?? ''}` : 'n'}>{at + 1}</span>
          <span className="breaks">
            {title}
            <br />
            <span className="d">{detail}</span>
          </span>
          {verdict === null ? <span className="mute">–</span> : <Status status={verdict.status} word={verdict.word} />}
        </li>
      ))}
    </ol>
  )
}
