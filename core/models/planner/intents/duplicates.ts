import { amount, byteText, code, inWords, paragraphs } from '../answer.ts'
import { loadCatalogue } from '../files/catalogue.ts'
import { scopeOf } from '../files/scope.ts'
import { scopeConcepts, scopeKinds } from '../files/scope-words.ts'
import type { IntentFamily, PlanContext } from '../intent.ts'
import { has, leftOver, nounsOf } from '../language/grammar.ts'
import type { Reading } from '../language/reading.ts'
import { type Answer, answered, type Plan } from '../plan.ts'
import { fileFacts } from '../results.ts'
import { scopeSlots, unknownName } from './files-list.ts'

/** "Are there any duplicate files?", "which files are identical?" */
export const duplicates: IntentFamily = {
  name: 'duplicates',
  read(reading) {
    const isAboutFiles = nounsOf(reading).some((n) => n.concept === 'file' || n.concept === 'folder')
    const isAsked = has(reading, 'duplicate') || (has(reading, 'same') && isAboutFiles)
    const isOther = nounsOf(reading).some(
      (n) => n.concept === 'row' || n.concept === 'column' || n.concept === 'line' || n.concept === 'value',
    )
    if (!isAsked || isOther) return []
    const concepts = [
      ...scopeConcepts,
      'duplicate',
      'same',
      'find',
      'show',
      'list',
      'count',
      'contain',
      'overview',
      'each',
    ] as const
    if (leftOver(reading, { concepts, kinds: scopeKinds.filter((k) => k !== 'number') }).length > 0) return []
    return [
      {
        intent: 'duplicates',
        score: isAboutFiles ? 0.85 : 0.6,
        slots: scopeSlots(reading),
        plan: (context) => plan(reading, context),
      },
    ]
  },
}

function* plan(reading: Reading, context: PlanContext): Plan<Answer> {
  const scope = yield* scopeOf(reading, yield* loadCatalogue(), context)
  if (scope.unknown.length > 0) return unknownName(scope)
  const result = yield* fileFacts.one({
    path: scope.folder,
    text: false,
    ...(scope.pattern !== undefined && { pattern: scope.pattern }),
  })
  const where = scope.label === '' ? 'in this folder' : scope.label
  const note = result.complete ? '' : 'Not all files could be looked at.'
  const compared = `${amount(result.total, 'file')} ${where} were compared by their content (SHA-256).`
  if (result.duplicates.length === 0) return answered(paragraphs(`There are no duplicate files. ${compared}`, note))
  const groups = result.duplicates.map((d) => `- ${inWords(d.paths.map(code))} (${byteText(d.bytes)} each)`)
  return answered(paragraphs(`These files have the same content:`, groups.join('\n'), compared, note))
}
