import { domainToUnicode } from 'node:url'
import type { EffectType } from '../domain/action.ts'
import type { JsonObject } from '../domain/json.ts'
import { type Source, sourcesText } from '../domain/source.ts'
import type { Action } from './action.ts'
import { type Leaf, leavesOf } from './leaves.ts'
import { createSaid, type Said, wordsOf } from './said.ts'

/** What a thread has read that was not from a person, and what people said: where its arguments can come from. */
export interface Origin {
  /** Empty: nothing of anybody else's has reached this thread. */
  readonly sources: readonly Source[]
  readonly said: Said
  /** A person answers for the project's folder. */
  readonly trustsProject: boolean
}

/** Of a call that no thread makes: a person's own edit. */
export const untouched: Origin = { sources: [], said: createSaid(), trustsProject: false }

/** It asks a service for something, perhaps with a key, and changes nothing. */
export function onlyReadsOutside(effects: readonly EffectType[]): boolean {
  return !effects.some((effect) => writing.has(effect))
}

/** Why an effect may be somebody else's idea. */
export interface Derived {
  /** Words of its arguments that nothing said explains; none where it is the act itself that nobody asked for. */
  readonly words: readonly string[]
  readonly sources: readonly Source[]
}

export interface OriginQuestion {
  readonly action: Pick<Action, 'name' | 'isUndoable' | 'programs' | 'askedFor'>
  readonly arguments: JsonObject
  /** Of these very arguments. */
  readonly effects: readonly EffectType[]
  /** It is not asked anew each time whatever it is: a standing approval could cover it. */
  readonly isOrdinary: boolean
  /** What standing approvals of just such calls cover: a person's words too. */
  readonly scopeKeys: readonly string[]
  /** Words that the person's settings explain. */
  readonly known?: readonly string[]
  readonly origin: Origin
}

/**
 * Null where the effect is explained by what people said, or where it is none. It asks what explains each word of the
 * arguments, so it does not matter how a foreign text was rewritten on its way into them. Pure. Source: RULES 11.
 */
export function derivedOf(question: OriginQuestion): Derived | null {
  const { action, effects, origin, isOrdinary } = question
  const sources =
    action.isUndoable === true && isOrdinary && origin.trustsProject
      ? origin.sources.filter(({ isOfProject }) => isOfProject !== true)
      : origin.sources
  if (sources.length === 0) return null
  if (!effects.some((effect) => changing.has(effect))) {
    const hosts = effects.includes('ReadExternal') ? unnamedHosts(question) : []
    return hosts.length === 0 ? null : { words: hosts, sources }
  }
  // A person allowed reading just this, its key along, when they saw what it is: the next page of it is no other thing.
  if (question.scopeKeys.length > 0 && onlyReadsOutside(effects)) return null
  const words = unexplainedWords(question)
  if (words.length > 0) return { words, sources }
  return isAskedFor(question) ? null : { words, sources }
}

const changing: ReadonlySet<EffectType> = new Set(['WriteLocal', 'WriteExternal', 'CredentialedNetwork', 'Financial'])
const writing: ReadonlySet<EffectType> = new Set(['WriteLocal', 'WriteExternal', 'Financial'])
const leaving: ReadonlySet<EffectType> = new Set(['WriteExternal', 'CredentialedNetwork', 'Financial'])
const mostWords = 20

function unexplainedWords(question: OriginQuestion): readonly string[] {
  const isLeaving = question.effects.some((effect) => leaving.has(effect))
  const unexplained = new Set<string>()
  for (const leaf of leavesOf(question.arguments)) {
    // Figures and names of fields are free to carry a text away; of what stays here they are the form of the call.
    if (leaf.kind !== 'text' && !isLeaving) continue
    for (const word of unexplainedIn(leaf, question)) unexplained.add(word)
    if (unexplained.size >= mostWords) break
  }
  return [...unexplained].slice(0, mostWords)
}

