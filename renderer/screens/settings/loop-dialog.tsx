import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { call } from '../../engine/client.ts'
import { changeSettingsBy } from '../../state/settings.ts'
import { useAction } from '../../state/use-load.ts'
import { type LoopReview, type LoopVersion, versionName } from './loop-words.ts'

export interface LoopQuestion {
  readonly kind: 'activate' | 'rollback'
  readonly version: number
}

interface LoopDialogProps {
  readonly question: LoopQuestion
  readonly current: LoopVersion
  readonly pinned: number | null
  /** With the dry run that came before it, where there was one. */
  onDone(review: LoopReview | null): void
  onClose(): void
}

/** Asks before new threads begin with another loop. */
export function LoopDialog({ question, current, pinned, onDone, onClose }: LoopDialogProps) {
  const { kind, version } = question
  const name = versionName(version)
  const decide = useAction(async () => {
    const review = kind === 'activate' ? await call('orchestrator.activate', { version }) : null
    if (kind === 'rollback') await call('orchestrator.rollback', { to: version })
    // A pin would hold the old one: who activates another means that one.
    if (pinned !== null)
      await changeSettingsBy(({ orchestrator }) => ({ orchestrator: { ...orchestrator, pinned: null } }))
    onDone(review)
  })
  const verb = kind === 'activate' ? 'Activate' : 'Roll back to'
  return (
    <ConfirmDialog
      title={`${verb} ${name}?`}
      confirm={`${verb} ${name}`}
      keep={`Keep ${versionName(current.version)}`}
      isBusy={decide.isBusy}
      error={decide.error}
      onConfirm={() => decide.run()}
      onClose={onClose}
    >
      <ul className="consequences">
        {kind === 'activate' && version !== 0 && (
          <li>It runs over the newest threads on record first, without any effect. Where it fails, nothing changes.</li>
        )}
        <li>Then every new thread begins with {name}. Threads under way end with the version that they began with.</li>
        {pinned !== null && <li>The pin on {versionName(pinned)} is lifted.</li>}
        {version !== 0 && <li>After three failures of its own it is given up for the one before it.</li>}
        <li>{current.version === 0 ? 'The bundled loop' : versionName(current.version)} stays in the list.</li>
      </ul>
    </ConfirmDialog>
  )
}
