import type { EvidenceStep, PartEvidence } from '../../domain/candidate.ts'
import type { StoredEvent } from '../../domain/event.ts'
import { sanitizeText } from '../../domain/text.ts'
import type { SkillFile, SkillSnippet } from '../file/parse.ts'
import { termOf } from '../terms.ts'

/** A part of a skill file, and what a record must hold for it. */
interface Part {
  readonly part: PartEvidence['part']
  readonly text: string
  readonly line: number | null
  /** Any of them, in the form of `termOf`; a part that says nothing that a record could hold has none. */
  readonly signs: readonly string[]
}

/** The parts that a decision rests on: each keyword, tag and pattern, and of each snippet its parameters and lines. Source: RULES 22. */
function partsOf(skill: SkillFile, content: string): readonly Part[] {
  const { keywords, tags, patterns } = skill.activation
  const lines = content.split('\n')
  const lineOf = (text: string) => {
    const at = lines.findIndex((line) => line.includes(text.trim()))
    return at < 0 ? null : at + 1
  }
  const words = (part: Part['part'], texts: readonly string[]): readonly Part[] =>
    texts.map((text) => ({ part, text, line: null, signs: [termOf(text)] }))
  return [
    ...words('keyword', keywords),
    ...words('tag', tags),
    ...patterns.map((text): Part => ({ part: 'pattern', text, line: null, signs: literalsOf(text) })),
    ...skill.snippets.flatMap((snippet) => partsOfSnippet(snippet, lineOf)),
  ]
}

function partsOfSnippet({ name, code }: SkillSnippet, lineOf: (text: string) => number | null): readonly Part[] {
  const head = new RegExp(`def ${name}\\s*\\(([^)]*)\\)`).exec(code)?.[1] ?? ''
  const parameters = [...head.matchAll(/(?:^|,)\s*\*?\s*([a-z_]\w*)/gi)].map(([, parameter = '']) => parameter)
  const lines = code.split('\n').filter((line) => /\S/.test(line) && !/^\s*(?:#|(?:async )?def |"""|''')/.test(line))
  return [
    ...parameters.map((text): Part => ({ part: 'parameter', text, line: lineOf(head), signs: [termOf(text)] })),
    ...lines.map((line): Part => ({ part: 'line', text: line.trim(), line: lineOf(line), signs: signsOfCode(line) })),
  ]
}

/** What a line of code would have left in a record: the texts in it, and what it calls. */
function signsOfCode(line: string): readonly string[] {
  const texts = [...line.matchAll(/"([^"\\]{3,})"|'([^'\\]{3,})'/g)].map(([, a, b]) => a ?? b ?? '')
  const pieces = texts.flatMap((text) => text.split(/\{[^}]*\}/)).filter((piece) => piece.trim().length >= 3)
  const calls = [...line.matchAll(/\b([a-z_]\w{2,})\s*\(/gi)].map(([, call = '']) => call)
  return [...pieces, ...calls].map(termOf)
}

/** The words of a pattern that stand in it as they are. */
function literalsOf(pattern: string): readonly string[] {
  return [...pattern.replace(/\\[bBdDsSwW]/g, ' ').matchAll(/[\p{L}\p{N}]{3,}/gu)].map(([text]) => termOf(text))
}

const mostSteps = 5
const quoteCharacters = 158

/** Finds each part of a skill in the record of a thread: the steps whose stored bytes contain it. */
export function findEvidence(
  skill: SkillFile,
  content: string,
  thread: { readonly id: string; readonly number: number },
  record: Iterable<StoredEvent>,
): readonly PartEvidence[] {
  const parts = partsOf(skill, content)
  const found = parts.map((): EvidenceStep[] => [])
  for (const event of record) {
    const text = textOf(event)
    if (text === '') continue
    const words = termOf(text)
    for (const [at, { signs }] of parts.entries()) {
      const steps = found[at] ?? []
      const sign = steps.length < mostSteps ? signs.find((each) => holds(words, each)) : undefined
      if (sign === undefined) continue
      const quote = quoteAround(text, words, sign)
      steps.push({ threadId: thread.id, threadNumber: thread.number, step: stepOf(event), seq: event.seq, quote })
    }
  }
  return parts.map(({ part, text, line }, at) => ({ part, text, line, steps: found[at] ?? [] }))
}

/** A word counts as itself and with an ending, never inside another word. */
function holds(words: string, sign: string): boolean {
  if (sign === '') return false
  for (let at = words.indexOf(sign); at >= 0; at = words.indexOf(sign, at + 1)) {
    if (at === 0 || !isWordCharacter(words, at - 1) || !isWordCharacter(words, at)) return true
  }
  return false
}

function isWordCharacter(text: string, at: number): boolean {
  return /[\p{L}\p{N}_]/u.test(text.charAt(at))
}

/** As it was written, cut between words; the compared form where the sign was written in other letters. */
function quoteAround(text: string, words: string, sign: string): string {
  const flat = sanitizeText(text).replace(/\s+/g, ' ').trim()
  const written = flat.toLowerCase().length === flat.length ? flat.toLowerCase().indexOf(sign) : -1
  const whole = written < 0 ? words : flat
  const found = written < 0 ? words.indexOf(sign) : written
  const from = Math.max(0, found - Math.floor((quoteCharacters - sign.length) / 2))
  const begin = from === 0 ? 0 : Math.min(found, Math.max(from, whole.indexOf(' ', from) + 1))
  const to = Math.min(whole.length, begin + quoteCharacters)
  const lastBlank = whole.lastIndexOf(' ', to)
  const end = to === whole.length || lastBlank < found + sign.length ? to : lastBlank
  return `${begin === 0 ? '' : '…'}${whole.slice(begin, end).toWellFormed()}${end === whole.length ? '' : '…'}`
}

/** What was done and said; the texts of skills and of the engine prove nothing, and a proposal proves nothing of itself. */
function textOf(event: StoredEvent): string {
  if ((event.kind === 'action.started' || event.kind === 'action.finished') && isProposal(event.data.name)) return ''
  switch (event.kind) {
    case 'message.added':
      return event.data.origin === undefined || event.data.origin === 'final' ? event.body.content : ''
    case 'model.completed':
      return [
        event.body.text,
        ...event.body.toolCalls.filter(({ name }) => !isProposal(name)).map((call) => JSON.stringify(call)),
      ].join('\n')
    case 'action.started':
      return `${event.data.name} ${event.data.summary}`
    case 'action.finished':
      return `${event.data.name} ${JSON.stringify(event.body.result)}`
    case 'code.finished':
      return event.body.output
    default:
      return ''
  }
}

const isProposal = (action: string) => /^save[_-]?skill$/i.test(action)

function stepOf({ data }: StoredEvent): number {
  return 'step' in data && typeof data.step === 'number' ? data.step : 0
}
