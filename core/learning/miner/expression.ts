import type { Piece } from './parse.ts'
import type { ListSource, Source } from './source.ts'

/** How one argument is made, as Python. */
export interface Expression {
  readonly code: string
  readonly kind: 'constant' | 'copy' | 'template' | 'list' | 'parameter'
  /** Of the results that it rests on. */
  readonly leaves: readonly string[]
  /** Lists that must hold something for it. */
  readonly needs: readonly string[]
  /** What would have explained it as well. */
  readonly alternatives: readonly string[]
}

export function constantExpression(code: string): Expression {
  return { code, kind: 'constant', leaves: [], needs: [], alternatives: [] }
}

export function sourceExpression(source: Source, code = source.code): Expression {
  const { leaf, needs } = source
  return { code, kind: 'copy', leaves: [leaf], needs, alternatives: [] }
}

export function listExpression(list: ListSource, code: string, others: readonly Expression[] = []): Expression {
  return {
    ...{ code, kind: 'list', alternatives: [] },
    leaves: [list.leaf, ...others.flatMap(({ leaves }) => leaves)],
    needs: others.flatMap(({ needs }) => needs),
  }
}

/** Pieces one after the other, as text. A piece of the goal becomes a parameter. */
export function piecesExpression(
  pieces: readonly Piece[],
  asParameter: (values: readonly string[], before: string) => string,
): Expression {
  const parts = pieces.map((piece, at) => {
    if (piece.kind === 'literal') return { code: JSON.stringify(piece.text), leaves: [], needs: [] }
    if (piece.kind === 'span')
      return { code: asParameter(piece.values, literalOf(pieces[at - 1])), leaves: [], needs: [] }
    const { code, values, leaf, needs } = piece.source
    return { code: typeof values[0] === 'number' ? `str(${code})` : code, leaves: [leaf], needs }
  })
  const isOnlyGoal = pieces.every(({ kind }) => kind !== 'source')
  return {
    code: parts.length === 0 ? '""' : parts.map(({ code }) => code).join(' + '),
    kind: isOnlyGoal ? 'parameter' : pieces.length === 1 ? 'copy' : 'template',
    leaves: parts.flatMap(({ leaves }) => leaves),
    needs: parts.flatMap(({ needs }) => needs),
    alternatives: [],
  }
}

function literalOf(piece: Piece | undefined): string {
  return piece?.kind === 'literal' ? piece.text : ''
}
