/**
 * Cuts Markdown at blank lines that part blocks, so that a growing answer is parsed only in its last block. Fences, lists,
 * indented lines and texts with reference definitions stay whole: what is cut must read the same as before.
 */
export function markdownBlocks(text: string): readonly string[] {
  if (/^ {0,3}\[[^\]]+\]:\s/m.test(text)) return [text]
  const blocks: string[] = []
  let block: string[] = []
  let fence: string | null = null
  let isAfterBlank = false
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    const isBlank = line.trim() === ''
    if (isAfterBlank && fence === null && !isBlank && !goesOn(line)) {
      blocks.push(block.join('\n'))
      block = []
    }
    if (mark && fence === null) fence = mark
    else if (mark && fence !== null && mark.startsWith(fence) && /^\s*[`~]+\s*$/.test(line)) fence = null
    block.push(line)
    isAfterBlank = isBlank
  }
  blocks.push(block.join('\n'))
  return blocks.filter((part) => part.trim() !== '')
}

/** A line that may belong to the list before the blank line. */
function goesOn(line: string): boolean {
  return /^(?:\s|[-*+]\s|\d{1,9}[.)]\s)/.test(line)
}
