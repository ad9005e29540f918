import { type ReactNode, useCallback, useState } from 'react'
import type { ErrorBody } from '../../../core/domain/error.ts'
import type { SkillDetail } from '../../../core/domain/skill.ts'
import type { Undoable } from '../../components/undo-toast.tsx'
import { call } from '../../engine/client.ts'
import { go } from '../../state/navigation.ts'
import { useAction } from '../../state/use-load.ts'
import { ExportDialog } from './export-dialog.tsx'
import { RollbackDialog } from './rollback-dialog.tsx'

export interface SkillActions {
  readonly error: ErrorBody | null
  /** What is asked before something is done; null while nothing is. */
  readonly dialog: ReactNode
  askRollback(to: number): void
  askExport(): void
  quarantine(isOut: boolean): void
  globalize(): void
}

interface After {
  onChanged(): Promise<void>
  onDone(done: Undoable): void
}

type Asked = { readonly kind: 'rollback'; readonly to: number } | { readonly kind: 'export' } | null

/** What can be done with a skill beside editing it. What is done at once can be taken back. */
export function useSkillActions(skill: SkillDetail, { onChanged, onDone }: After): SkillActions {
  const { id, name, version, versions } = skill
  const [asked, setAsked] = useState<Asked>(null)
  const close = () => setAsked(null)
  const quarantine = useAction(async (isOut: boolean, undoes: boolean) => {
    await call('skill.quarantine', { id, quarantined: isOut })
    await onChanged()
    const text = isOut ? `${name} is out of use` : `${name} is in use again`
    if (!undoes) onDone({ text, undo: () => quarantine.run(!isOut, true) })
  })
  const globalize = useAction(async () => {
    const candidate = await call('skill.globalize', { id })
    go({ screen: 'approvals', id: candidate.id })
  })
  const goBackTo = useAction(async (to: number) => {
    await call('skill.rollback', { id, to, reason: 'Taken back at once.' })
    await onChanged()
  })
  const hasLive = versions.some(({ state }) => state === 'live')
  const afterRollback = async (to: number) => {
    close()
    await onChanged()
    if (hasLive) onDone({ text: `${name} is on v${to} again`, undo: () => goBackTo.run(version) })
  }
  return {
    error: quarantine.error ?? globalize.error ?? goBackTo.error,
    dialog:
      asked?.kind === 'rollback' ? (
        <RollbackDialog skill={skill} to={asked.to} onDone={() => afterRollback(asked.to)} onClose={close} />
      ) : asked?.kind === 'export' ? (
        <ExportDialog skill={skill} onClose={close} />
      ) : null,
    askRollback: useCallback((to: number) => setAsked({ kind: 'rollback', to }), []),
    askExport: useCallback(() => setAsked({ kind: 'export' }), []),
    quarantine: (isOut) => quarantine.run(isOut, false),
    globalize: () => globalize.run(),
  }
}