function unexplainedIn({ place, text }: Leaf, question: OriginQuestion): readonly string[] {
  const { action, scopeKeys, origin, known = [] } = question
  const { said } = origin
  if (text.trim() === '' || said.approved(action.name, place, text)) return []
  if (action.programs?.includes(place)) {
    // Every sign of a program counts: `ls` explains nothing of `ls; rm -r x`.
    return scopeKeys.includes(text.trim()) || said.quotes(text) ? [] : [text.trim()]
  }
  const words = wordsOf(text)
  if (words.length === 0) return said.quotes(text) ? [] : [text.trim()]
  const telling = words.filter((word) => word.length > 2 || /[\d.@:-]/.test(word))
  // Where all are short, as in a path of one letter, each counts; so does each of what leaves, which could be spelled in them.
  const isLeaving = question.effects.some((effect) => leaving.has(effect))
  const asked = telling.length > 0 && !isLeaving ? telling : words
  const granted = new Set([...scopeKeys, ...known].flatMap(wordsOf))
  return asked.filter((word) => !granted.has(word) && !said.has(word))
}

/** Naming a file is not yet asking for its deletion. What a person quoted as a command, or granted, they asked for. */
function isAskedFor({ action, scopeKeys, origin, arguments: args }: OriginQuestion): boolean {
  const { said } = origin
  const verbs = action.askedFor ?? action.name.toLowerCase().split(/[_-]/)
  if (said.asksTo(verbs)) return true
  const leaves = [...leavesOf(args)].filter(({ kind }) => kind === 'text')
  return (
    leaves.length > 0 &&
    leaves.every(({ place, text }) => said.approved(action.name, place, text) || scopeKeys.includes(text.trim()))
  )
}

/** Hosts of addresses in the arguments that nobody named: to ask one for a page tells it whatever the address holds. */
function unnamedHosts(question: OriginQuestion): readonly string[] {
  const { arguments: args, scopeKeys, known = [], action, origin } = question
  const { said } = origin
  const granted = new Set([...scopeKeys, ...known].flatMap(wordsOf))
  const hosts = [...leavesOf(args)].flatMap(({ place, text }) => {
    const url = addressIn(text)
    if (url === undefined || said.approved(action.name, place, text)) return []
    // A person writes `münchen.example`, an address holds `xn--…`.
    const isNamed = [url.host, url.hostname, domainToUnicode(url.hostname)].some(
      (host) => said.has(host) || granted.has(host),
    )
    return isNamed ? [] : [url.host]
  })
  return [...new Set(hosts)].slice(0, mostWords)
}

function addressIn(text: string): URL | undefined {
  const given = text.trim()
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(given)) return URL.parse(given) ?? undefined
  return /^[^\s/]+\.[^\s/]+(?:[/?#:]|$)/.test(given) ? (URL.parse(`https://${given}`) ?? undefined) : undefined
}

/** For a person: what is not from them, and what else the thread has read. */
export function originReason({ words, sources }: Derived, action: Pick<Action, 'name' | 'isUndoable'>): string {
  const read = `this thread has read ${sourcesText(sources)}`
  const why =
    words.length === 0
      ? `nothing that you said asks for ${action.name}, and ${read}`
      : `${wordsText(words)} not from you: ${read}`
  const isProjectOnly = action.isUndoable === true && sources.every(({ isOfProject }) => isOfProject)
  const hint = isProjectOnly ? '. If you trust all files of this project, say so in Settings → Agent' : ''
  return `${why}, so it is asked each time${hint}`
}

function wordsText(words: readonly string[]): string {
  const shown = words.slice(0, 3).map((word) => `“${word.length > 60 ? `${word.slice(0, 59).toWellFormed()}…` : word}”`)
  const rest = words.length - shown.length
  if (rest > 0) return `${shown.join(', ')} and more words are`
  return shown.length === 1 ? `${shown[0]} is` : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)} are`
}
