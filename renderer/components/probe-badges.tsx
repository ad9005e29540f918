import type { ModelRef } from '../../core/domain/model.ts'
import { nowMs } from '../engine/clock.ts'
import { exactText, momentText } from '../format/dates.ts'
import { type ProbeFact, probeFacts, probeOf } from '../state/probes.ts'
import { useApp } from '../state/store.ts'
import { StatusIcon } from './status.tsx'

interface ProbeBadgesProps {
  readonly model: ModelRef
  /** The window that the server lists, for a model that nothing else is known of. */
  readonly listedTokens?: number | null
  /** `short`: what decides, for menus and the status bar. */
  readonly look?: 'whole' | 'short'
}

const shortFacts: ReadonlySet<ProbeFact['key']> = new Set(['actions', 'untested', 'failed', 'window'])

/** What is known of a model: words with an icon where they are a verdict. */
export function ProbeBadges({ model, listedTokens = null, look = 'whole' }: ProbeBadgesProps) {
  const settings = useApp((state) => state.settings)
  if (!settings) return null
  const facts = probeFacts(settings, model, listedTokens)
  const shown = look === 'short' ? facts.filter(({ key }) => shortFacts.has(key)) : facts
  const at = probeOf(settings, model)?.at
  if (shown.length === 0) return null
  return (
    <span className="badges">
      {shown.map(({ key, status, word, title }) => (
        <span key={key} className={status === null ? 'fact' : `fact st ${status}`} title={title}>
          {status !== null && <StatusIcon status={status} />}
          {word}
        </span>
      ))}
      {look === 'whole' && at !== undefined && (
        <time className="fact" dateTime={new Date(at).toISOString()} title={exactText(at)}>
          tested {momentText(at, nowMs())}
        </time>
      )}
    </span>
  )
}
