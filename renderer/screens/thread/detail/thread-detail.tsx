import type { ReactNode } from 'react'
import type { ThreadHeader } from '../../../../core/domain/thread.ts'
import { tierTitles } from '../../../../core/domain/thread.ts'
import { useNow } from '../../../engine/clock.ts'
import { exactText } from '../../../format/dates.ts'
import { clockText, durationText } from '../../../format/figures.ts'
import { FactList, LongText, Section } from '../../../record/parts.tsx'
import { costOf, costText } from '../../../timeline/cost.ts'
import { selfTimeMs } from '../../../timeline/critical-path.ts'
import { type EventFacts, factOf } from '../../../timeline/fact.ts'
import { noteText } from '../../../timeline/notes.ts'
import { timeOfDay } from '../../../timeline/ticks.ts'
import { spanAt, type Timeline } from '../../../timeline/timeline.ts'
import { Issues } from './issues.tsx'

interface ThreadProps {
  readonly timeline: Timeline
  readonly header: ThreadHeader
  /** The last instant on record. */
  readonly now: number
  readonly isLive: boolean
  readonly onSelect: (id: number) => void
}

/** The thread as a whole: its goal, its figures, what it may do. */
export function ThreadFacts({ timeline, header, now, isLive, onSelect }: ThreadProps) {
  const root = spanAt(timeline, 0)
  const end = root.endedAt ?? now
  const cost = costText(costOf(timeline))
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
            cost === '' ? null : ['Cost', cost],
            ['Errors', String(root.errors)],
            header.depth === 0 ? null : ['Depth', `${header.depth}, asked for by code`],
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
      <Issues threadId={header.id} timeline={timeline} restedAt={header.endedAt} onSelect={onSelect} />
    </>
  )
}

function RunningFor({ since }: { readonly since: number }) {
  return clockText(useNow(1_000) - since)
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
  if (fact?.kind !== 'thread.state') return fact && noteText(fact)
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
