import { confidenceOf } from '../../../core/domain/confidence.ts'
import type { SkillConfidence, SkillDetail } from '../../../core/domain/skill.ts'
import { rangeText, successText } from '../../components/interval.tsx'
import { selectionFactor } from './words.ts'

/** How it does, in four figures; a ratio never without its n and its interval. */
export function BigFigures({ skill }: { readonly skill: SkillDetail }) {
  const { version, confidence, successes, uses, tokens, source } = skill
  return (
    <dl className="sk-big">
      <Ratio label={`Since v${version}`} confidence={confidence} />
      <Ratio label="All versions" confidence={confidenceOf(successes, uses)} />
      <div>
        <dt className="label">Selection factor</dt>
        <dd className="v">
          ×{selectionFactor(skill).toFixed(2)}{' '}
          {source !== 'extracted' && <small>only what was learned is weighed</small>}
        </dd>
      </div>
      <div>
        <dt className="label">In a prompt</dt>
        <dd className="v">
          {tokens.toLocaleString('en')} <small>tokens</small>
        </dd>
      </div>
    </dl>
  )
}

function Ratio({ label, confidence }: { readonly label: string; readonly confidence: SkillConfidence }) {
  return (
    <div>
      <dt className="label">{label}</dt>
      {confidence.n === 0 ? (
        <dd className="v none">no data</dd>
      ) : (
        <dd className="v">
          {successText(confidence)} <small>{rangeText(confidence)}</small>
        </dd>
      )}
    </div>
  )
}
