import { canonicalJson, type Json } from '../../domain/json.ts'
import {
  constantExpression,
  type Expression,
  listExpression,
  piecesExpression,
  sourceExpression,
} from './expression.ts'
import { type Argument, type Frame, goalsOf } from './frame.ts'
import { joined } from './join.ts'
import { isList } from './json-path.ts'
import { wordBefore } from './parameter-book.ts'
import { parseTogether } from './parse.ts'
import { pythonOf } from './python.ts'
import { textsOf } from './source.ts'
import { goalForms } from './span.ts'
import { isNumberText, plainNumberForm } from './text-forms.ts'

/** How an argument comes about in all samples: the first way that fits; null for none. Source: learning 3.6. */
export function explain(argument: Argument, frame: Frame): Expression | null {
  const { targets } = argument
  const [first = null] = targets
  const same = canonicalJson(first)
  if (targets.every((target) => canonicalJson(target) === same)) return constantExpression(pythonOf(first))
  if (targets.every(isList)) return sameList(targets, frame)
  const sure = copied(argument, frame, ({ needs }) => needs.length === 0)
  if (sure !== null) return sure
  const texts = textsOf(targets)
  if (texts === null) return copied(argument, frame, () => true) ?? numbers(argument, frame)
  return (
    wholeGoalPiece(argument, texts, frame) ??
    copied(argument, frame, () => true) ??
    parsed(argument, texts, frame) ??
    joined(argument, texts, frame) ??
    free(argument, texts, frame)
  )
}

function copied(
  { targets, isSum }: Argument,
  frame: Frame,
  may: (source: Frame['sources'][number]) => boolean,
): Expression | null {
  const found = frame.sources.find((source) => may(source) && source.values.every((value, at) => value === targets[at]))
  if (found === undefined) return null
  const expression = sourceExpression(found, isSum ? plainNumber(found) : found.code)
  return { ...expression, alternatives: frame.workspace.alternatives.get(found.code) ?? [] }
}

function plainNumber({ code, values }: Frame['sources'][number]): string {
  const isText = values.every((value) => typeof value === 'string' && isNumberText(value))
  return isText && !code.endsWith('.replace(",", "")') ? plainNumberForm.python(code) : code
}

/** All of it stands in each goal: that is what the person asked for, whatever a result says as well. */
function wholeGoalPiece(argument: Argument, texts: readonly string[], frame: Frame): Expression | null {
  const { checkTime } = frame.workspace
  const task = { targets: texts, sources: [], owners: frame.owners, checkTime }
  for (const form of goalForms) {
    const pieces = parseTogether({ ...task, goals: goalsOf(frame, form) })
    if (pieces?.length === 1)
      return piecesExpression(pieces, (values, before) => addPiece(argument, { values, form, frame, before }))
  }
  return null
}

function parsed(argument: Argument, texts: readonly string[], frame: Frame): Expression | null {
  const sources = argument.isSum
    ? frame.sources.map((source) => ({ ...source, code: plainNumber(source) }))
    : frame.sources
  const task = { targets: texts, sources, owners: frame.owners, checkTime: frame.workspace.checkTime }
  const parseWith = (form: (typeof goalForms)[number]) => {
    const pieces = parseTogether({ ...task, goals: goalsOf(frame, form) })
    return pieces === null ? [] : [{ form, pieces }]
  }
  const [exact] = parseWith('')
  const fewest = () =>
    [...parseWith('lower'), ...parseWith('slug')].sort((a, b) => a.pieces.length - b.pieces.length)[0]
  const best = exact ?? fewest()
  if (best === undefined) return null
  const { form, pieces } = best
  const expression = piecesExpression(pieces, (values, before) => addPiece(argument, { values, form, frame, before }))
  const { alternatives } = frame.workspace
  const others = pieces.flatMap((piece) => (piece.kind === 'source' ? (alternatives.get(piece.source.code) ?? []) : []))
  return { ...expression, alternatives: others }
}

