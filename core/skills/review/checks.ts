import type { CandidateCheck } from '../../domain/candidate.ts'
import { marksIn } from '../../domain/leaks/mark.ts'
import { scanSecrets } from '../../domain/leaks/scan.ts'
import { limits } from '../../domain/limits.ts'
import { sanitizeText } from '../../domain/text.ts'
import { skillTokens } from '../block.ts'
import type { SkillVerdict } from '../file/parse.ts'
import { requestedActions } from '../file/requests.ts'
import type { LoadedSkill } from '../library.ts'
import { termOf } from '../terms.ts'

export interface CheckedCandidate {
  readonly content: string
  readonly verdict: SkillVerdict
  /** The candidate as it would be live; undefined where it does not parse. */
  readonly skill: LoadedSkill | undefined
  /** The live version; undefined for a new skill. */
  readonly before: LoadedSkill | undefined
  /** One of everywhere has this name: in the candidate's project it would count no more. */
  readonly isShadowing: boolean
  readonly isStale: boolean
  /** These bytes were taken back once. */
  readonly wasRolledBack: boolean
  /** The thread that wrote it had read text from outside. */
  readonly isUntrusted: boolean
  /** Numbers of threads that it comes from and that a person said to be wrong. */
  readonly corrected: readonly number[]
  readonly pastGoals: readonly string[]
  /** Names of actions that there are. */
  readonly actions: readonly string[]
  /** The first place, in its text or a file beside it, that tells to fetch a program and to run it at once. */
  readonly order: { readonly path: string; readonly line: number } | null
  /** Of the snippets, in words; null where all compile. */
  readonly codeFault: string | null
}

/** What can be said of a candidate without a person. `failed` blocks its approval. Source: issue, Review; engine-behaviour 5.12. */
export function checksOf(checked: CheckedCandidate): readonly CandidateCheck[] {
  const { skill } = checked
  if (skill === undefined) return [fileCheck(checked)]
  return [
    fileCheck(checked),
    hiddenCheck(checked.content),
    secretsCheck(checked.content),
    keywordsCheck(skill),
    patternsCheck(skill, checked.pastGoals),
    actionsCheck(skill, checked.actions),
    hostsCheck(skill, checked.before),
    codeCheck(skill, checked.codeFault),
    ordersCheck(checked.order),
    parentCheck(checked),
    originCheck(checked, skill),
  ]
}

function check(
  name: CandidateCheck['name'],
  state: CandidateCheck['state'],
  title: string,
  detail = '',
  line: number | null = null,
): CandidateCheck {
  return { name, state, title, detail, line }
}

function fileCheck({ verdict, skill }: CheckedCandidate): CandidateCheck {
  const [first] = verdict.diagnostics
  if (skill === undefined || verdict.outcome === 'reject') {
    const detail = `${first?.code ?? ''}: ${first?.message ?? 'it cannot be read'}`
    return check('file', 'failed', 'It is no skill file', detail, first?.line ?? null)
  }
  const tokens = skillTokens(skill)
  if (tokens > limits.skillTokens) {
    const detail = `${tokens} of ${limits.skillTokens} tokens: it would never be chosen`
    return check('file', 'failed', 'It is too long', detail)
  }
  const size = `${tokens} of ${limits.skillTokens} tokens`
  if (first === undefined) return check('file', 'ok', 'Front matter and size', size)
  return check('file', 'attention', 'The file has a flaw', `${first.message} ${size}`, first.line)
}

function hiddenCheck(content: string): CandidateCheck {
  const lines = content.split('\n')
  const at = lines.findIndex((line) => sanitizeText(line) !== line)
  if (at < 0) return check('hidden', 'ok', 'No hidden characters')
  const count = lines.filter((line) => sanitizeText(line) !== line).length
  const title = count === 1 ? 'A hidden character' : `Hidden characters in ${count} lines`
  return check('hidden', 'attention', title, `The first stands in line ${at + 1}.`, at + 1)
}

function secretsCheck(content: string): CandidateCheck {
  const [hit] = scanSecrets(content)
  if (hit === undefined && marksIn(content).length === 0) return check('secrets', 'ok', 'No secrets')
  const at = hit?.start ?? content.indexOf('[redacted: ')
  const line = content.slice(0, at).split('\n').length
  const what = hit === undefined ? 'A key was taken out of it' : `It looks like a key (${hit.family})`
  return check('secrets', 'failed', 'A secret stands in it', `${what}, line ${line}.`, line)
}

/** A keyword of these words alone stands in goals of every kind. Source: engine-behaviour 5.12. */
const generic = new Set(
  (
    'add build change check code create data delete do error file files fix get go help info issue list make name new number ' +
    'open read report run set show start stop table task test time update use value work write'
  ).split(' '),
)

function keywordsCheck({ activation, isOnlyByName }: LoadedSkill): CandidateCheck {
  const { keywords, tags, patterns } = activation
  const broad = [...keywords, ...tags].filter((text) =>
    termOf(text)
      .split(' ')
      .every((word) => generic.has(word)),
  )
  if (broad.length > 0) {
    const list = broad.map((text) => `“${text}”`).join(', ')
    return check('keywords', 'failed', 'A keyword stands in goals of every kind', `${list} says nothing of this skill.`)
  }
  if (keywords.length + tags.length + patterns.length > 0) return check('keywords', 'ok', 'Keywords are its own')
  if (isOnlyByName) return check('keywords', 'ok', 'Chosen only by name')
  const detail = 'It names no keyword, tag or pattern: only /name and the model itself choose it.'
  return check('keywords', 'attention', 'Nothing chooses it', detail)
}

