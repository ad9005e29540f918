interface HtmlNode {
  readonly type?: string
  readonly tagName?: string
  readonly value?: unknown
  properties?: Record<string, unknown>
  readonly children?: readonly HtmlNode[]
}

/** A figure, alone or with its unit: 51, 1,204.50, −3 %, 51 bytes, 1.4 kB, $0.08, 0:42. */
const figure = /^[-+−±~]?\s?[$€£¥]?\s?\d[\d\s.,:_]*(?:\s?(?:%|‰|[\p{L}µ]{1,7}))?$/u
/** What stands where there is no figure: nothing, a dash, or what the row is instead, as a folder has no size. */
const blank = /^[\s–—-]*$/
const leastShare = 0.8

/**
 * For Markdown (rehype): columns that hold figures get the class of figures, so that their digits line up. What the
 * author aligned stays as it was aligned.
 */
export function numericColumns() {
  return (tree: HtmlNode): void => {
    for (const table of elementsOf(tree, 'table')) markColumns(table)
  }
}

function markColumns(table: HtmlNode): void {
  const rows = elementsOf(table, 'tr').map(({ children = [] }) =>
    children.filter(({ tagName }) => tagName === 'td' || tagName === 'th'),
  )
  const [head = [], ...body] = rows
  for (const [column, title] of head.entries()) {
    const cells = body.flatMap((row) => row[column] ?? [])
    if (title.properties?.align === undefined && holdsFigures(cells.map(textOf)))
      for (const cell of [title, ...cells]) cell.properties = { ...cell.properties, className: ['num'] }
  }
}

function holdsFigures(texts: readonly string[]): boolean {
  const filled = texts.filter((text) => !blank.test(text))
  const figures = filled.filter((text) => figure.test(text.trim()))
  return figures.length > 0 && figures.length >= filled.length * leastShare
}

function elementsOf(node: HtmlNode, tagName: string): readonly HtmlNode[] {
  return (node.children ?? []).flatMap((child) => (child.tagName === tagName ? [child] : elementsOf(child, tagName)))
}

function textOf(node: HtmlNode): string {
  return typeof node.value === 'string' ? node.value : (node.children ?? []).map(textOf).join('')
}
