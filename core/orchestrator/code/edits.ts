/** A piece of the program and what stands in its place; line breaks inside it must be kept, so that lines keep their numbers. */
export interface Edit {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** Applies edits to the text that their positions are of. Where one lies inside another, the outer one counts. */
export function applyEdits(source: string, edits: readonly Edit[]): string {
  const inOrder = edits.toSorted((a, b) => a.from - b.from || a.to - a.from - (b.to - b.from))
  let program = ''
  let done = 0
  for (const { from, to, text } of inOrder) {
    if (from < done) continue
    program += source.slice(done, from) + text
    done = to
  }
  return program + source.slice(done)
}

/** As many line breaks as the text has. */
export function lineBreaksOf(text: string): string {
  return '\n'.repeat(text.split('\n').length - 1)
}
