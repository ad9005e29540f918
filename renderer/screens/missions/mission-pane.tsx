import { useCallback, useEffect, useState } from 'react'
import type { ErrorBody } from '../../../core/domain/error.ts'
import type { Firing, MissionDetail } from '../../../core/domain/mission.ts'
import { Button } from '../../components/button.tsx'
import { ErrorCard, ErrorNote, Note, Skeleton } from '../../components/card.tsx'
import { TabList } from '../../components/tab-list.tsx'
import { ThreadLink } from '../../components/thread-link.tsx'
import type { Undoable } from '../../components/undo-toast.tsx'
import { call } from '../../engine/client.ts'
import { type MissionTab, missionRoute, missionTabs } from '../../routes.ts'
import { go, replaceRoute } from '../../state/navigation.ts'
import { useApp } from '../../state/store.ts'
import { useLoad } from '../../state/use-load.ts'
import { useScreenCommand } from '../../state/use-screen-command.ts'
import { useSettled } from '../../state/use-settled.ts'
import { ApproachTab } from './approach-tab.tsx'
import { DefinitionTab } from './definition-tab.tsx'
import { HistoryTab } from './history-tab.tsx'
import { MissionHead } from './mission-head.tsx'
import { OverviewTab } from './overview-tab.tsx'
import { PromptTab } from './prompt-tab.tsx'
import { ProposalCard } from './proposal-card.tsx'
import { useMissionActions } from './use-mission-actions.tsx'
import { firingLook } from './words.ts'

interface MissionPaneProps {
  readonly id: string
  readonly tab: MissionTab
  onDone(done: Undoable): void
}

interface Read {
  readonly mission: MissionDetail
  /** The newest first, as many as one page holds. */
  readonly firings: readonly Firing[]
}

const pulseMs = 300

/** The mission that the address names. */
export function MissionPane({ id, tab, onDone }: MissionPaneProps) {
  const [read, setRead] = useState<Read | null>(null)
  // What happens to others changes nothing here.
  const seq = useSettled(
    useApp((state) => state.known.missionSeqs[id] ?? 0),
    pulseMs,
  )
  const readNow = useCallback(async () => {
    const [mission, firings] = await Promise.all([call('mission.get', { id }), call('mission.firings', { id })])
    setRead({ mission, firings })
  }, [id])
  const load = useLoad(useCallback(() => readNow(), [readNow, seq]))
  const { retry } = load
  // The action was done: that only the reading failed is said by the next try of it.
  const changed = useCallback(() => readNow().catch(retry), [readNow, retry])
  const problem = load.phase === 'failed' ? load.error : null
  const isGone = problem?.code === 'mission.not_found'
  if (read && !isGone) return <Whole {...read} {...{ tab, seq, onDone, problem, onRetry: retry }} onChanged={changed} />
  return (
    <section className="pane detail" aria-label="Mission">
      {problem !== null ? (
        <div className="padded">
          <ErrorCard
            title="This mission could not be read"
            error={problem}
            actions={
              <>
                {!isGone && (
                  <Button look="primary" onClick={retry}>
                    Read again
                  </Button>
                )}
                <Button {...(isGone && { look: 'primary' })} onClick={() => go(missionRoute(null))}>
                  Show the list
                </Button>
              </>
            }
          />
        </div>
      ) : (
        <Skeleton rows={7} label="Reading the mission" />
      )}
    </section>
  )
}

const tabTitles: Readonly<Record<MissionTab, string>> = {
  overview: 'Overview',
  definition: 'Definition',
  history: 'History',
  approach: 'Focus and approach',
  prompt: 'Prompt preview',
}

interface WholeProps extends Read, Pick<MissionPaneProps, 'tab' | 'onDone'> {
  /** Of its newest event. */
  readonly seq: number
  /** Why what stands here is old. */
  readonly problem: ErrorBody | null
  onChanged(): Promise<void>
  onRetry(): void
}

function Whole({ mission, firings, tab, seq, problem, onChanged, onRetry, onDone }: WholeProps) {
  const waiting = firings.filter(({ state }) => state === 'queued').length
  const actions = useMissionActions(mission, { waiting, tab, onChanged, onDone })
  const { id } = mission
  useScreenCommand(
    'mission.history',
    useCallback(() => replaceRoute(missionRoute(id, 'history')), [id]),
  )
  const counts: Partial<Record<MissionTab, number>> = { history: firings.length, approach: mission.approaches.length }
  return (
    <section className="pane detail" aria-label={mission.name}>
      <MissionHead mission={mission} actions={actions} onEdit={() => go(missionRoute(id, 'edit'))} />
      {mission.status === 'proposed' && <ProposalCard mission={mission} actions={actions} />}
      {actions.error && (
        <div className="msn-note-card">
          <ErrorNote title="Nothing was changed" error={actions.error} />
        </div>
      )}
      {problem && (
        <div className="msn-note-card row">
          <ErrorNote title="Not read again: what stands here is as it was" error={problem} />
          <Button onClick={onRetry}>Read again</Button>
        </div>
      )}
      {actions.fired && (
        <Fired
          firing={firings.find((each) => each.id === actions.fired?.id) ?? actions.fired}
          onOver={actions.forgetFired}
        />
      )}
      <TabList
        label="Mission"
        className="tabs"
        tabs={missionTabs.map((name) => {
          const count = counts[name]
          return { name, title: tabTitles[name], ...(count !== undefined && { hint: count.toLocaleString('en') }) }
        })}
        current={tab}
        onChoose={(name) => {
          actions.forgetFired()
          replaceRoute(missionRoute(id, name))
        }}
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region is scrolled by keyboard */}
      <div className="pane-body scrolls" role="tabpanel" aria-label={tabTitles[tab]} tabIndex={0} key={tab}>
        {tab === 'overview' && <OverviewTab mission={mission} firings={firings} />}
        {tab === 'definition' && <DefinitionTab mission={mission} />}
        {tab === 'history' && <HistoryTab mission={mission} firings={firings} />}
        {tab === 'approach' && <ApproachTab mission={mission} />}
        {tab === 'prompt' && <PromptTab mission={mission} seq={seq} />}
      </div>
      {actions.dialog}
    </section>
  )
}

const firedMs = 30_000

/** What became of the firing that was just set off by hand, as far as it is known; once it is over, for a while. */
function Fired({ firing, onOver }: { readonly firing: Firing; onOver(): void }) {
  const isOver = firing.state !== 'queued' && firing.state !== 'running'
  useEffect(() => {
    if (!isOver) return
    const timer = setTimeout(onOver, firedMs)
    return () => clearTimeout(timer)
  }, [isOver, onOver])
  const threadState = useApp((app) =>
    firing.threadId === null ? undefined : app.known.threads[firing.threadId]?.state,
  )
  const { status, word } = firingLook(firing.state, threadState)
  return (
    <div className="msn-note-card">
      <Note
        status={status === 'denied' ? 'failed' : status === 'queued' ? 'running' : status}
        action={firing.threadId === null ? undefined : <ThreadLink id={firing.threadId} />}
      >
        Set off by you: {word.toLowerCase()}
        {firing.reason === null ? '' : `, ${firing.reason}`}.
        {firing.state === 'queued' && ' It begins when a place is free; nothing else has to be done.'}
      </Note>
    </div>
  )
}
