import { code } from '../answer.ts'
import type { FileEntry } from '../results.ts'
import { extensionOf } from './catalogue.ts'

const namesShown = 15

/** One file, or what to say because it is not clear which. */
export type Choice = { readonly file: FileEntry } | { readonly question: string }

/** Takes the only file, or the only one of a wanted kind; else asks, naming them all. */
export function chooseOne(files: readonly FileEntry[], wanted: readonly string[] = []): Choice | undefined {
  const ofKind = files.filter((f) => wanted.includes(extensionOf(f.path)))
  const left = ofKind.length > 0 ? ofKind : files
  const [only] = left
  if (!only) return undefined
  return left.length === 1 ? { file: only } : { question: whichOne(left.map((f) => f.path)) }
}

/** A question that lists what the words may mean. */
export function whichOne(names: readonly string[]): string {
  const shown = names.slice(0, namesShown).map((name) => `- ${code(name)}`)
  const rest = names.length > shown.length ? ['- and more'] : []
  return [`More than one file fits. Which one do you mean?`, '', ...shown, ...rest].join('\n')
}