interface GoalPiece {
  readonly values: readonly string[]
  readonly form: (typeof goalForms)[number]
  readonly frame: Frame
  /** The literal text before it. */
  readonly before: string
}

function addPiece({ key }: Argument, { values, form, frame, before }: GoalPiece): string {
  return frame.workspace.book.add(byThread(values, frame), { usedAs: wordBefore(before) || key, form })
}

function byThread(values: readonly string[], { owners, workspace }: Frame): readonly string[] {
  return workspace.goals[''].map((_, thread) => values[owners.indexOf(thread)] ?? '')
}

/** A number that a text says: of a result, or of the goal. */
function numbers(argument: Argument, frame: Frame): Expression | null {
  const { targets } = argument
  if (!targets.every((target) => typeof target === 'number')) return null
  const found = frame.sources.find(({ values }) =>
    values.every(
      (value, at) =>
        typeof value === 'string' && isNumberText(value) && Number(value.replaceAll(',', '')) === targets[at],
    ),
  )
  if (found !== undefined) return sourceExpression(found, `_number(${found.code})`)
  const { checkTime } = frame.workspace
  const task = { targets: targets.map(String), sources: [], owners: frame.owners, checkTime }
  const pieces = parseTogether({ ...task, goals: goalsOf(frame, '') })
  if (pieces?.length !== 1) return null
  const whole = piecesExpression(pieces, (values) => addPiece(argument, { values, form: '', frame, before: '' }))
  return { ...whole, code: `_number(${whole.code})` }
}

/** A list as it was found, or one part of each of its elements. */
function sameList(targets: readonly (readonly Json[])[], { workspace, owners }: Frame): Expression | null {
  const isSame = (values: readonly Json[], at: number) => canonicalJson(values) === canonicalJson(targets[at] ?? null)
  for (const list of workspace.lists) {
    const values = owners.map((thread) => list.values[thread] ?? [])
    if (values.every(isSame)) return listExpression(list, list.code)
    const [first] = values.flat()
    const keys = typeof first === 'object' && first !== null && !isList(first) ? Object.keys(first) : []
    for (const key of keys) {
      const parts = values.map((elements) => elements.map((each) => partOf(each, key)))
      if (parts.every(isSame)) return listExpression(list, `[y[${JSON.stringify(key)}] for y in ${list.code}]`)
    }
  }
  return null
}

function partOf(element: Json, key: string): Json {
  return typeof element === 'object' && element !== null && !isList(element) ? (element[key] ?? null) : null
}

const longestFree = 60

/** What only the caller can say: one line of an argument of a read, without what all have in common at both ends. */
function free({ key, isWrite, isSum }: Argument, texts: readonly string[], frame: Frame): Expression | null {
  const [first = ''] = texts
  const isShort = texts.every((text) => text.length <= longestFree && !text.includes('\n'))
  if (isWrite || isSum || !isShort) return null
  let left = 0
  while (texts.every((text) => left < text.length && text[left] === first[left])) left += 1
  while (left > 0 && !isCut(first[left - 1])) left -= 1
  let right = 0
  while (texts.every((text) => right < text.length - left && text.at(-1 - right) === first.at(-1 - right))) right += 1
  while (right > 0 && !isCut(first.at(-right))) right -= 1
  const middles = texts.map((text) => text.slice(left, text.length - right))
  const values = byThread(middles, frame)
  const isOnePerThread = middles.every((middle, at) => middle !== '' && middle === values[frame.owners[at] ?? -1])
  if (!isOnePerThread) return null
  const ends = [first.slice(0, left), right === 0 ? '' : first.slice(-right)].map((text) =>
    text === '' ? [] : [JSON.stringify(text)],
  )
  const token = frame.workspace.book.add(values, { usedAs: wordBefore(first.slice(0, left)) || key, isFree: true })
  const [before = [], after = []] = ends
  return { ...constantExpression([...before, token, ...after].join(' + ')), kind: 'parameter' }
}

const isCut = (character: string | undefined) => character !== undefined && /[/ .]/.test(character)