/** Goals of every kind: a pattern that matches several of them matches everything. */
const anyGoals = [
  'Summarise the notes of yesterday',
  'What is 17 times 23?',
  'Rename the folder and move the pictures',
  'Write a letter to my landlord',
  'Which of these numbers is the largest?',
  'Translate this into French',
  'Clean the kitchen plan up',
  'How many words does the essay have?',
]
const mostMatched = 0.2
const fewestGoals = 10

function patternsCheck({ activation, patterns }: LoadedSkill, goals: readonly string[]): CandidateCheck {
  for (const [at, pattern] of patterns.entries()) {
    const text = activation.patterns[at] ?? ''
    if (pattern.test('') || anyGoals.filter((goal) => pattern.test(goal)).length > 1) {
      return check('patterns', 'failed', 'A pattern is too broad', `${text} matches almost any goal.`)
    }
    const matched = goals.filter((goal) => pattern.test(goal)).length
    if (goals.length >= fewestGoals && matched / goals.length > mostMatched) {
      const share = Math.round((matched / goals.length) * 100)
      return check('patterns', 'failed', 'A pattern is too broad', `${text} matches ${share} % of past goals.`)
    }
  }
  if (patterns.length === 0) return check('patterns', 'ok', 'No patterns')
  return check('patterns', 'ok', patterns.length === 1 ? 'Its pattern is narrow' : 'Its patterns are narrow')
}

function actionsCheck(skill: LoadedSkill, actions: readonly string[]): CandidateCheck {
  const wanted = requestedActions(skill)
  const unknown = wanted.filter((name) => !actions.includes(name.replace(/\(.*$/, '').replaceAll('-', '_')))
  if (unknown.length > 0) {
    const detail = `${unknown.join(', ')}: there is no such action here. It is a request, and grants nothing.`
    return check('actions', 'attention', 'It asks for unknown actions', detail)
  }
  const title = wanted.length === 0 ? 'Asks for no actions' : `Asks for ${wanted.length} known actions`
  return check('actions', 'ok', title, wanted.join(', '))
}

function hostsOf(skill: LoadedSkill | undefined): readonly string[] {
  if (skill === undefined) return []
  return [...skill.hosts, ...skill.credentials.flatMap(({ hosts }) => hosts)]
}

function hostsCheck(skill: LoadedSkill, before: LoadedSkill | undefined): CandidateCheck {
  const known = hostsOf(before)
  const added = [...new Set(hostsOf(skill))].filter((host) => !known.includes(host))
  if (added.length === 0) return check('hosts', 'ok', 'Reaches no new hosts unasked')
  return check('hosts', 'attention', 'It reaches new hosts', `${added.join(', ')}: reading them would not ask.`)
}

function codeCheck({ snippets }: LoadedSkill, fault: string | null): CandidateCheck {
  if (snippets.length === 0) return check('code', 'ok', 'No code')
  if (fault !== null) return check('code', 'failed', 'Its code does not compile', fault)
  return check('code', 'ok', snippets.length === 1 ? 'Its function compiles' : `${snippets.length} functions compile`)
}

function ordersCheck(order: CheckedCandidate['order']): CandidateCheck {
  if (order === null) return check('orders', 'ok', 'No program is fetched and run')
  const detail = `${order.path}, line ${order.line} tells to fetch a program and to run it at once.`
  const line = order.path === 'SKILL.md' ? order.line : null
  return check('orders', 'attention', 'It has a program fetched and run', detail, line)
}

function parentCheck({ before, isStale, isShadowing }: CheckedCandidate): CandidateCheck {
  if (isStale) {
    const detail = 'Another version is live than the one that it was written against. The diff is against that one.'
    return check('parent', 'attention', 'What is live has changed', detail)
  }
  if (isShadowing) {
    const detail = 'A skill of everywhere has the same name. In this project this one would be used in its place.'
    return check('parent', 'attention', 'It takes another’s place', detail)
  }
  return check('parent', 'ok', before === undefined ? 'A new skill' : `v${before.version} is still live`)
}

function originCheck(
  { wasRolledBack, isUntrusted, corrected }: CheckedCandidate,
  { trust }: LoadedSkill,
): CandidateCheck {
  if (corrected.length > 0) {
    const numbers = corrected.map((number) => `#${number}`).join(', ')
    const detail = `You said that ${numbers} went wrong: what was learnt there may be wrong, too.`
    return check('origin', 'attention', 'It was learnt from a thread that went wrong', detail)
  }
  if (wasRolledBack) {
    return check(
      'origin',
      'attention',
      'These bytes were taken back before',
      'They are live again only by this decision.',
    )
  }
  if (isUntrusted) {
    const detail = 'The thread that wrote it had read text from outside: look for what nobody asked for.'
    return check('origin', 'attention', 'Others’ text may stand behind it', detail)
  }
  if (trust === 'trusted') return check('origin', 'ok', 'From your own work')
  return check('origin', 'attention', 'It comes from elsewhere', 'While it is active, every effect asks each time.')
}
