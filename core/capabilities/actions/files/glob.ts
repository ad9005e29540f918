import picomatch from 'picomatch'
import { RE2JS, RE2JSException } from 're2js'
import { refusal } from '../refusal.ts'

/** A file pattern: `*`, `?`, `[ab]`, `{a,b}`, `**`. Case does not matter. */
export interface Glob {
  /** It reaches into folders below: holds a slash or `**`. */
  readonly isDeep: boolean
  /** It names hidden files itself (`.github/*`, `.env`). */
  readonly wantsHidden: boolean
  /** `below` is relative to the folder that is walked, '/' separated; a pattern without a slash is held against the name. */
  matches(below: string): boolean
}

/** Throws action.args for a pattern that cannot be used, action.outside for one that climbs out. */
export function compileGlob(pattern: string): Glob {
  const plain = pattern
    .trim()
    .replace(/^(\.?\/)+/, '')
    .replace(/\/+$/, '')
  if (/(^|\/)\.\.(\/|$)/.test(plain))
    throw refusal('action.outside', `The pattern "${pattern}" leads out of the folder.`)
  const expression = compileLinear(pattern, plain)
  const hasSlash = plain.includes('/')
  return {
    isDeep: hasSlash || plain.includes('**'),
    wantsHidden: /(^|[/{,])\.[^./]/.test(plain),
    matches(below) {
      return expression.test(hasSlash || plain.includes('**') ? below : below.slice(below.lastIndexOf('/') + 1))
    },
  }
}

// picomatch writes a backtracking expression; a pattern of many stars against a long name would never end. So its source
// runs in RE2, without the look-aheads that only keep `.`, `..` and empty names out: a walk never yields those.
function compileLinear(pattern: string, plain: string): RE2JS {
  const { source } = picomatch.makeRe(plain, { dot: true, noextglob: true, strictSlashes: true })
  const linear = lookAheads.reduce((text, lookAhead) => text.replaceAll(lookAhead, ''), source)
  try {
    return RE2JS.compile(linear, RE2JS.CASE_INSENSITIVE | RE2JS.DOTALL)
  } catch (cause) {
    if (!(cause instanceof RE2JSException)) throw cause
    throw refusal(
      'action.args',
      `The pattern "${pattern}" cannot be used: write it with *, ?, [ab], {a,b} and ** only.`,
    )
  }
}

const lookAheads = [
  '(?!(?:^|\\/)\\.{1,2}(?:\\/|$))',
  '(?!(?:\\/|^)\\.{1,2}(?:\\/|$))',
  '(?!\\.{1,2}(?:\\/|$))',
  '(?=.)',
]
