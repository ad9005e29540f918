import { useState } from 'react'
import { VisibleText } from '../../approval/diff-view.tsx'
import { Button } from '../../components/button.tsx'
import { counted } from '../../format/figures.ts'

interface SourceTextProps {
  readonly text: string
  readonly label: string
}

const firstLines = 800

/** A file with its line numbers; never rendered as anything but text. */
export function SourceText({ text, label }: SourceTextProps) {
  const [shown, setShown] = useState(firstLines)
  const lines = text.replace(/\n$/, '').split('\n')
  return (
    <section className="diff source" aria-label={label}>
      {lines.slice(0, shown).map((line, at) => (
        // Lines have no identity but their number.
        <div key={at} className="l">
          <span>{at + 1}</span>
          <code>
            <VisibleText text={line.replace(/\r$/, '')} />
          </code>
        </div>
      ))}
      {lines.length > shown && (
        <Button look="ghost" onClick={() => setShown(Number.POSITIVE_INFINITY)}>
          {counted(lines.length - shown, 'more line')}
        </Button>
      )}
    </section>
  )
}
