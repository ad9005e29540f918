import { type ReactNode, useState } from 'react'
import type { ThreadHeader } from '../../../../core/domain/thread.ts'
import { IconButton } from '../../../components/button.tsx'
import { Kind } from '../../../components/kind.tsx'
import { callLooks, Status, type StatusLook } from '../../../components/status.tsx'
import { TabList } from '../../../components/tab-list.tsx'
import type { Span } from '../../../timeline/span.ts'
import { childrenOf, spanAt, type Timeline } from '../../../timeline/timeline.ts'
import type { Draft } from '../session.ts'
import { ActionInput, ActionOutput } from './action-detail.tsx'
import { ModelMessages, ModelOutput, ModelUsage } from './model-detail.tsx'
import { Raw } from './raw.tsx'
import { StepCalls, StepCheckpoint } from './step-detail.tsx'
import { ThreadFacts, ThreadHistory } from './thread-detail.tsx'

interface DetailProps {
  readonly header: ThreadHeader
  readonly timeline: Timeline
  readonly span: Span
  readonly drafts: ReadonlyMap<number, Draft>
  readonly threadLook: StatusLook
  readonly isLive: boolean
  /** The last instant on record. */
  readonly now: number
  readonly onSelect: (id: number) => void
  readonly onClose: () => void
}

type TabName = 'Messages' | 'Output' | 'Usage' | 'Input' | 'Calls' | 'Checkpoint' | 'Thread' | 'History' | 'Raw'
const tabsOf: Readonly<Record<Span['kind'], readonly TabName[]>> = {
  model: ['Messages', 'Output', 'Usage', 'Raw'],
  action: ['Input', 'Output', 'Raw'],
  code: ['Input', 'Output', 'Raw'],
  query: ['Input', 'Output', 'Raw'],
  child: ['Input', 'Output', 'Raw'],
  step: ['Calls', 'Checkpoint', 'Raw'],
  thread: ['Thread', 'History'],
}
const firstTab: Readonly<Record<Span['kind'], TabName>> = {
  model: 'Output',
  action: 'Output',
  code: 'Output',
  query: 'Output',
  child: 'Output',
  step: 'Calls',
  thread: 'Thread',
}

/** Everything on record about the selected span. */
export function DetailPane(props: DetailProps) {
  const { span, timeline, threadLook, isLive, onClose } = props
  // One choice per kind: who reads the inputs of three actions in a row should not ask for each of them.
  const [chosen, setChosen] = useState(firstTab)
  const tab = chosen[span.kind]
  const isLost = span.state === 'started' && !isLive
  const look = span.kind === 'thread' ? threadLook : isLost ? lostLook : callLooks[span.state]
  const parent = span.kind === 'model' || span.kind === 'action' ? `step ${span.step + 1}` : ''
  return (
    <aside className="pane detail" aria-label="Detail">
      <div className="pane-head">
        {span.kind !== 'step' && <Kind kind={span.kind} />}
        <h2 className={span.kind === 'action' || span.kind === 'model' ? 'mono trunc' : 'trunc'}>{span.name}</h2>
        <Status {...look} look="chip" />
        <span className="mute small">{parent}</span>
        <span className="grow" />
        <IconButton icon="x" label="Close the detail" shortcut="Mod+J" onClick={onClose} />
      </div>
      <TabList
        label="Detail"
        className="tabs"
        tabs={tabsOf[span.kind].map((name) => ({ name, title: name }))}
        current={tab}
        onChoose={(name) => setChosen({ ...chosen, [span.kind]: name })}
      />
      <div className="pane-body scrolls" role="tabpanel" aria-label={tab} key={`${span.id} ${tab}`}>
        {bodyOf(tab, props, timeline)}
      </div>
    </aside>
  )
}

const lostLook: StatusLook = { status: 'queued', word: 'End not recorded' }

function bodyOf(tab: TabName, props: DetailProps, timeline: Timeline): ReactNode {
  const { span, header, drafts, onSelect } = props
  const draft = drafts.get(span.step)
  switch (tab) {
    case 'Messages':
      return <ModelMessages timeline={timeline} span={span} draft={draft} />
    case 'Output':
      if (span.kind === 'action') return <ActionOutput timeline={timeline} span={span} />
      return <ModelOutput timeline={timeline} span={span} draft={draft} />
    case 'Usage':
      return <ModelUsage timeline={timeline} span={span} draft={draft} />
    case 'Input':
      return <ActionInput timeline={timeline} span={span} />
    case 'Calls':
      return <StepCalls timeline={timeline} span={span} onSelect={onSelect} />
    case 'Checkpoint':
      return <StepCheckpoint timeline={timeline} span={span} onSelect={onSelect} />
    case 'Thread':
      return <ThreadFacts timeline={timeline} header={header} now={props.now} isLive={props.isLive} />
    case 'History':
      return <ThreadHistory timeline={timeline} />
    case 'Raw':
      return <Raw seqs={seqsOf(timeline, span)} />
  }
}

function seqsOf(timeline: Timeline, span: Span): readonly (number | null)[] {
  if (span.kind !== 'step') return [span.startSeq, span.endSeq]
  return childrenOf(timeline, span.id).flatMap((id) => {
    const call = spanAt(timeline, id)
    return [call.startSeq, call.endSeq]
  })
}
