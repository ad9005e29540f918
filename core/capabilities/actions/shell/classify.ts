import type { Verdict } from '../../../domain/policy.ts'
import { sanitizeText } from '../../../domain/text.ts'
import { catastropheOf, isRawDevice, spell } from './catastrophe.ts'
import { kindOf } from './kind.ts'
import { leadsOutside, programName } from './program.ts'
import { isReader, onlyReads } from './read-only.ts'
import { readScript, type Script } from './script.ts'
import type { Word } from './word.ts'

/** What is to become of a command. */
export interface Classification {
  readonly verdict: Verdict
  /** The words of one plain command, run without a shell; null: it runs by `bash -c`. */
  readonly argv: readonly string[] | null
  /** What a person should know before deciding, each a clause. */
  readonly concerns: readonly string[]
  /** What a wider approval would cover: program and sub-command; null: each call is asked anew. */
  readonly scopeKey: string | null
  /** Why it asks or is refused; empty for `allow`. */
  readonly reason: string
}

/**
 * Judges a command by its text alone: no file is looked at. `folder` is the project's, absolute. Reading inside the project
 * by a known program is allowed, what cannot be taken back is denied, everything else asks (RULES 13).
 */
export async function classify(command: string, folder: string): Promise<Classification> {
  const script = await readScript(command)
  const catastrophe = await worstOf(script, folder, 0)
  if (catastrophe !== null) {
    return { verdict: 'deny', argv: script.argv, concerns: [], scopeKey: null, reason: `refused: ${catastrophe}` }
  }
  const hidden = sanitizeText(command) === command ? [] : [`hidden characters, shown here: ${sanitizeText(command)}`]
  return script.argv === null ? byShell(script, hidden, folder) : plain(script.argv, hidden, folder)
}

function plain(argv: readonly string[], hidden: readonly string[], folder: string): Classification {
  const kind = kindOf(argv, folder)
  const concerns = [...hidden, ...kind.concerns]
  if (concerns.length === 0 && onlyReads(argv)) {
    return { verdict: 'allow', argv, concerns, scopeKey: kind.scopeKey, reason: '' }
  }
  const scopeKey = hidden.length > 0 || isReader(argv) ? null : kind.scopeKey
  const reason = concerns[0] ?? `${programName(argv[0])} with these arguments may do more than read`
  return { verdict: 'ask', argv, concerns, scopeKey, reason }
}

function byShell(script: Script, hidden: readonly string[], folder: string): Classification {
  const { isWhole, constructs, commands, writes } = script
  const words = [...commands.flat(), ...writes].map(spell)
  const concerns = [
    ...hidden,
    ...(isWhole ? [] : ['it cannot be read as bash with certainty']),
    ...constructs.map((each) => `it holds ${each}`),
    ...commands.flatMap((each) => kindOf(each.map(spell), folder).concerns),
    ...words.filter((each) => /^\$\{?HOME\b/.test(each)).map((each) => `${each} leads outside the project folder`),
    ...writes
      .map(spell)
      .filter((each) => leadsOutside(each, folder))
      .map((each) => `it writes to ${each}`),
  ]
  const reason = isWhole
    ? `it takes a shell: it holds ${constructs.join(', ')}`
    : 'it cannot be read as bash with certainty'
  return { verdict: 'ask', argv: null, concerns: [...new Set(concerns)].slice(0, 20), scopeKey: null, reason }
}

const shells = /^(?:bash|sh|dash|zsh|ksh|eval)$/
const deepest = 3

/** The first reason to refuse any command in it, those in the text given to another shell too. */
async function worstOf(script: Script, folder: string, depth: number): Promise<string | null> {
  if (script.isForkBomb) return 'it multiplies itself until the machine stands still'
  if (script.writes.some((each) => isRawDevice(spell(each)))) return 'it writes to a raw device'
  for (const words of script.commands) {
    const reason = catastropheOf(words, folder)
    if (reason !== null) return reason
    const inner = innerScript(words)
    if (inner === null || depth === deepest) continue
    const worst = await worstOf(await readScript(inner), folder, depth + 1)
    if (worst !== null) return worst
  }
  return null
}

/** The text of `bash -c '…'` and `eval …`, also behind another program. */
function innerScript(words: readonly Word[]): string | null {
  const spoken = words.map(spell)
  const at = spoken.findIndex((each) => shells.test(programName(each)))
  if (at < 0) return null
  const rest = spoken.slice(at + 1)
  if (spoken[at] === 'eval') return rest.join(' ')
  const option = rest.findIndex((each) => /^-\w*c$/.test(each))
  return option < 0 ? null : (rest[option + 1] ?? null)
}
