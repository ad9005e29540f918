import { useCallback, useEffect, useRef, useState } from 'react'
import type { SkillResource } from '../../../../core/domain/skill.ts'
import { Button } from '../../../components/button.tsx'
import { ErrorNote, Skeleton } from '../../../components/card.tsx'
import { call } from '../../../engine/client.ts'
import { bytesText } from '../../../format/figures.ts'
import { useLoad } from '../../../state/use-load.ts'
import { SourceText } from '../../skills/source-text.tsx'
import { resourceKinds } from '../../skills/words.ts'

interface CandidateFileProps {
  readonly id: string
  readonly file: SkillResource
  onClose(): void
}

/** A file that comes with a candidate, as it is: never rendered, and never run. Mount it anew for each (`key`). */
export function CandidateFile({ id, file: { path, bytes, kind }, onClose }: CandidateFileProps) {
  const [text, setText] = useState<string | null>(null)
  const ref = useRef<HTMLElement>(null)
  const load = useLoad(useCallback(async () => setText((await call('candidate.file', { id, path })).text), [id, path]))
  useEffect(() => {
    if (load.phase !== 'loading') ref.current?.scrollIntoView({ block: 'start' })
  }, [load.phase])
  return (
    <section ref={ref} className="can-file" aria-label={`File ${path}`}>
      <div className="hunk">
        <span className="breaks">{path}</span>
        <span>
          {resourceKinds[kind]}, {bytesText(bytes)}
        </span>
        <span className="grow" />
        <Button look="ghost" onClick={onClose}>
          Close
        </Button>
      </div>
      {load.phase === 'failed' && (
        <div className="change-facts">
          <ErrorNote title="This file cannot be shown" error={load.error} />
        </div>
      )}
      {load.phase === 'loading' && <Skeleton rows={3} label="Reading the file" />}
      {load.phase === 'ready' &&
        (text === null || text === '' ? (
          <p className="change-facts small dim">An empty file.</p>
        ) : (
          <SourceText text={text} label={`Text of ${path}`} />
        ))}
    </section>
  )
}
