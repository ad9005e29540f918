import { z } from 'zod'
import { limits } from '../../domain/limits.ts'
import { defineAction } from '../action.ts'
import { askToWrite, fileResource, writingVerbs } from './files/ask.ts'
import { fileChange } from './files/change.ts'
import { previewRewrite, type Rewrite, rewriteFile } from './files/replace-file.ts'
import { flag, pathText, summaryText } from './parameters.ts'
import { refusal } from './refusal.ts'

const parameters = z.strictObject({
  path: pathText.min(1).describe('File inside the project; missing folders are made.'),
  content: z.string().max(limits.writeCharacters).describe('All of the new text, written as UTF-8 exactly as given.'),
  overwrite: flag().default(false).describe('Replace a file that is there. Default false.'),
})
type Parameters = z.output<typeof parameters>

export const writeFile = defineAction({
  name: 'write_file',
  description:
    'Writes a whole file of the project, after a person agreed. To change parts of a file use patch_file. What it replaces is kept and can be put back.',
  parameters,
  effects: ['ReadLocal', 'WriteLocal'],
  // Bound to what was there: run again it finds its own result, or refuses.
  isIdempotent: true,
  isUndoable: true,
  askedFor: writingVerbs,
  // It tells of its own arguments and of sizes.
  source: () => null,
  review: ({ path }) => askToWrite('write_file', 'It writes a file of the project.', [path]),
  async preflight(asked, context) {
    const { path, before, after, guard } = await previewRewrite(asked.path, context, rewriteOf(asked))
    const undo =
      before === undefined
        ? 'Undo takes the new file away again.'
        : 'Undo puts the file back as it was before, unless it was changed since.'
    return { change: fileChange(path, before, after), guard, undo }
  },
  resource: ({ path }) => fileResource(path),
  summarize: ({ path }) => summaryText(path),
  async run(asked, context) {
    const { path, bytes, outcome } = await rewriteFile(asked.path, context, rewriteOf(asked))
    return { path, bytes, outcome, ...(outcome === 'already' && { note: 'The file holds exactly this already.' }) }
  },
})

function rewriteOf({ content, overwrite }: Parameters): Rewrite {
  const after = Buffer.from(content, 'utf8')
  return (before, path) => {
    if (before === undefined || overwrite || before.equals(after)) return after
    throw refusal(
      'action.conflict',
      `"${path}" exists already. Pass overwrite: true to replace all of it, or change parts of it with patch_file.`,
      { path, bytes: before.length },
    )
  }
}
