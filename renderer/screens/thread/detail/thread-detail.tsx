import type { ReactNode } from 'react'
import type { ThreadHeader } from '../../../../core/domain/thread.ts'
import { tierTitles } from '../../../../core/domain/thread.ts'
import { useNow } from '../../../engine/clock.ts'
import { exactText } from '../../../format/dates.ts'
import { clockText, counted, durationText } from '../../../format/figures.ts'
import { FactList, LongText, Section } from '../../../record/parts.tsx'
import { selfTimeMs } from '../../../timeline/critical-path.ts'
import { type EventFacts, factOf } from '../../../timeline/fact.ts'
import { timeOfDay } from '../../../timeline/ticks.ts'
import { spanAt, type Timeline } from '../../../timeline/timeline.ts'

interface ThreadProps {
  readonly timeline: Timeline
  readonly header: ThreadHeader
  /** The last instant on record. */
  readonly now: number
  readonly isLive: boolean
}

/** The thread as a whole: its goal, its figures, what it may do. */
export function ThreadFacts({ timeline, header, now, isLive }: ThreadProps) {
  const root = spanAt(timeline, 0)
  const end = root.endedAt ?? now
  const slotMs = timeline.pauses.reduce(
    (sum, { why, startedAt, endedAt }) => (why === 'slot' && endedAt !== null ? sum + endedAt - startedAt : sum),
    0,
  )
  return (
    <>
      <Section title="Goal">
        <LongText text={header.goal} isMono={false} />
      </Section>
      <Section title="Figures">
        <FactList
          facts={[
            ['Began', exactText(header.createdAt)],
            header.endedAt === null ? null : ['Ended', exactText(header.endedAt)],
            isLive
              ? ['Running for', <RunningFor key="r" since={root.startedAt} />]
              : ['Took', durationText(Math.max(0, end - root.startedAt))],
            isLive ? null : ['Beside steps', durationText(selfTimeMs(timeline, 0, end))],
            slotMs > 0 ? ['Slot wait', durationText(slotMs)] : null,
            ['Tokens', `${root.inputTokens.toLocaleString('en')} in, ${root.outputTokens.toLocaleString('en')} out`],
            ['Errors', String(root.errors)],
            ['Tier', tierTitles[header.tier]],
            header.model === null ? null : ['Model', <code key="m">{header.model}</code>],
            header.maxSteps === null ? null : ['Step limit', header.maxSteps.toLocaleString('en')],
            [
              'Id',
              <span key="i" className="mono wrap">
                {header.id}
              </span>,
            ],
          ]}
        />
      </Section>
      <Leases notes={timeline.notes} />
    </>
  )
}

function RunningFor({ since }: { readonly since: number }) {
  return clockText(useNow(1_000) - since)
}

function Leases({ notes }: { readonly notes: readonly EventFacts[] }) {
  const leases = notes.map(factOf).flatMap((fact) => (fact?.kind === 'lease.granted' ? [fact.data] : []))
  return leases.map((lease) => (
    <Section key={lease.leaseId} title="Lease" aside={<span className="mono">{lease.leaseId}</span>}>
      <FactList
        facts={[
          [
            'Actions',
            <span key="a" className="mono wrap">
              {lease.actions.join(', ')}
            </span>,
          ],
          ['Uses', lease.usesLeft === null ? 'no limit' : counted(lease.usesLeft, 'use')],
          ['Expires', lease.expiresAt === null ? 'with the thread' : exactText(lease.expiresAt)],
        ]}
      />
    </Section>
  ))
}

/** Every state with its reason, and what else happened to the thread from outside. */
export function ThreadHistory({ timeline }: Pick<ThreadProps, 'timeline'>) {
  const lines = timeline.notes.flatMap((note) => {
    const text = lineOf(note)
    return text === null ? [] : [{ note, text }]
  })
  if (lines.length === 0) return <p className="mute small pad">Nothing is on record yet.</p>
  return (
    <ol className="history">
      {lines.map(({ note, text }) => (
        <li key={note.seq}>
          <time className="mute" dateTime={new Date(note.at).toISOString()} title={exactText(note.at)}>
            {timeOfDay(note.at)}
          </time>
          <span>{text}</span>
        </li>
      ))}
    </ol>
  )
}

function lineOf(note: EventFacts): ReactNode {
  const fact = factOf(note)
  switch (fact?.kind) {
    case 'thread.created':
      return 'Created'
    case 'thread.state': {
      const { from, to, outcome, reason, code } = fact.data
      const how = outcome ? `, ${outcome}` : ''
      const why = reason ? `: ${reason}` : ''
      return (
        <>
          {from} → <b>{to}</b>
          {how}
          {why} {code && <code>{code}</code>}
        </>
      )
    }
    case 'thread.recovered': {
      const { step, lostCalls } = fact.data
      const lost = lostCalls.length === 0 ? 'nothing was lost' : `begun again: ${lostCalls.join(', ')}`
      return `Recovered at step ${step + 1}; ${lost}`
    }
    case 'step.restarted':
      return `The model call of step ${fact.data.step + 1} was made again`
    case 'slot.queued':
      return `Waits for a slot, ${fact.data.ahead} ahead`
    case 'slot.acquired':
      return `Got a slot after ${durationText(fact.data.waitedMs)}`
    case 'orchestrator.diverged':
      return `Step ${fact.data.step + 1} ran differently after a restart: expected ${fact.data.expected}, got ${fact.data.got}`
    case 'status':
      return fact.data.text
    case 'unreadable':
      return `What stood here cannot be read any more (${fact.data.problem})`
    default:
      return null
  }
}
