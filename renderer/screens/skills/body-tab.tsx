import { useState } from 'react'
import type { SkillDetail } from '../../../core/domain/skill.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { Markdown } from '../../components/markdown.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { SourceText } from './source-text.tsx'

const looks = [
  ['rendered', 'Rendered'],
  ['source', 'Source'],
] as const

/** What a model is given, as it reads; or the whole file, byte by byte. */
export function BodyTab({ skill }: { readonly skill: SkillDetail }) {
  const [look, setLook] = useState<(typeof looks)[number][0]>('rendered')
  return (
    <>
      <div className="sk-bar">
        <Segmented label="How it is shown" options={looks} value={look} onChange={(next) => setLook(next)} />
        <span className="mute small">
          {look === 'rendered' ? 'without front matter' : 'the whole file, characters that nobody sees marked'}
        </span>
        <span className="grow" />
        <CopyButton text={skill.content} label="Copy the file" />
      </div>
      {look === 'rendered' ? (
        <div className="sk-prose">
          <Markdown text={skill.body} />
        </div>
      ) : (
        <SourceText text={skill.content} label={`Source of v${skill.version}`} />
      )}
    </>
  )
}
