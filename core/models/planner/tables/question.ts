import { stemOf } from '../files/catalogue.ts'
import { wordsOf } from '../language/lemma.ts'
import { isConcept } from '../language/reading.ts'
import { type Filters, type Ground, numberAt } from './filter-draft.ts'
import { mainMeasure } from './filter-numbers.ts'
import type { Piece } from './pieces.ts'
import { extremeQuestion } from './question-extremes.ts'
import { groupColumns, groupQuestion } from './question-groups.ts'
import {
  type AggregateName,
  type At,
  find,
  labelColumn,
  measureIn,
  numberSaid,
  numericColumn,
  type Question,
  type Scene,
  saidOps,
  superlativeOf,
  unit,
  whichColumn,
} from './scene.ts'
import { dateColumnsOf } from './schema.ts'

export interface Asked {
  readonly question: Question
  /** Pieces that the question accounts for, besides those of the filters. */
  readonly used: ReadonlySet<number>
}

/** Decides what is asked, once every word is tied to the table. */
export function questionOf(pieces: readonly Piece[], filters: Filters, { schema, values }: Ground): Asked {
  const columns = pieces.flatMap((piece, at) =>
    piece.kind === 'column' && !filters.used.has(at) ? [{ piece, at }] : [],
  )
  const scene: Scene = { pieces, filters, schema, values, columns, used: new Set() }
  for (const { at } of columns) scene.used.add(at)
  const unclear = filters.question ?? ambiguous(columns) ?? rowByNumber(pieces, filters)
  return { question: unclear === undefined ? decide(scene) : { ask: 'unclear', why: unclear }, used: scene.used }
}

// "Row 3" is one row, and not the first three.
function rowByNumber(pieces: readonly Piece[], filters: Filters): string | undefined {
  const isOne = pieces.some(
    (p, at) =>
      p.kind === 'rows' && /^row$/i.test(p.text) && numberAt(pieces[at + 1]) !== undefined && !filters.used.has(at + 1),
  )
  return isOne ? 'It shows the first or the last rows of a table, not one row by its number.' : undefined
}

// "score" where there are scores.pre and scores.post.
function ambiguous(columns: readonly At[]): string | undefined {
  const piece = columns
    .map((c) => c.piece)
    .find(({ columns: all, by }) => by === 'part' && all.length > 1 && all.every((c) => c.type === 'number'))
  return piece && `It is not clear whether "${piece.text}" means ${piece.columns.map((c) => c.name).join(' or ')}.`
}

function decide(scene: Scene): Question {
  const ops = saidOps(scene)
  if (
    find(scene, 'column') >= 0 &&
    scene.columns.every(({ piece }) => wordsOf(stemOf(scene.schema.path)).includes(piece.lemma)) &&
    find(scene, 'share', 'sum', 'average', 'sort') < 0
  )
    return { ask: 'schema' }
  if (find(scene, 'duplicate') >= 0 || find(scene, 'same') >= 0) {
    return { ask: 'duplicates', column: scene.columns[0] ? labelColumn(scene.columns[0].piece).name : null }
  }
  if (find(scene, 'share') >= 0) return { ask: 'share', column: measureIn(scene, [])?.name ?? null }
  const pair = comparedColumns(scene)
  if (pair) return { ask: 'columns', columns: pair }
  if (scene.filters.alternatives && find(scene, 'larger', 'smaller', 'compare', 'difference') >= 0)
    return comparedFigure(scene, ops)
  const groups = groupColumns(scene)
  if (groups.unclear !== undefined) return { ask: 'unclear', why: groups.unclear }
  if (groups.by.length > 0) return groupQuestion(scene, groups.by, ops)
  const top = superlativeOf(scene)
  if (top) return extremeQuestion(scene, top, ops)
  const isOrdered = find(scene, 'ascending', 'descending') >= 0 && ops.length === 0
  if (find(scene, 'sort') >= 0 || isOrdered) return sortQuestion(scene)
  if (ops.includes('count')) return countQuestion(scene, ops)
  if (ops.length > 0) return figureQuestion(scene, ops)
  return rowQuestion(scene)
}

/** "The difference between planned and spent": two columns with figures. */
function comparedColumns(scene: Scene): readonly [string, string] | undefined {
  if (find(scene, 'difference', 'compare') < 0 || scene.filters.alternatives) return undefined
  const names = [
    ...new Set(
      scene.columns.flatMap(({ piece }) => (piece.by === 'synonym' ? [] : (numericColumn(piece)?.name ?? []))),
    ),
  ]
  const [a, b] = names
  return names.length === 2 && a !== undefined && b !== undefined ? [a, b] : undefined
}

/** "Who paid more, Mia or Jonas?": one figure for each of the values. */
function comparedFigure(scene: Scene, ops: readonly AggregateName[]): Question {
  for (const at of [find(scene, 'larger'), find(scene, 'smaller')]) if (at >= 0) scene.used.add(at)
  const fn = ops.find((op) => op !== 'count')
  const measure = measureIn(scene, [])
  const isCount =
    ops.includes('count') ||
    (fn === undefined &&
      measure === undefined &&
      scene.pieces.some((p, at) => (p.kind === 'source' || p.kind === 'rows') && at > 0))
  if (isCount) return { ask: 'count' }
  const column = measure ?? mainMeasure(scene.schema)
  return column ? { ask: 'figures', aggregates: [{ fn: fn ?? 'sum', column: column.name }] } : { ask: 'count' }
}

