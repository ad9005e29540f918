import { useState } from 'react'
import type { SkillDetail } from '../../../core/domain/skill.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { Field } from '../../components/field.tsx'
import { call } from '../../engine/client.ts'
import { useAction } from '../../state/use-load.ts'

interface RollbackDialogProps {
  readonly skill: SkillDetail
  readonly to: number
  onDone(): Promise<void>
  onClose(): void
}

/** Another version becomes the live one: what that means, and why it is done. */
export function RollbackDialog({ skill, to, onDone, onClose }: RollbackDialogProps) {
  const { id, name, version, versions } = skill
  const [reason, setReason] = useState('')
  const work = useAction(async () => {
    const why = reason.trim()
    await call('skill.rollback', { id, to, ...(why !== '' && { reason: why }) })
    await onDone()
  })
  const target = versions.find((each) => each.version === to)
  const isLive = versions.some((each) => each.version === version && each.state === 'live')
  return (
    <ConfirmDialog
      title={`Use v${to} of ${name}`}
      confirm={isLive ? `Roll back to v${to}` : `Use v${to}`}
      keep={isLive ? `Keep v${version}` : 'Leave it as it is'}
      isBusy={work.isBusy}
      error={work.error}
      onConfirm={() => work.run()}
      onClose={onClose}
    >
      <ul className="consequences">
        <li>
          Threads that begin from now on get v{to}
          {isLive ? ` in the place of v${version}` : ''}. Those that run keep what they have.
        </li>
        {isLive && <li>v{version} stays in the list, and can be used again in the same way.</li>}
        {target?.rolledBack && (
          <li>
            v{to} was taken back before: {target.rolledBack.reason}
          </li>
        )}
      </ul>
      <Field
        label="Why, for the record"
        maxLength={1_000}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </ConfirmDialog>
  )
}
