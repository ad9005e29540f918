import { type Expression, listExpression, piecesExpression } from './expression.ts'
import { type Argument, type Frame, frameOf, goalsOf } from './frame.ts'
import { listsOfLength } from './lists.ts'
import { parseTogether } from './parse.ts'
import { type ListSource, type Source, sourcesIn } from './source.ts'
import { isNumberText, plainNumberForm } from './text-forms.ts'

const separators = [' + ', '\n', ', ', ',', '; ', ' ']
const mostHeads = 3

/**
 * Text that is one line, or one term, for each element of a list, perhaps below a heading. Source: learning 3.6, joined list.
 */
export function joined(argument: Argument, texts: readonly string[], frame: Frame): Expression | null {
  if (frame.owners.length !== frame.workspace.goals[''].length) return null
  for (const separator of separators) {
    for (const end of separator === '\n' && texts.every((text) => text.endsWith('\n')) ? ['\n'] : ['']) {
      const parts = texts.map((text) => text.slice(0, text.length - end.length).split(separator))
      for (let heads = 0; heads <= mostHeads; heads += 1) {
        const found = withHeads({ argument, parts, separator, end, heads }, frame)
        if (found !== null) return found
      }
    }
  }
  return null
}

interface Split {
  readonly argument: Argument
  readonly parts: readonly (readonly string[])[]
  readonly separator: string
  readonly end: string
  readonly heads: number
}

function withHeads({ argument, parts, separator, end, heads }: Split, frame: Frame): Expression | null {
  const rows = parts.map((each) => each.slice(heads))
  if (!rows.some((each) => each.length >= 2) || rows.some((each) => each.length === 0)) return null
  const head = headOf(
    parts.map((each) =>
      each
        .slice(0, heads)
        .map((part) => part + separator)
        .join(''),
    ),
    argument,
    frame,
  )
  if (head === null) return null
  const counts = rows.map((each) => each.length)
  for (const list of listsOfLength(frame.workspace.lists, counts)) {
    const body = rowsOf(list, { rows, separator, isSum: argument.isSum }, frame)
    if (body === null) continue
    const code = [head.code, body.code, end === '' ? '' : JSON.stringify(end)].filter((part) => part !== '').join(' + ')
    // How many lines it has may be what the answer says.
    const values = list.values.map(({ length }) => length)
    frame.workspace.add([{ code: `len(${list.code})`, values, leaf: list.leaf, form: 'count', needs: [] }], [])
    return listExpression(list, code, [head, body])
  }
  return null
}

function headOf(texts: readonly string[], { key }: Argument, frame: Frame): Expression | null {
  const none: Expression = { code: '', kind: 'constant', leaves: [], needs: [], alternatives: [] }
  if (texts.every((text) => text === '')) return none
  const { checkTime } = frame.workspace
  const task = { targets: texts, sources: frame.sources, owners: frame.owners, checkTime }
  const pieces = parseTogether({ ...task, goals: goalsOf(frame, '') })
  return pieces && piecesExpression(pieces, (values) => frame.workspace.book.add(values, { usedAs: key }))
}

interface Rows {
  readonly rows: readonly (readonly string[])[]
  readonly separator: string
  readonly isSum: boolean
}

function rowsOf(list: ListSource, { rows, separator, isSum }: Rows, frame: Frame): Expression | null {
  const owners = rows.flatMap((each, thread) => each.map(() => thread))
  const elements = elementSources(list).map((source) => (isSum ? withoutCommas(source) : source))
  const inner = frameOf(frame.workspace, owners, elements)
  const targets = rows.flat()
  const pieces = parseTogether({
    targets,
    sources: inner.sources,
    owners,
    goals: [],
    checkTime: frame.workspace.checkTime,
  })
  const isOfElements = pieces?.some((piece) => piece.kind === 'source' && elements.includes(piece.source)) ?? false
  if (pieces !== null && isOfElements) {
    const row = piecesExpression(pieces, () => '')
    return { ...row, code: `${JSON.stringify(separator)}.join([${row.code} for y in ${list.code}])` }
  }
  const sorted = elements.find((source) => isSortedAs(source, { rows, owners }))
  if (sorted === undefined) return null
  const code = `${JSON.stringify(separator)}.join(sorted([${sorted.code} for y in ${list.code}]))`
  return listExpression(list, code)
}

/** Of an element, by the name `y`, over all elements of all threads. */
function elementSources({ values, leaf }: ListSource): readonly Source[] {
  return sourcesIn({ code: 'y', leaf: `${leaf}[]`, values: values.flat() }).scalars.filter(
    ({ form }) => form !== 'count',
  )
}

function withoutCommas(source: Source): Source {
  const isText = source.values.every((value) => typeof value === 'string' && isNumberText(value))
  return isText && source.form !== plainNumberForm.name && !source.form.endsWith(plainNumberForm.name)
    ? {
        ...source,
        code: plainNumberForm.python(source.code),
        values: source.values.map((value) => String(value).replaceAll(',', '')),
      }
    : source
}

function isSortedAs({ values }: Source, { rows, owners }: { rows: Rows['rows']; owners: readonly number[] }): boolean {
  if (!values.every((value) => typeof value === 'string')) return false
  return rows.every((row, thread) => {
    const own = values.filter((_, at) => owners[at] === thread).map(String)
    return own.sort().every((value, at) => value === row[at])
  })
}
