/** A line of Markdown, perhaps cut in mid-mark, without the marks of emphasis, code and heading: for rows that show one line. */
export function plainLine(markdown: string): string {
  return markdown.replace(/\*\*|`/g, '').replace(/^#{1,6} /, '')
}
