import { isConcept } from '../language/reading.ts'
import { mainMeasure } from './filter-numbers.ts'
import type { Piece } from './pieces.ts'
import {
  type Aggregate,
  type AggregateName,
  find,
  labelColumn,
  measureIn,
  numberSaid,
  numericColumn,
  type Question,
  type Scene,
  superlativeOf,
  whichColumn,
} from './scene.ts'

/** Columns behind "per", "by", "for each". */
export function groupColumns(scene: Scene): { readonly by: readonly string[]; readonly unclear: string | undefined } {
  const { pieces, columns } = scene
  const isPlainCue = (p: Piece) =>
    p.kind === 'unit' &&
    isConcept(p.unit, 'per', 'each') &&
    /^(by|per|for each|for every|in each|of each|grouped by|group by|each)$/.test(p.text.toLowerCase())
  const hasPlainCue = pieces.some(isPlainCue)
  const isRanked = superlativeOf(scene) !== undefined || find(scene, 'sort') >= 0
  const by: string[] = []
  let unclear: string | undefined
  pieces.forEach((cue, at) => {
    if (cue.kind !== 'unit' || !isConcept(cue.unit, 'per', 'each') || (hasPlainCue && !isPlainCue(cue))) return
    for (const { piece, at: i } of columns) {
      const gap = pieces.slice(at + 1, i)
      const isNext = i > at && i <= at + 7 && gap.every((p) => p.kind === 'column' || isJoin(p))
      if (!isNext) continue
      const isKey =
        isRanked &&
        /^by$|sort|order/.test(cue.text.toLowerCase()) &&
        numericColumn(piece) !== undefined &&
        labelColumn(piece).type === 'number'
      const column = labelColumn(piece)
      if (
        column.type === 'date' &&
        /^(month|year|week|quarter|weekday)$/.test(piece.lemma) &&
        !column.words.includes(piece.lemma)
      )
        unclear = `It cannot group "${column.name}" by ${piece.lemma}: it groups by what stands in a column.`
      // "Average budget per beneficiary" is a ratio of two figures.
      if (column.type === 'number' && /s$/i.test(column.name) && !/s$/i.test(piece.text) && !isKey)
        unclear = `It cannot divide by "${column.name}": it groups by what stands in a column.`
      if (!isKey && !by.includes(column.name)) by.push(column.name)
    }
  })
  return { by, unclear }
}

function isJoin(piece: Piece): boolean {
  if (piece.kind === 'source') return true
  return (
    piece.kind === 'unit' &&
    (piece.unit.kind === 'filler' ||
      piece.unit.kind === 'sign' ||
      isConcept(piece.unit, 'and', 'each', 'value', 'type', 'distinct', 'name'))
  )
}

function aggregatesFor(
  scene: Scene,
  ops: readonly AggregateName[],
  by: readonly string[],
): readonly Aggregate[] | string {
  const measure = measureIn(scene, by)
  const fns = ops.filter((fn) => fn !== 'count' && !(fn === 'sum' && ops.includes('count') && measure === undefined))
  const isDistinct = find(scene, 'distinct') >= 0
  const counted = isDistinct ? scene.columns.find(({ piece }) => !by.includes(labelColumn(piece).name)) : undefined
  if (counted && fns.length === 0) return [{ fn: 'distinct', column: labelColumn(counted.piece).name }]
  const count: readonly Aggregate[] = ops.includes('count') ? [{ fn: 'count', column: null }] : []
  if (fns.length === 0 && (count.length > 0 || measure === undefined))
    return measure && ops.includes('count') ? [{ fn: 'sum', column: measure.name }] : [{ fn: 'count', column: null }]
  const column = measure ?? mainMeasure(scene.schema)
  if (!column) return whichColumn(scene.schema)
  return [...count, ...(fns.length > 0 ? fns : (['sum'] as const)).map((fn) => ({ fn, column: column.name }))]
}

/** One figure or more for each group. */
export function groupQuestion(scene: Scene, by: readonly string[], ops: readonly AggregateName[]): Question {
  const top = superlativeOf(scene)
  const isPick =
    top !== undefined &&
    (find(scene, 'which', 'who') >= 0 || find(scene, 'top', 'bottom') >= 0) &&
    ops.some((fn) => fn === 'sum' || fn === 'avg' || fn === 'count' || fn === 'median')
  const own = isPick ? ops.filter((fn) => fn !== 'max' && fn !== 'min') : ops
  const aggregates = aggregatesFor(scene, own, by)
  if (typeof aggregates === 'string') return { ask: 'unclear', why: aggregates }
  const order = isPick ? top.order : find(scene, 'ascending') >= 0 ? 'asc' : 'desc'
  const said = numberSaid(scene)
  return { ask: 'groups', by, aggregates, order, limit: isPick ? (said ?? top.limit) : said }
}
