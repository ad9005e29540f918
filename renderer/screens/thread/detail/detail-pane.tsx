import { type ReactNode, useState } from 'react'
import type { ThreadHeader } from '../../../../core/domain/thread.ts'
import { IconButton } from '../../../components/button.tsx'
import { Kind } from '../../../components/kind.tsx'
import { callLooks, Status, type StatusLook } from '../../../components/status.tsx'
import { TabList } from '../../../components/tab-list.tsx'
import type { Span } from '../../../timeline/span.ts'
import { callsOf, spanAt, type Timeline } from '../../../timeline/timeline.ts'
import type { Draft } from '../session.ts'
import { ActionInput, ActionOutput } from './action-detail.tsx'
import { BudgetTable } from './budget-table.tsx'
import { ChangeTab, changeOf, useChangeEvent } from './change-tab.tsx'
import { CodeOutput, CodeState, CodeText } from './code-detail.tsx'
import { ModelMessages, ModelOutput, ModelUsage } from './model-detail.tsx'
import { ChildInput, ChildOutput, QueryInput, QueryOutput } from './nested-detail.tsx'
import { Permissions } from './permissions.tsx'
import { PolicyTab } from './policy-tab.tsx'
import { Raw } from './raw.tsx'
import { SkillsTab } from './skills-tab.tsx'
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

const tabsOf = {
  model: ['Output', 'Messages', 'Usage', 'Raw'],
  action: ['Output', 'Input', 'Change', 'Policy', 'Raw'],
  code: ['Output', 'Code', 'State', 'Raw'],
  query: ['Output', 'Input', 'Raw'],
  child: ['Output', 'Input', 'Raw'],
  step: ['Calls', 'Checkpoint', 'Raw'],
  thread: ['Thread', 'Skills', 'Permissions', 'Budget', 'History'],
} as const satisfies Readonly<Record<Span['kind'], readonly string[]>>
type TabName = (typeof tabsOf)[Span['kind']][number]
/** In the order in which they are read; the first choice of a kind stands in `tabsOf`. */
const order: readonly TabName[] = ['Messages', 'Change', 'Code', 'Input', 'Output']

/** Everything on record about the selected span. */
export function DetailPane(props: DetailProps) {
  const { span, timeline, threadLook, isLive, onClose } = props
  const names = useTabs(span, timeline)
  // One choice per kind: who reads the inputs of three actions in a row should not ask for each of them.
  const [chosen, setChosen] = useState<Partial<Record<Span['kind'], TabName>>>({})
  const [answers, setAnswers] = useState<number | null>(null)
  // What waits is shown by what it would do, until another tab is asked for.
  const asks = span.state === 'waiting' && span.kind === 'action' && answers !== span.id
  const wanted = asks ? 'Change' : (chosen[span.kind] ?? tabsOf[span.kind][0])
  const tab = names.find((name) => name === wanted) ?? tabsOf[span.kind][0]
  const isLost = span.state === 'started' && !isLive
  const look = span.kind === 'thread' ? threadLook : isLost ? lostLook : callLooks[span.state]
  const isCall = span.kind !== 'step' && span.kind !== 'thread'
  return (
    <aside className="pane detail" aria-label="Detail">
      <div className="pane-head">
        {span.kind !== 'step' && <Kind kind={span.kind} />}
        <h2 className={isCall ? 'mono trunc' : 'trunc'}>{span.name}</h2>
        <Status {...look} look="chip" />
        <span className="mute small">{isCall ? placeOf(span, timeline) : ''}</span>
        <span className="grow" />
        <IconButton icon="x" label="Close the detail" shortcut="Mod+J" onClick={onClose} />
      </div>
      <TabList
        label="Detail"
        className="tabs"
        tabs={names.map((name) => ({ name, title: name }))}
        current={tab}
        onChoose={(name) => {
          setChosen({ ...chosen, [span.kind]: name })
          setAnswers(span.id)
        }}
      />
      <div className="pane-body scrolls" role="tabpanel" aria-label={tab} key={`${span.id} ${tab}`}>
        {bodyOf(tab, props)}
      </div>
    </aside>
  )
}

/** The tabs of a span, without those that nothing is on record for. */
function useTabs(span: Span, timeline: Timeline): readonly TabName[] {
  const told = changeOf(useChangeEvent(span))
  const names: readonly TabName[] = tabsOf[span.kind]
  const hasChange = told !== null || span.asked !== null
  const isOwn = span.threadId === timeline.threadId
  return names
    .filter((name) => (name !== 'Change' || hasChange) && (name !== 'Messages' || isOwn))
    .toSorted((a, b) => rankOf(a) - rankOf(b))
}

function rankOf(name: TabName): number {
  const at = order.indexOf(name)
  return at < 0 ? order.length : at
}

/** `step 5, in code`: where a call stands. */
function placeOf(span: Span, timeline: Timeline): string {
  const child = span.threadId === timeline.threadId ? '' : ', of a child'
  return `step ${span.step + 1}${span.path.startsWith('1.') ? ', in code' : ''}${child}`
}

const lostLook: StatusLook = { status: 'queued', word: 'End not recorded' }

function bodyOf(tab: TabName, props: DetailProps): ReactNode {
  const { span, header, timeline, drafts, onSelect } = props
  const draft = span.threadId === timeline.threadId ? drafts.get(span.step) : undefined
  switch (tab) {
    case 'Messages':
      return <ModelMessages timeline={timeline} span={span} draft={draft} />
    case 'Output':
      return outputOf(props, draft)
    case 'Usage':
      return <ModelUsage timeline={timeline} span={span} draft={draft} />
    case 'Input':
      if (span.kind === 'query') return <QueryInput span={span} />
      return span.kind === 'child' ? <ChildInput span={span} /> : <ActionInput span={span} />
    case 'Change':
      return <ChangeTab span={span} />
    case 'Policy':
      return <PolicyTab span={span} />
    case 'Code':
      return <CodeText span={span} />
    case 'State':
      return <CodeState span={span} />
    case 'Calls':
      return <StepCalls timeline={timeline} span={span} onSelect={onSelect} />
    case 'Checkpoint':
      return <StepCheckpoint timeline={timeline} span={span} onSelect={onSelect} />
    case 'Thread':
      return (
        <ThreadFacts timeline={timeline} header={header} now={props.now} isLive={props.isLive} onSelect={onSelect} />
      )
    case 'Skills':
      return <SkillsTab timeline={timeline} />
    case 'Permissions':
      return <Permissions header={header} version={timeline.notes.length} />
    case 'Budget':
      return <BudgetTable timeline={timeline} />
    case 'History':
      return <ThreadHistory timeline={timeline} />
    case 'Raw':
      return <Raw seqs={seqsOf(timeline, span)} />
  }
}

function outputOf({ span, timeline }: DetailProps, draft: Draft | undefined): ReactNode {
  switch (span.kind) {
    case 'action':
      return <ActionOutput span={span} />
    case 'code':
      return <CodeOutput span={span} />
    case 'query':
      return <QueryOutput span={span} />
    case 'child':
      return <ChildOutput span={span} />
    default:
      return <ModelOutput timeline={timeline} span={span} draft={draft} />
  }
}

function seqsOf(timeline: Timeline, span: Span): readonly (number | null)[] {
  if (span.kind !== 'step') {
    const { asked, startSeq, endSeq } = span
    return [asked?.requestSeq ?? null, asked?.decidedSeq ?? null, startSeq, endSeq]
  }
  return callsOf(timeline, span.id).flatMap((id) => {
    const call = spanAt(timeline, id)
    return [call.startSeq, call.endSeq]
  })
}
