import type { SkillDiagnostic } from '../../../core/domain/skill.ts'
import { VisibleText } from '../../approval/diff-view.tsx'

interface DiagnosticsProps {
  readonly list: readonly SkillDiagnostic[]
  /** Of the file, where it is known: the lines around each place are shown. */
  readonly text?: string
  /** The first one stands in the headline already: only its lines and its code are shown. */
  readonly isFirstTold?: boolean
}

/** Each with its line, its cause and its code; the first is why the file was judged as it was. */
export function Diagnostics({ list, text, isFirstTold = false }: DiagnosticsProps) {
  const lines = text?.split('\n') ?? []
  return (
    <ol className="diags">
      {list.map(({ code, line, message }, index) => {
        const hasLines = line !== null && lines.length >= line
        return (
          <li key={`${code} ${line} ${message}`}>
            {isFirstTold && index === 0 ? (
              !hasLines && <code className="mute">{code}</code>
            ) : (
              <p>
                <b className="medium">
                  {line === null ? 'The whole file' : `Line ${line}`}
                  {message !== '' && ':'}
                </b>{' '}
                {message} {!hasLines && <code className="mute">{code}</code>}
              </p>
            )}
            {hasLines && <LinesAround lines={lines} line={line} code={code} />}
          </li>
        )
      })}
    </ol>
  )
}

interface LinesAroundProps {
  readonly lines: readonly string[]
  /** From 1. */
  readonly line: number
  readonly code: string
}

const around = 2

function LinesAround({ lines, line, code }: LinesAroundProps) {
  const begin = Math.max(0, line - 1 - around)
  return (
    <div className="diff source diag-lines">
      {lines.slice(begin, line + around).map((each, at) => {
        const number = begin + at + 1
        const text = each.replace(/\r$/, '')
        return (
          <div key={number} className={number === line ? 'diag-at' : ''}>
            <div className={number === line ? 'l del' : 'l'}>
              <span>{number}</span>
              <em>{number === line ? '×' : ''}</em>
              <code>
                <VisibleText text={text} />
              </code>
            </div>
            {number === line && (
              <div className="l diag-caret">
                <span />
                <em />
                <code>
                  {/* Below the first letter: which column is not known. */}
                  {/^\s*/.exec(text)?.[0]}^ {code}
                </code>
              </div>
            )}
          </div>
        )
      })}
    </div>
  )
}
