/** A line of a file with its own end: what is not mended stays byte for byte. */
export interface MendedLine {
  readonly text: string
  readonly end: string
}
export type MendedLines = readonly MendedLine[]

export function linesOf(text: string): MendedLines {
  return (text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? []).map((line) => {
    const [end = ''] = /[\r\n]*$/.exec(line) ?? []
    return { text: line.slice(0, line.length - end.length), end }
  })
}

export function textOfLines(lines: MendedLines): string {
  return lines.map(({ text, end }) => text + end).join('')
}

/** Between the fences; null where there are not two of them. */
export function headerOf(lines: MendedLines): MendedLines | null {
  const close = closingFence(lines)
  return close < 0 ? null : lines.slice(1, close)
}

/** With another header in the place of the one that stands there. */
export function withHeader(lines: MendedLines, header: MendedLines): string {
  return textOfLines([...lines.slice(0, 1), ...header, ...lines.slice(closingFence(lines))])
}

function closingFence(lines: MendedLines): number {
  if (!isFence(lines[0])) return -1
  return lines.findIndex((line, at) => at > 0 && isFence(line))
}

function isFence(line: MendedLine | undefined): boolean {
  return /^\ufeff?---[ \t]*$/.test(line?.text ?? '')
}
