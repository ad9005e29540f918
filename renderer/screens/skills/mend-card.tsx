import { useState } from 'react'
import type { SkillProblem } from '../../../core/domain/skill.ts'
import { DiffView } from '../../approval/diff-view.tsx'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/card.tsx'
import { call } from '../../engine/client.ts'
import { loadSkills } from '../../state/skills.ts'
import { useAction } from '../../state/use-load.ts'

interface MendCardProps {
  readonly problem: SkillProblem
  onMended?(): Promise<void>
}

const firstLines = 200

/** One safe change of the file: shown whole before it is made. */
export function MendCard({ problem: { file, sha256, mend }, onMended }: MendCardProps) {
  const [isShown, setShown] = useState(false)
  const work = useAction(async () => {
    await call('skill.mend', { file, sha256 })
    await loadSkills()
    await onMended?.()
  })
  if (mend === null)
    return (
      <p className="small dim mend-none">
        No change is safe without you: open the file, mend it, and read the files again.
      </p>
    )
  return (
    <div className="card mend">
      <div className="row mend-head">
        <b className="medium">{mend.title}</b>
        <span className="grow" />
        {isShown ? (
          <>
            <Button look="ghost" onClick={() => setShown(false)}>
              Leave the file as it is
            </Button>
            <Button look="primary" disabled={work.isBusy} onClick={() => work.run()}>
              Write this change
            </Button>
          </>
        ) : (
          <Button look="primary" onClick={() => setShown(true)}>
            Show the change
          </Button>
        )}
      </div>
      {work.error && <ErrorNote title="The file was not changed" error={work.error} />}
      {isShown && (
        <DiffView before={mend.before} after={mend.text} label={`Change of ${file}`} firstLines={firstLines} />
      )}
    </div>
  )
}