function sortQuestion(scene: Scene): Question {
  const sortAt = find(scene, 'sort')
  const key =
    scene.columns.find(
      ({ at }) =>
        at > sortAt && scene.pieces.slice(sortAt + 1, at).some((p) => p.kind === 'unit' && isConcept(p.unit, 'per')),
    ) ??
    scene.columns.find(({ at }) => at > sortAt) ??
    scene.columns[0]
  if (!key) return sortByName(scene)
  const column = numericColumn(key.piece) ?? labelColumn(key.piece)
  const order = find(scene, 'descending') >= 0 || superlativeOf(scene)?.order === 'desc' ? 'desc' : 'asc'
  const columns = scene.columns.filter((c) => c !== key).map(({ piece }) => labelColumn(piece).name)
  return {
    ask: 'rows',
    columns: columns.length > 0 ? [...columns, column.name] : [],
    sort: { column: column.name, order },
    limit: numberSaid(scene),
    fromEnd: false,
  }
}

/** "In alphabetical order": by the name, else by the first column of words. */
function sortByName(scene: Scene): Question {
  const { columns } = scene.schema
  const isNamed = /alphabet|a to z|z to a|by name/i.test(scene.pieces.map((p) => p.text).join(' '))
  const column =
    columns.find((c) => c.words.some((w) => /^(name|title)$/.test(w))) ?? columns.find((c) => c.type === 'text')
  if (!column || !isNamed) return { ask: 'unclear', why: 'It is not clear which column to sort by.' }
  const order = find(scene, 'descending') >= 0 ? 'desc' : 'asc'
  return { ask: 'rows', columns: [], sort: { column: column.name, order }, limit: numberSaid(scene), fromEnd: false }
}

function countQuestion(scene: Scene, ops: readonly AggregateName[]): Question {
  const countAt = scene.pieces.findIndex((p) => isConcept(unit(p), 'count'))
  const counted = scene.pieces.findIndex(
    (p, i) =>
      i > countAt && !(p.kind === 'unit' && (p.unit.kind === 'filler' || isConcept(p.unit, 'distinct', 'sum', 'each'))),
  )
  const target = scene.pieces[counted]
  const column = target?.kind === 'column' && !scene.filters.used.has(counted) ? target : undefined
  const measure = column && column.by !== 'part' ? numericColumn(column) : undefined
  if (column && measure && find(scene, 'distinct') < 0 && labelColumn(column).type === 'number')
    return { ask: 'figures', aggregates: [{ fn: 'sum', column: measure.name }] }
  if (column) return { ask: 'distinct', column: labelColumn(column).name }
  const distinct = find(scene, 'distinct') >= 0 ? scene.columns[0] : undefined
  if (distinct) return { ask: 'distinct', column: labelColumn(distinct.piece).name }
  const others = ops.filter((fn) => fn !== 'count')
  const of = measureIn(scene, [])
  if (others.length > 0 && of)
    return {
      ask: 'figures',
      aggregates: [{ fn: 'count', column: null }, ...others.map((fn) => ({ fn, column: of.name }))],
    }
  return { ask: 'count' }
}

function figureQuestion(scene: Scene, ops: readonly AggregateName[]): Question {
  const isPrice =
    scene.pieces.some((p) => /^how much$/i.test(p.text)) &&
    scene.filters.conditions.some((c) => c.op === 'eq' || c.op === 'contains')
  const named = measureIn(scene, [])
  if (isPrice && named && scene.columns.some(({ piece }) => piece.lemma === 'cost' || piece.lemma === 'price'))
    return rowQuestion(scene)
  const measures = scene.columns.map(({ piece }) => numericColumn(piece)).filter((c) => c !== undefined)
  const column = named ?? mainMeasure(scene.schema)
  if (!column) return { ask: 'unclear', why: whichColumn(scene.schema) }
  const all =
    measures.length > 1
      ? [...new Set(measures.map((c) => c.name))].filter((name) => measures.length === 1 || !isOpWord(scene, name))
      : [column.name]
  return {
    ask: 'figures',
    aggregates: (all.length > 0 ? all : [column.name]).flatMap((name) => ops.map((fn) => ({ fn, column: name }))),
  }
}

function isOpWord(scene: Scene, name: string): boolean {
  return scene.columns.some(
    ({ piece }) => piece.columns[0]?.name === name && isConcept(piece.unit, 'sum', 'count', 'average', 'value'),
  )
}

function rowQuestion(scene: Scene): Question {
  const names = [
    ...new Set(
      scene.columns.map(({ piece }) =>
        piece.columns.length === 1 ? (piece.columns[0]?.name ?? '') : (numericColumn(piece) ?? labelColumn(piece)).name,
      ),
    ),
  ]
  const hasFilters = scene.filters.conditions.length > 0 || scene.filters.alternatives !== undefined
  const [only] = scene.columns
  const isFirst = find(scene, 'first') >= 0
  const isLast = find(scene, 'last') >= 0
  const said = numberSaid(scene)
  const named = scene.columns.flatMap(({ piece }) => piece.columns.filter((c) => c.type === 'date'))[0]
  const dates = dateColumnsOf(scene.schema)
  const date = named ?? (dates.length === 1 ? dates[0] : undefined)
  const isAsked = find(scene, 'which', 'who') >= 0
  // "Who started first": by the date, not by the order of the rows.
  if ((isFirst || isLast) && isAsked && date)
    return { ask: 'extremes', column: date.name, order: isFirst ? 'asc' : 'desc', limit: said ?? 1 }
  if (isFirst || isLast) return { ask: 'rows', columns: names, sort: null, limit: said ?? 1, fromEnd: isLast }
  if (only && names.length === 1 && !hasFilters && labelColumn(only.piece).type !== 'number')
    return { ask: 'values', column: labelColumn(only.piece).name }
  if (find(scene, 'distinct') >= 0 && only) return { ask: 'values', column: labelColumn(only.piece).name }
  return { ask: 'rows', columns: names, sort: null, limit: said, fromEnd: false }
}
