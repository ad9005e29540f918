import { confidenceOf } from '../../../core/domain/confidence.ts'
import type { SkillHeader } from '../../../core/domain/skill.ts'
import { Icon } from '../../components/icon.tsx'
import { Interval, successText, toneOf } from '../../components/interval.tsx'
import { CandidateMark, Status, type StatusLook } from '../../components/status.tsx'
import { nowMs } from '../../engine/clock.ts'
import { exactText, relativeText } from '../../format/dates.ts'
import { type Route, routeHash, skillRoute } from '../../routes.ts'
import { projectOf } from '../../state/select.ts'
import { useApp } from '../../state/store.ts'
import { type Trend, trendOf } from './metrics.ts'
import type { SkillRow } from './rows.ts'
import { kindWords, placeText, problemLooks, skillLook, whyNotText } from './words.ts'

export function routeOf(row: SkillRow): Route {
  return row.kind === 'candidate' ? { screen: 'approvals', id: row.key } : skillRoute(row.key)
}

interface RowProps {
  readonly row: SkillRow
  readonly isShown: boolean
  readonly isStop: boolean
}

/** One line: a skill with its figures, a candidate with the way to its review, a file with what is wrong with it. */
export function SkillRowView({ row, isShown, isStop }: RowProps) {
  const link = (title: string) => (
    <a
      className="trunc medium sk-open"
      href={routeHash(routeOf(row))}
      aria-current={isShown ? 'page' : undefined}
      tabIndex={isStop ? 0 : -1}
      title={title}
    >
      {row.name}
    </a>
  )
  switch (row.kind) {
    case 'skill':
      return whyNotText(row.skill) === null ? (
        <UsedSkill skill={row.skill} link={link(row.skill.description)} />
      ) : (
        <Told look={skillLook(row.skill)} isOff link={link(row.skill.description)} ver={`v${row.skill.version}`}>
          {whyNotText(row.skill)}
        </Told>
      )
    case 'candidate': {
      const { kind, target, version } = row.candidate
      // What it would become, or what a roll back or a move would change.
      const by = kind === 'update' ? 1 : 0
      const next = target === null ? null : (version ?? target.version + by)
      return (
        <Told look={null} link={link('Review the candidate')} ver={next === null ? 'new' : `v${next}`}>
          {kind === 'new' || kind === 'update' ? 'candidate' : kindWords[kind]}, inert until approved{' '}
          <span className="sk-review">Review</span>
        </Told>
      )
    }
    case 'problem': {
      const { kind, diagnostics, place } = row.problem
      const look = problemLooks[kind]
      const text = `${look.word.toLowerCase()}: ${placeText(row.problem)}`
      return (
        <Told look={look} link={link(row.problem.file)} ver="" tone={kind === 'rejected' ? 'ink-failed' : ''}>
          <span title={diagnostics[0]?.message}>
            {kind === 'shadowed' ? `${look.word.toLowerCase()}, ${place}` : text}
          </span>
        </Told>
      )
    }
  }
}

interface ToldProps {
  /** Null: a candidate's diamond. */
  readonly look: StatusLook | null
  readonly link: React.ReactNode
  readonly ver: string
  readonly isOff?: boolean
  readonly tone?: string
  readonly children: React.ReactNode
}

/** A row without figures: why stands in their place. */
function Told({ look, link, ver, isOff = false, tone = '', children }: ToldProps) {
  return (
    <>
      <span className={isOff ? 'row sk-off' : 'row'}>
        {look === null ? <CandidateMark /> : <Status {...look} look="icon" />}
        {link}
      </span>
      <span className="mute">{ver}</span>
      <span className={`trunc sk-why ${tone === '' ? 'mute' : tone}`}>{children}</span>
    </>
  )
}

function UsedSkill({ skill, link }: { readonly skill: SkillHeader; readonly link: React.ReactNode }) {
  const { version, uses, successes, lastUsedAt, projectId } = skill
  const all = confidenceOf(successes, uses)
  const project = useApp((state) => projectOf(state.projects, projectId))
  return (
    <>
      <span className="row">
        {link}
        {projectId !== null && (
          <span className="chip line" title={`Of ${project?.name ?? 'one project'} only`}>
            project
          </span>
        )}
        {uses > 0 && toneOf(all) === 'waiting' && <Status status="waiting" word="watch" />}
      </span>
      <span className="mute">v{version}</span>
      <span className="num">{uses.toLocaleString('en')}</span>
      <Interval confidence={all} of="All versions" />
      <span className="num dim">{uses === 0 ? '' : successText(all)}</span>
      <TrendMark trend={trendOf(skill)} />
      {lastUsedAt === null ? (
        <span className="num mute">never</span>
      ) : (
        <time className="num mute" dateTime={new Date(lastUsedAt).toISOString()} title={exactText(lastUsedAt)}>
          {relativeText(lastUsedAt, nowMs())}
        </time>
      )}
    </>
  )
}

const trendWords: Readonly<Record<Trend, string>> = {
  better: 'better than the versions before it',
  worse: 'worse than the versions before it',
  same: 'as the versions before it',
}

function TrendMark({ trend }: { readonly trend: Trend | null }) {
  if (trend === null) return <span />
  const text = `Live version: ${trendWords[trend]}`
  return (
    <span className={`sk-trend ${trend}`} title={text}>
      <Icon name={trend === 'same' ? 'dash' : trend === 'better' ? 'up' : 'down'} size="tiny" />
      <span className="sr">{text}</span>
    </span>
  )
}
