import { Fragment } from 'react'
import { marksIn } from '../../core/domain/leaks/mark.ts'
import { secretWords } from '../../core/domain/leaks/words.ts'
import { Icon } from './icon.tsx'

interface RedactedChipProps {
  /** The family: `github-classic`, `stored-key`. */
  readonly what: string
  /** Where it stood, in words; the text around it where it says that itself. */
  readonly where?: string
}

/** In the place of a secret. */
export function RedactedChip({ what, where = 'here' }: RedactedChipProps) {
  const words = secretWords(what)
  return (
    <span
      className="chip line redacted"
      title={`A ${words} stood ${where}. It was taken out before this was stored, shown or sent.`}
    >
      <Icon name="lock" size="tiny" />
      Redacted: {words}
    </span>
  )
}

/** A text as it is, with a chip where a secret was taken out. */
export function RedactedText({ text }: { readonly text: string }) {
  const marks = marksIn(text)
  if (marks.length === 0) return text
  return (
    <>
      {marks.map(({ what, start, end }, at) => (
        <Fragment key={start}>
          {text.slice(marks[at - 1]?.end ?? 0, start)}
          <RedactedChip what={what} where={`here, at character ${(start + 1).toLocaleString('en')}`} />
          {at === marks.length - 1 && text.slice(end)}
        </Fragment>
      ))}
    </>
  )
}
