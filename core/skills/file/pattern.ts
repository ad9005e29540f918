import { RE2JS } from 're2js'

export type PatternFault = 'E_PATTERN_INVALID' | 'E_PATTERN_UNSUPPORTED'

/** A pattern of a skill in an engine whose time grows with the text and not with the pattern's nesting, or why there is none. */
export function compilePattern(text: string): RE2JS | PatternFault {
  try {
    return RE2JS.compile(text)
  } catch {
    return isBacktracking(text) ? 'E_PATTERN_UNSUPPORTED' : 'E_PATTERN_INVALID'
  }
}

/** Well formed for an engine that backtracks: back-references and look-around, which a linear one cannot have. */
function isBacktracking(text: string): boolean {
  try {
    new RegExp(text.replace(/^\(\?[a-zA-Z]+\)/, ''), 'u')
    return true
  } catch {
    return false
  }
}
