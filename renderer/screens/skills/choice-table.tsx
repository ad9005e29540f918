import { useState } from 'react'
import { limits } from '../../../core/domain/limits.ts'
import type { SkillChoice, SkillHeader, SkillScore } from '../../../core/domain/skill.ts'
import { Button } from '../../components/button.tsx'
import { successText } from '../../components/interval.tsx'
import { Status, type StatusName } from '../../components/status.tsx'
import { counted } from '../../format/figures.ts'
import { routeHash, skillRoute } from '../../routes.ts'
import { useApp } from '../../state/store.ts'

interface ChoiceTableProps {
  readonly choice: SkillChoice
  /** The skill that the person looks at: its row is marked. */
  readonly shown: string
}

/** Every skill that was looked at with the points of each part, what was picked first. */
export function ChoiceTable({ choice: { table, selected }, shown }: ChoiceTableProps) {
  const skills = useApp((state) => state.skills) ?? []
  const [isWhole, setWhole] = useState(false)
  const rows = table.filter((row) => isWhole || row.score > 0 || row.picked || row.name === shown || row.veto)
  const left = table.length - rows.length
  const most = Math.max(1, ...table.map(({ score }) => score))
  const picked = rows.filter((row) => row.picked)
  const used = picked.reduce((sum, { tokens }) => sum + tokens, 0)
  const row = (score: SkillScore) => (
    <ChoiceRow
      key={score.name}
      score={score}
      most={most}
      skill={skills.find(({ name }) => name === score.name)}
      isShown={score.name === shown}
    />
  )
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls by keys too */}
      <section className="choice-scroll scrolls" tabIndex={0} aria-label="Scores">
        <table className="table choice-table">
          <thead>
            <tr>
              <th scope="col">Skill</th>
              <th scope="col">Gate</th>
              <Head name="Keyword" title="10 for each word; with parts at most 30" />
              <Head name="Part" title="5 for each phrase, or word with an ending" />
              <Head name="Tag" title="3 each, at most 15" />
              <Head name="Pattern" title="20 each, at most 40" />
              <Head name="Factor" title="0.5 + 0.5 × confidence of what was learned, 1 of any other" />
              <th scope="col">Runs</th>
              <Head name="Score" title="(keyword and part + tag + pattern) × factor" />
              <Head name="Tokens" title="In the prompt, estimated" />
              <th scope="col">Result, and why</th>
            </tr>
          </thead>
          <tbody>
            {picked.map(row)}
            <tr className="room-line">
              <td colSpan={11}>
                {selected.length === 0
                  ? 'No skill is picked: the thread would run with the system prompt and memory only.'
                  : `${used.toLocaleString('en')} of ${limits.skillTokens.toLocaleString('en')} tokens used, at most ${limits.skillsChosen} skills.`}
              </td>
            </tr>
            {rows.filter((each) => !each.picked).map(row)}
          </tbody>
        </table>
      </section>
      <p className="mute small dry-foot">
        <span>Score = (keyword and part + tag + pattern) × factor, factor = 0.5 + 0.5 × confidence.</span>
        {left > 0 && (
          <Button look="ghost" onClick={() => setWhole(true)}>
            {counted(left, 'more skill')} with score 0
          </Button>
        )}
      </p>
    </>
  )
}

function Head({ name, title }: { readonly name: string; readonly title: string }) {
  return (
    <th scope="col" className="num" title={title}>
      {name}
    </th>
  )
}

interface ChoiceRowProps {
  readonly score: SkillScore
  readonly most: number
  readonly skill: SkillHeader | undefined
  readonly isShown: boolean
}

function ChoiceRow({ score, most, skill, isShown }: ChoiceRowProps) {
  const { name, gate, keyword, substring, tag, pattern, veto, confidenceFactor, tokens, picked, reason } = score
  const points = { keyword, substring, tag, pattern }
  const why = whyText({ picked, reason })
  return (
    <tr className={gate && !veto ? '' : 'off'} aria-selected={isShown}>
      <th scope="row">
        {skill ? <a href={routeHash(skillRoute(skill.id, 'activation'))}>{name}</a> : name}{' '}
        {skill && <span className="mute">v{skill.version}</span>}
      </th>
      <td>
        {gate ? (
          <Status status="done" word="passed" look="icon" />
        ) : (
          <Status status="failed" word="not passed" look="icon" />
        )}
      </td>
      {Object.entries(points).map(([part, value]) => (
        <td key={part} className={value === 0 ? 'num mute' : 'num'}>
          {gate ? value : '–'}
        </td>
      ))}
      <td className="num">{gate ? `×${confidenceFactor.toFixed(2)}` : '–'}</td>
      <td className="mute">
        {skill === undefined ? '' : skill.confidence.n === 0 ? 'no data' : successText(skill.confidence)}
      </td>
      <td className="num">
        <span className="score-bar">
          <span className="score-track" aria-hidden="true">
            <i style={{ width: `${(100 * score.score) / most}%` }} />
          </span>
          <b className={picked ? '' : 'plain'}>{score.score}</b>
        </span>
      </td>
      <td className="num dim">{tokens.toLocaleString('en')}</td>
      <td className="choice-why trunc" title={why}>
        <Status {...resultLook(score)} word={picked && isFitting(reason) ? 'picked, it fits' : why} />
      </td>
    </tr>
  )
}

/** In the numbers' one format. */
function whyText({ picked, reason }: Pick<SkillScore, 'picked' | 'reason'>): string {
  const text = reason.replace(/\b\d{4,}\b/g, (digits) => Number(digits).toLocaleString('en'))
  if (picked) return text === '' ? 'picked' : `picked, ${text}`
  return text === '' ? 'no room' : text
}

/** How much of the room is taken stands below the picked ones. */
function isFitting(reason: string): boolean {
  return reason.startsWith('fits:')
}

function resultLook({ picked, veto, gate, score }: SkillScore): { readonly status: StatusName } {
  if (picked) return { status: 'done' }
  return { status: veto ? 'denied' : !gate ? 'failed' : score > 0 ? 'waiting' : 'queued' }
}
