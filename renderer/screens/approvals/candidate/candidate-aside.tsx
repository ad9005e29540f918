import { shortcutOf } from '../../../commands.ts'
import { Kbd } from '../../../components/button.tsx'
import { rangeText, successText } from '../../../components/interval.tsx'
import { Status } from '../../../components/status.tsx'
import { bytesText } from '../../../format/figures.ts'
import { FactList, Section } from '../../../record/parts.tsx'
import { routeHash } from '../../../routes.ts'
import { resourceKinds } from '../../skills/words.ts'
import { CheckRow } from './candidate-tabs.tsx'
import type { ReadCandidate } from './use-candidate.ts'
import { type CandidateTab, changeWords, wouldChangeText } from './words.ts'

interface CandidateAsideProps {
  readonly read: ReadCandidate
  onTab(tab: CandidateTab): void
}

const shownGoals = 4
const shownFiles = 8

/** The facts beside the difference: what was checked, what it would have changed, what it rests on. */
export function CandidateAside({ read, onTab }: CandidateAsideProps) {
  const { detail } = read
  const { checks, wouldChange } = detail
  const { changes, n } = wouldChange
  const isPending = detail.state === 'pending'
  return (
    <aside aria-label="Facts of the candidate">
      <Section title="Checks" aside={isPending ? checks.length : 'computed now'}>
        <ul>
          {checks.map((check) => (
            <CheckRow key={`${check.name} ${check.title} ${check.line}`} check={check} />
          ))}
        </ul>
      </Section>
      <Section
        title="Would have changed"
        aside={!isPending ? 'computed now' : n === 0 ? undefined : n === 1 ? 'last goal' : `last ${n} goals`}
      >
        <p className="small">{wouldChangeText(wouldChange)}</p>
        <ul>
          {changes.slice(0, shownGoals).map(({ threadId, goal, change, displaces }) => (
            <li key={`${threadId} ${change}`} className="can-goal small">
              <span className="trunc" title={goal}>
                “{goal}”
              </span>
              {displaces.length > 0 ? (
                <Status status="failed" word={`displaces ${displaces.join(', ')}`} />
              ) : (
                <span className="mute">{changeWords[change]}</span>
              )}
            </li>
          ))}
        </ul>
        {changes.length > shownGoals && (
          <button type="button" className="link small" onClick={() => onTab('changes')}>
            Show all {changes.length}
          </button>
        )}
      </Section>
      <Evidence read={read} onTab={onTab} />
      <Files files={detail.files} />
    </aside>
  )
}

function Evidence({ read: { detail, skill }, onTab }: CandidateAsideProps) {
  const { evidence, threadId, threadNumber, before } = detail
  const steps = [...new Set(evidence.flatMap((part) => part.steps.map(({ step }) => step + 1)))].sort((a, b) => a - b)
  const without = evidence.filter((part) => part.steps.length === 0).length
  const live = skill?.versions.find(({ version }) => version === before?.version)
  return (
    <Section
      title="Evidence"
      aside={
        threadId === null ? undefined : (
          <a href={routeHash({ screen: 'thread', id: threadId })}>
            #{threadNumber} <Kbd keys={shortcutOf('approval.thread') ?? ''} />
          </a>
        )
      }
    >
      <FactList
        facts={[
          [
            'Learned from',
            steps.length === 0
              ? threadId === null
                ? 'no thread'
                : 'no step on record'
              : `${steps.length === 1 ? 'step' : 'steps'} ${listText(steps)}`,
          ],
          without === 0
            ? null
            : [
                'No evidence',
                <button key="w" type="button" className="link" onClick={() => onTab('evidence')}>
                  {without} of {evidence.length} parts
                </button>,
              ],
          live === undefined
            ? null
            : [
                `v${live.version} so far`,
                live.confidence.n === 0 ? 'no data' : `${successText(live.confidence)}, ${rangeText(live.confidence)}`,
              ],
        ]}
      />
    </Section>
  )
}

/** What it brings beside its text. */
function Files({ files }: Pick<ReadCandidate['detail'], 'files'>) {
  if (files.length === 0) return null
  return (
    <Section title="Files beside it" aside={files.length}>
      <ul>
        {files.slice(0, shownFiles).map(({ path, bytes, kind }) => (
          <li key={path} className="can-goal small">
            <span className="mono trunc" title={path}>
              {path}
            </span>
            <span className="mute">
              {resourceKinds[kind]}, {bytesText(bytes)}
            </span>
          </li>
        ))}
      </ul>
      {files.length > shownFiles && <p className="small mute">and {files.length - shownFiles} more</p>}
      <p className="small mute">They are read when they are needed, and never run by themselves.</p>
    </Section>
  )
}

/** `3, 4 and 9`. */
function listText(numbers: readonly number[]): string {
  return numbers.length < 2 ? numbers.join('') : `${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`
}
