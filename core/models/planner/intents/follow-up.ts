import { isConcept, readRequest, type Unit } from '../language/reading.ts'

const opening = /^(?:(?:ok|okay|so|then|hm+|now)[\s,]+)*(?:and|what about|how about|but|or)\b[\s,]*/i

/**
 * "And the smallest?" after "What is the largest file?": the earlier request with its superlative, its file, its kind or its
 * number replaced. Undefined when the words are no such addition.
 */
export function completed(said: string, earlier: readonly string[]): string | undefined {
  const before = earlier.at(-1)
  const match = opening.exec(said.trim())
  if (before === undefined || !match) return undefined
  const addition = readRequest(said.trim().slice(match[0].length), { correct: false })
  const telling = addition.units.filter((u) => u.kind !== 'filler' && u.kind !== 'sign')
  if (telling.length === 0 || telling.length > 4) return undefined
  const base = readRequest(before, { correct: false })
  // "And per category?": one more condition, where there is nothing of the kind to replace.
  const [first] = telling
  if (isConcept(first, 'per', 'with') && !base.units.some((u) => isConcept(u, 'per', 'with')))
    return `${base.text.replace(/[?.!\s]+$/, '')} ${addition.text}`
  let text = base.text
  for (const unit of telling) {
    const replaced = replaceIn(text, unit)
    if (replaced === undefined) return undefined
    text = replaced
  }
  return text === base.text ? undefined : text
}

const ranks = ['largest', 'smallest', 'newest', 'oldest', 'highest', 'lowest', 'longest', 'shortest'] as const
const figures = ['sum', 'average', 'median', 'highest', 'lowest', 'count'] as const

const measures = ['line', 'word', 'character', 'size'] as const

function replaceIn(text: string, unit: Unit): string | undefined {
  const { units } = readRequest(text, { correct: false })
  const target = units.findLast((u) => isAlike(u, unit))
  if (!target) return isConcept(unit, 'file', 'folder', 'each') ? text : undefined
  const [start, end] = [target.tokens[0]?.start, target.tokens.at(-1)?.end]
  if (start === undefined || end === undefined) return undefined
  return `${text.slice(0, start)}${writtenAs(unit)}${text.slice(end)}`
}

function writtenAs(unit: Unit): string {
  return unit.kind === 'quoted' ? `"${unit.text}"` : unit.text
}

function isAlike(a: Unit, b: Unit): boolean {
  if (a.kind === 'concept' && b.kind === 'concept') {
    return (
      (isConcept(a, ...ranks) && isConcept(b, ...ranks)) ||
      (isConcept(a, ...figures) && isConcept(b, ...figures)) ||
      (isConcept(a, ...measures) && isConcept(b, ...measures)) ||
      a.concept === b.concept
    )
  }
  const names: readonly Unit['kind'][] = ['open', 'path', 'quoted']
  return a.kind === b.kind || (names.includes(a.kind) && names.includes(b.kind))
}
