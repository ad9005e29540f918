import type { SkillDiagnostic } from '../../../core/domain/skill.ts'
import { VisibleText } from '../../approval/diff-view.tsx'

interface DiagnosticsProps {
  readonly list: readonly SkillDiagnostic[]
  /** Of the file, where it is known: the lines around each place are shown. */
  readonly text?: string
}

const around = 2

/** Each with its line, its cause and its code; the first is why the file was judged as it was. */
export function Diagnostics({ list, text }: DiagnosticsProps) {
  const lines = text?.split('\n') ?? []
  return (
    <ol className="diags">
      {list.map(({ code, line, message }) => (
        <li key={`${code} ${line} ${message}`}>
          <p>
            <b className="medium">
              {line === null ? 'The whole file' : `Line ${line}`}
              {message !== '' && ':'}
            </b>{' '}
            {message} <code className="mute">{code}</code>
          </p>
          {line !== null && lines.length >= line && (
            <div className="diff source diag-lines">
              {lines.slice(Math.max(0, line - 1 - around), line + around).map((each, at) => {
                const number = Math.max(0, line - 1 - around) + at + 1
                return (
                  <div key={number} className={number === line ? 'l del' : 'l'}>
                    <span>{number}</span>
                    <code>
                      <VisibleText text={each.replace(/\r$/, '')} />
                    </code>
                  </div>
                )
              })}
            </div>
          )}
        </li>
      ))}
    </ol>
  )
}
