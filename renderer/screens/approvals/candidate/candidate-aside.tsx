import { useState } from 'react'
import { shortcutOf } from '../../../commands.ts'
import { Kbd } from '../../../components/button.tsx'
import { ErrorNote } from '../../../components/card.tsx'
import { rangeText, successText } from '../../../components/interval.tsx'
import { Status } from '../../../components/status.tsx'
import { bytesText, middleCut } from '../../../format/figures.ts'
import { FactList, Section } from '../../../record/parts.tsx'
import { routeHash } from '../../../routes.ts'
import { resourceKinds } from '../../skills/words.ts'
import { CheckRow } from './candidate-tabs.tsx'
import type { ReadCandidate } from './use-candidate.ts'
import type { EditCheck } from './use-edit-check.ts'
import { type CandidateTab, changeWords, checksShown, ofText, wouldChangeText } from './words.ts'

interface CandidateAsideProps {
  readonly read: ReadCandidate
  /** Null: nothing is edited. */
  readonly edit: EditCheck | null
  readonly shownFile: string | null
  onTab(tab: CandidateTab): void
  onFile(path: string): void
}

const shownGoals = 4
const shownFiles = 8
const pathCharacters = 36

/** The facts beside the difference: what was checked, what it would have changed, what it rests on. */
export function CandidateAside({ read, edit, shownFile, onTab, onFile }: CandidateAsideProps) {
  const { detail } = read
  const { wouldChange } = detail
  const { checks } = checksShown(detail, edit)
  const { changes, n } = wouldChange
  const isPending = detail.state === 'pending'
  return (
    <aside aria-label="Facts of the candidate">
      <Section title="Checks" aside={edit ? ofText(edit) : isPending ? checks.length : 'computed now'}>
        {edit?.phase === 'failed' && <ErrorNote title="What you edited was not checked" error={edit.error} />}
        <ul>
          {checks.map((check) => (
            <CheckRow key={`${check.name} ${check.title} ${check.line}`} check={check} />
          ))}
        </ul>
      </Section>
      <Files files={detail.files} shown={shownFile} onFile={onFile} />
      <Section
        title="Would have changed"
        aside={
          edit
            ? 'of what was proposed'
            : !isPending
              ? 'computed now'
              : n === 0
                ? undefined
                : n === 1
                  ? 'last goal'
                  : `last ${n} goals`
        }
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
    </aside>
  )
}

function Evidence({ read: { detail, skill }, onTab }: Pick<CandidateAsideProps, 'read' | 'onTab'>) {
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

interface FilesProps extends Pick<ReadCandidate['detail'], 'files'> {
  readonly shown: string | null
  onFile(path: string): void
}

/** What it brings beside its text, each to be read before it is approved. */
function Files({ files, shown, onFile }: FilesProps) {
  const [isWhole, setWhole] = useState(false)
  if (files.length === 0) return null
  return (
    <Section title="Files beside it" aside={files.length}>
      <ul>
        {files.slice(0, isWhole ? files.length : shownFiles).map(({ path, bytes, kind }) => (
          <li key={path} className="can-beside small">
            <button
              type="button"
              className="link mono"
              title={path}
              aria-label={`Show ${path}`}
              aria-current={path === shown ? 'true' : undefined}
              onClick={() => onFile(path)}
            >
              {middleCut(path, pathCharacters)}
            </button>
            <span className="mute">
              {resourceKinds[kind]}, {bytesText(bytes)}
            </span>
          </li>
        ))}
      </ul>
      {files.length > shownFiles && !isWhole && (
        <button type="button" className="link small" onClick={() => setWhole(true)}>
          Show all {files.length}
        </button>
      )}
      <p className="small mute can-after">They are read when they are needed, and never run by themselves.</p>
    </Section>
  )
}

/** `3, 4 and 9`. */
function listText(numbers: readonly number[]): string {
  return numbers.length < 2 ? numbers.join('') : `${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`
}
