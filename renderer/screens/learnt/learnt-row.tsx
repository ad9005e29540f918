import type { LearntEntry } from '../../../core/domain/learnt.ts'
import { Icon } from '../../components/icon.tsx'
import { CandidateMark, Status } from '../../components/status.tsx'
import { exactText, relativeText } from '../../format/dates.ts'
import { routeHash } from '../../routes.ts'
import { effectWords, fromWords, kindOf, kindWords, stateLook } from './words.ts'

interface LearntRowProps {
  readonly entry: LearntEntry
  readonly isShown: boolean
  readonly now: number
}

/** What it says, what it is, where it comes from, and how it did. */
export function LearntRow({ entry, isShown, now }: LearntRowProps) {
  const { id, text, state, at, isUntrusted } = entry
  const effect = effectWords(entry)
  return (
    <a
      className="item lrn-row"
      href={routeHash({ screen: 'learnt', id })}
      aria-current={isShown ? 'page' : undefined}
      title={text}
    >
      {state === 'pending' ? <CandidateMark /> : <Status {...stateLook(entry)} look="icon" />}
      <span className="t trunc">{text}</span>
      <time className="sub" dateTime={new Date(at).toISOString()} title={exactText(at)}>
        {relativeText(at, now)}
      </time>
      <span className="sub2 trunc">
        {kindWords[kindOf(entry)]}, {fromWords(entry)}
        {effect !== '' && <span className="mute">, {effect}</span>}
      </span>
      {isUntrusted && <FromOutside isPending={state === 'pending'} />}
    </a>
  )
}

/** A thread that it comes from had read what no person of this computer wrote: a warning only while it is to be decided on. */
export function FromOutside({ isPending }: { readonly isPending: boolean }) {
  return (
    <span
      className={isPending ? 'st waiting lrn-outside' : 'st lrn-outside mute'}
      title="It comes from a thread that had read text from outside"
    >
      <Icon name="alert" size="tiny" />
      from outside
    </span>
  )
}
