import { lazy, Suspense, useMemo, useState } from 'react'
import type { SkillDetail, SkillUse } from '../../../core/domain/skill.ts'
import { Empty, Skeleton } from '../../components/card.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { nowMs } from '../../engine/clock.ts'
import { counted } from '../../format/figures.ts'
import { Section } from '../../record/parts.tsx'
import { BigFigures } from './big-figures.tsx'
import { Failures } from './failures.tsx'
import { stretchesOf, weeksOf, windowedOf } from './metrics.ts'
import { RunTable } from './run-table.tsx'
import { VersionRail } from './version-rail.tsx'

// The library that draws is of its own: no other screen waits for it.
const ConfidenceChart = lazy(() =>
  import('../../charts/confidence-chart.tsx').then((file) => ({ default: file.ConfidenceChart })),
)
const WeeksChart = lazy(() => import('../../charts/weeks-chart.tsx').then((file) => ({ default: file.WeeksChart })))

const spans = [
  ['version', 'per version'],
  ['window', 'last 20 runs'],
] as const
const looks = [
  ['chart', 'Chart'],
  ['table', 'Table'],
] as const

interface MetricsTabProps {
  readonly skill: SkillDetail
  readonly uses: readonly SkillUse[]
}

/** How well it does, run by run and week by week. The same figures stand in a table for whoever cannot see a chart. */
export function MetricsTab({ skill, uses }: MetricsTabProps) {
  const [span, setSpan] = useState<(typeof spans)[number][0]>('version')
  const [look, setLook] = useState<(typeof looks)[number][0]>('chart')
  const stretches = useMemo(() => (span === 'version' ? stretchesOf(uses) : windowedOf(uses)), [uses, span])
  const weeks = useMemo(() => weeksOf(uses, nowMs()), [uses])
  const rolledBack = useMemo(
    () => new Set(skill.versions.filter(({ state }) => state === 'rolledBack').map(({ version }) => version)),
    [skill.versions],
  )
  if (stretches.length === 0)
    return (
      <>
        <BigFigures skill={skill} />
        <Empty title="No data yet">
          {uses.length === 0
            ? 'No thread has worked with this skill. Its first use stands here as soon as the thread has ended.'
            : `${counted(uses.length, 'thread')} worked with it, and none counts: each was stopped, or something else than the skill failed.`}
        </Empty>
      </>
    )
  const ok = weeks.reduce((sum, week) => sum + week.ok, 0)
  const failed = weeks.reduce((sum, week) => sum + week.failed, 0)
  return (
    <>
      <BigFigures skill={skill} />
      <section className="sk-chart" aria-label="Confidence">
        <div className="label-row sk-chart-head">
          <h3 className="label">
            {span === 'version'
              ? 'Confidence with its 95 % interval, restarts with each version'
              : 'Successes of the last 20 runs, whichever version, with their 95 % interval'}
          </h3>
          <span className="grow" />
          <Segmented label="Over which runs" options={spans} value={span} onChange={(next) => setSpan(next)} />
          <Segmented label="How it is shown" options={looks} value={look} onChange={(next) => setLook(next)} />
        </div>
        {look === 'table' ? (
          <RunTable stretches={stretches} />
        ) : (
          <Suspense fallback={<Skeleton rows={5} label="Drawing the chart" />}>
            <ConfidenceChart stretches={stretches} rolledBack={rolledBack} />
          </Suspense>
        )}
      </section>
      <div className="sk-two">
        <div>
          <Section title="Versions" aside={skill.versions.length}>
            <VersionRail versions={skill.versions} />
          </Section>
          <Section title="Runs by week" aside={`${counted(weeks.length, 'week')}, ${ok} ok, ${failed} failed`}>
            <Suspense fallback={<Skeleton rows={3} label="Drawing the chart" />}>
              <WeeksChart weeks={weeks} />
            </Suspense>
          </Section>
        </div>
        <div>
          <Failures uses={uses} skillId={skill.id} />
        </div>
      </div>
    </>
  )
}
