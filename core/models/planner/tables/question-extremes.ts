import { isConcept } from '../language/reading.ts'
import { mainMeasure } from './filter-numbers.ts'
import {
  type AggregateName,
  isOne,
  isRepeated,
  labelColumn,
  measureIn,
  numberSaid,
  type Question,
  type Scene,
  type Superlative,
  unit,
  whichColumn,
} from './scene.ts'
import { dateColumnsOf } from './schema.ts'

/** "Which customer spent the most?", "the three cheapest products", "the highest price". */
export function extremeQuestion(scene: Scene, top: Superlative, ops: readonly AggregateName[]): Question {
  const label = scene.columns.find(({ piece }) => piece.columns.some((c) => c.type !== 'number' && c.type !== 'date'))
  const named = measureIn(scene, [])
  const isTime = isConcept(unit(scene.pieces[top.at]), 'newest', 'oldest')
  const date =
    scene.columns.map(({ piece }) => piece.columns.find((c) => c.type === 'date')).find((c) => c !== undefined) ??
    (isTime ? dateColumnsOf(scene.schema)[0] : undefined)
  const measure = named ?? top.hint ?? date
  const limit =
    numberSaid(scene) ?? (isConcept(unit(scene.pieces[top.at]), 'top', 'bottom') && !isOne(scene, top.at) ? 5 : 1)
  const isCounted = measure === undefined && (ops.includes('count') || saysOften(scene) || rowsFollow(scene, top.at))
  const column = label && labelColumn(label.piece)
  if (column && isRepeated(scene, column)) {
    const by = [column.name]
    if (isCounted || (measure === undefined && top.isMost))
      return { ask: 'groups', by, aggregates: [{ fn: 'count', column: null }], order: top.order, limit }
    const fn = ops.includes('avg')
      ? 'avg'
      : ops.includes('median')
        ? 'median'
        : ops.includes('sum') || (top.isMost && named)
          ? 'sum'
          : undefined
    const of = measure ?? mainMeasure(scene.schema)
    if (fn && of) return { ask: 'groups', by, aggregates: [{ fn, column: of.name }], order: top.order, limit }
  }
  const of = measure ?? (isNeutral(scene, top.at) ? mainMeasure(scene.schema) : undefined)
  if (!of) return { ask: 'unclear', why: whichColumn(scene.schema) }
  const both = ops.includes('min') && ops.includes('max')
  const others = ops.filter((fn) => fn === 'avg' || fn === 'median' || fn === 'sum')
  if (both || (others.length > 0 && !column))
    return { ask: 'figures', aggregates: ops.filter((fn) => fn !== 'count').map((fn) => ({ fn, column: of.name })) }
  return { ask: 'extremes', column: of.name, order: top.order, limit }
}

// "The longest" without a length, "the cheapest" without a price: no other column will do.
function isNeutral(scene: Scene, at: number): boolean {
  const words =
    /^(the )?(highest|lowest|maximum|minimum|max|min|most|least|fewest|top|bottom|best|worst|largest|biggest|bigest|smallest|greatest|peak|upper|maximal|minimal|topmost|leading|record high|top value)$/
  return words.test(unit(scene.pieces[at])?.text.toLowerCase() ?? '')
}

function saysOften(scene: Scene): boolean {
  return scene.pieces.some((p) => /^(common|frequent|frequently|often|popular|occurring)$/.test(p.text.toLowerCase()))
}

function rowsFollow(scene: Scene, at: number): boolean {
  const next = scene.pieces.slice(at + 1).find((p) => !(p.kind === 'unit' && p.unit.kind === 'filler'))
  return next?.kind === 'rows' || next?.kind === 'source'
}
