import { type ReactNode, useCallback, useState } from 'react'
import type { ErrorBody } from '../../../core/domain/error.ts'
import type { Firing, MissionDetail } from '../../../core/domain/mission.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import type { Undoable } from '../../components/undo-toast.tsx'
import { call } from '../../engine/client.ts'
import { type MissionTab, missionRoute } from '../../routes.ts'
import { forgetMission } from '../../state/missions.ts'
import { go } from '../../state/navigation.ts'
import { supervise } from '../../state/store.ts'
import { useAction } from '../../state/use-load.ts'
import { pausedText } from './words.ts'

export interface MissionActions {
  readonly error: ErrorBody | null
  /** What is asked before something is done; null while nothing is. */
  readonly dialog: ReactNode
  /** The firing that was set off by hand last, as it was then, while the tab is shown on which that was. */
  readonly fired: Firing | null
  forgetFired(): void
  readonly isBusy: boolean
  fire(): void
  pause(): void
  /** Of a proposed one the version that stands on the screen is what is decided about. */
  resume(): void
  skip(): void
  askRemove(): void
}

interface After {
  /** Firings that wait for their turn. */
  readonly waiting: number
  /** That is shown. */
  readonly tab: MissionTab
  onChanged(): Promise<void>
  onDone(done: Undoable): void
}

/** What can be done with a mission beside editing it. */
export function useMissionActions(mission: MissionDetail, { waiting, tab, onChanged, onDone }: After): MissionActions {
  const { id, name, version, status } = mission
  const [isRemoving, setRemoving] = useState(false)
  const [fired, setFired] = useState<{ readonly firing: Firing; readonly on: MissionTab } | null>(null)
  const fire = useAction(async () => {
    setFired({ firing: await call('mission.fire', { id }), on: tab })
    await onChanged()
  })
  const resume = useAction(async () => {
    await call('mission.resume', { id, version })
    await onChanged()
  })
  // The offer outlives this pane, which would have shown why it was refused.
  const resumePaused = () => call('mission.resume', { id, version })
  const pause = useAction(async () => {
    await call('mission.pause', { id })
    onDone({ text: pausedText(name, waiting), verb: 'Resume', undo: () => supervise(resumePaused) })
    await onChanged()
  })
  const skip = useAction(async () => {
    await call('mission.skip', { id })
    await onChanged()
  })
  const remove = useAction(async () => {
    await call('mission.remove', { id })
    setRemoving(false)
    forgetMission(id)
    go(missionRoute(null))
  })
  const all = [fire, resume, pause, skip]
  return {
    error: all.find(({ error }) => error !== null)?.error ?? null,
    isBusy: all.some(({ isBusy }) => isBusy),
    fired: fired?.on === tab ? fired.firing : null,
    forgetFired: useCallback(() => setFired(null), []),
    dialog: isRemoving ? (
      <ConfirmDialog
        title={`Remove the mission ${name}?`}
        confirm={`Remove ${name}`}
        keep="Keep it"
        isDestructive
        isBusy={remove.isBusy}
        error={remove.error}
        onConfirm={() => remove.run()}
        onClose={() => setRemoving(false)}
      >
        <ul className="consequences">
          <li>It fires no more. What waits for its turn is cancelled.</li>
          {status === 'active' && <li>A thread of it that is at work goes on to its end.</li>}
          <li>Its threads and what is on record of them stay. The mission itself cannot be brought back.</li>
        </ul>
      </ConfirmDialog>
    ) : null,
    fire: () => fire.run(),
    pause: () => pause.run(),
    resume: () => resume.run(),
    skip: () => skip.run(),
    askRemove: useCallback(() => setRemoving(true), []),
  }
}
