import { z } from 'zod'
import { limits } from '../../domain/limits.ts'
import { defineAction } from '../action.ts'
import { askToWrite, fileResource, writingVerbs } from './files/ask.ts'
import { fileChange } from './files/change.ts'
import { applyEdits, type Edit } from './files/edits.ts'
import { detectContent, headBytes } from './files/encoding.ts'
import { previewRewrite, type Rewrite, rewriteFile } from './files/replace-file.ts'
import { flag, listOf, pathText, summaryText } from './parameters.ts'
import { refusal } from './refusal.ts'

const text = z.string().max(limits.writeCharacters)
const edit = z.strictObject({
  find: text.min(1).describe('Text as it stands in the file, with enough around it to occur once.'),
  replace: text.describe('What stands there afterwards; empty removes it.'),
  all: flag().default(false).describe('Replace every occurrence. Default false.'),
})

export const patchFile = defineAction({
  name: 'patch_file',
  description:
    'Changes parts of a UTF-8 text file of the project, after a person agreed. The edits are made one after the other, all or none. Line ends stay as the file has them; what was there is kept and can be put back.',
  parameters: z.strictObject({
    path: pathText.min(1).describe('File inside the project.'),
    edits: listOf(edit, limits.patchEdits)
      .refine((edits) => edits.length > 0, 'at least one edit')
      .describe('At most 100.'),
  }),
  effects: ['ReadLocal', 'WriteLocal'],
  // Bound to what was there: run again it finds its own result, or refuses.
  isIdempotent: true,
  isUndoable: true,
  askedFor: writingVerbs,
  // An edit that does not fit is told with the line that is nearest to it.
  source: ({ path }, { ok }) => (ok ? null : { kind: 'file', name: path }),
  review: ({ path }) => askToWrite('patch_file', 'It changes a file of the project.', [path]),
  async preflight(asked, context) {
    const { path, before, after, guard } = await previewRewrite(asked.path, context, rewriteOf(asked.edits))
    return {
      change: fileChange(path, before, after),
      guard,
      undo: 'Undo puts the file back as it was before, unless it was changed since.',
    }
  },
  resource: ({ path }) => fileResource(path),
  summarize: ({ path, edits }) => summaryText(edits?.length > 1 ? `${path}: ${edits.length} edits` : path),
  async run(asked, context) {
    const { path, bytes, outcome } = await rewriteFile(asked.path, context, rewriteOf(asked.edits))
    const note = outcome === 'already' && { note: 'The edits are in the file already.' }
    return { path, bytes, edits: asked.edits.length, ...note }
  },
})

function rewriteOf(edits: readonly Edit[]): Rewrite {
  return (before, path) => {
    if (before === undefined) throw refusal('action.not_found', `"${path}" does not exist; write_file makes a new one.`)
    if (before.length > limits.patchFileBytes) {
      throw refusal(
        'action.too_large',
        `"${path}" has ${before.length} bytes; at most ${limits.patchFileBytes} can be patched.`,
        { path, bytes: before.length, maxBytes: limits.patchFileBytes },
      )
    }
    const after = Buffer.from(applyEdits(decode(before, path), edits, path), 'utf8')
    if (after.equals(before)) throw refusal('action.args', `The edits leave "${path}" as it is.`)
    if (after.length <= limits.patchFileBytes) return after
    throw refusal('action.too_large', `"${path}" would grow to ${after.length} bytes, over ${limits.patchFileBytes}.`)
  }
}

/** All of the text, its byte order mark too: what is decoded comes back byte for byte. */
function decode(bytes: Buffer, path: string): string {
  const content = detectContent(bytes.subarray(0, headBytes), bytes.length <= headBytes)
  if (content.kind === 'binary') {
    throw refusal('action.binary', `"${path}" is ${content.type} of ${bytes.length} bytes, not text.`, { path })
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw refusal('action.encoding', `"${path}" is text, but not UTF-8, so it cannot be patched.`, { path })
  }
}
