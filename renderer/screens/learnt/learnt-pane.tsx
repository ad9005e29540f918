import type { LearntEntry } from '../../../core/domain/learnt.ts'
import { Note } from '../../components/card.tsx'
import { Status } from '../../components/status.tsx'
import { dayTimeText, exactText } from '../../format/dates.ts'
import { FactList, Section } from '../../record/parts.tsx'
import { type Route, routeHash, skillRoute } from '../../routes.ts'
import { projectOf } from '../../state/select.ts'
import { useApp } from '../../state/store.ts'
import { Effect } from './effect.tsx'
import { LearntBar } from './learnt-bar.tsx'
import { FromOutside } from './learnt-row.tsx'
import { Sources } from './sources.tsx'
import { useLearntDecision } from './use-learnt-decision.ts'
import { byWords, kindOf, kindWords, momentWord, stateLook, wouldChangeWords } from './words.ts'

interface LearntPaneProps {
  readonly entry: LearntEntry
  /** False: the list leaves it out, because it was decided on or came by its address. */
  readonly isListed: boolean
  /** What it stands for, or would. */
  readonly replaced: LearntEntry | undefined
}

/** One item: its text, what it changes, where it comes from, how it did, and the answer. Mount it anew for each (`key`). */
export function LearntPane({ entry, isListed, replaced }: LearntPaneProps) {
  const decision = useLearntDecision(entry)
  const project = useApp((state) => projectOf(state.projects, entry.projectId))
  const { text, state, reason, isUntrusted, endReason } = entry
  const isPending = state === 'pending'
  const would = isPending ? wouldChangeWords(entry, project?.name ?? 'this folder') : null
  return (
    <section className="pane detail" aria-label={`Learnt: ${text}`}>
      <Head entry={entry} folder={project?.name ?? null} />
      <div className="lrn-body">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region is scrolled by keyboard */}
        <section className="pane-body scrolls" aria-label="What it says" tabIndex={0}>
          {(isUntrusted || decision.isAnew || !isListed) && (
            <div className="lrn-notes">
              {!isListed && <p className="small mute">The list on the left leaves this one out.</p>}
              {decision.isAnew && (
                <Note status="waiting">The text changed while you looked. This is the new one: read it again.</Note>
              )}
              {isUntrusted && <OutsideNote isPending={isPending} />}
            </div>
          )}
          {replaced && (
            <Section title={isPending ? 'It would stand for' : 'It stands for'}>
              <p className="lrn-text was">{replaced.text}</p>
            </Section>
          )}
          <Section title={kindWords[kindOf(entry)]}>
            <p className="lrn-text">{text}</p>
          </Section>
          {would !== null && (
            <Section title="What a yes changes">
              <p>{would}</p>
            </Section>
          )}
          <Elsewhere entry={entry} />
          {!isPending && endReason !== null && (
            <Section title="Why it ended">
              <p>{endReason}</p>
            </Section>
          )}
          <Sources entry={entry} />
        </section>
        <aside aria-label="Facts">
          <Effect entry={entry} />
          {reason !== '' && (
            <Section title="Why">
              <p className="small breaks">{reason}</p>
            </Section>
          )}
          <Section title="Record">
            <FactList
              facts={[
                [
                  'Id',
                  <code key="i" className="breaks">
                    {entry.id}
                  </code>,
                ],
                entry.topic === ''
                  ? null
                  : [
                      'About',
                      <code key="t" className="breaks">
                        {entry.topic}
                      </code>,
                    ],
                entry.sha256 === null
                  ? null
                  : [
                      'sha256',
                      <code key="s" className="breaks">
                        {entry.sha256}
                      </code>,
                    ],
              ]}
            />
          </Section>
        </aside>
      </div>
      <LearntBar entry={entry} decision={decision} />
    </section>
  )
}

/** A warning while it is to be decided on; a fact of its record after that. */
function OutsideNote({ isPending }: { readonly isPending: boolean }) {
  const what =
    'A thread that this comes from had read text that is not yours, such as a web page, or a file in a folder that you have not said you trust.'
  if (!isPending) return <p className="small mute">{what}</p>
  return <Note status="waiting">{what} It may be what that text wanted, so nothing but you puts it in force.</Note>
}

function Head({ entry, folder }: { readonly entry: LearntEntry; readonly folder: string | null }) {
  const { at, expiresAt, isUntrusted } = entry
  const by = byWords(entry)
  return (
    <div className="lrn-head">
      <h2>
        {kindWords[kindOf(entry)]}
        <Status {...stateLook(entry)} look="chip" />
        {isUntrusted && <FromOutside isPending={entry.state === 'pending'} />}
      </h2>
      <dl className="lrn-facts">
        <dt>{momentWord(entry)}</dt>
        <dd className="trunc" title={exactText(at)}>
          {dayTimeText(at)}
        </dd>
        <dt>Folder</dt>
        <dd className="trunc">{folder ?? 'every folder'}</dd>
        {by !== null && (
          <>
            <dt>{entry.state === 'pending' ? 'Proposed' : 'Put there'}</dt>
            <dd className="trunc">{by}</dd>
          </>
        )}
        {expiresAt !== null && (
          <>
            <dt>Expires</dt>
            <dd className="trunc" title={exactText(expiresAt)}>
              {dayTimeText(expiresAt)}, then rejected
            </dd>
          </>
        )}
      </dl>
    </div>
  )
}

/** What stands whole on another screen, or is decided on there. */
function Elsewhere({ entry }: { readonly entry: LearntEntry }) {
  const place = placeOf(entry)
  if (place === null) return null
  return (
    <Section title="Where it stands">
      <p>
        <a className="link" href={routeHash(place.route)}>
          {place.link}
        </a>
        {place.rest}
      </p>
    </Section>
  )
}

function placeOf({ id, kind, state }: LearntEntry): { route: Route; link: string; rest: string } | null {
  switch (kind) {
    case 'lesson':
    case 'spec':
    case 'code':
      return {
        route: { screen: 'memory', id },
        link: 'Read it whole in Memory',
        rest: kind === 'code' ? '. Nothing of it is applied: it is for whoever writes this program.' : '.',
      }
    case 'skill':
      return {
        route: skillRoute(id.split('@')[0] ?? id, 'versions'),
        link: 'Compare its versions in Skills',
        rest: '.',
      }
    case 'loop':
      return {
        route: { screen: 'settings', section: 'agent' },
        link: 'Look at its code in Settings',
        rest: state === 'pending' ? '. It does nothing until you activate it there.' : '.',
      }
    default:
      return null
  }
}
