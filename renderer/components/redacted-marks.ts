import { marksIn } from '../../core/domain/leaks/mark.ts'

interface HtmlNode {
  readonly type?: string
  readonly value?: unknown
  children?: readonly HtmlNode[]
}

/** For Markdown (rehype): each mark in the place of a secret becomes a `mark` element that holds what was taken out. */
export function redactedMarks() {
  return (tree: HtmlNode): void => replaceIn(tree)
}

function replaceIn(node: HtmlNode): void {
  if (node.children === undefined) return
  node.children = node.children.flatMap((child) => {
    replaceIn(child)
    return child.type === 'text' && typeof child.value === 'string' ? partsOf(child.value) : [child]
  })
}

function partsOf(text: string): readonly HtmlNode[] {
  const parts: HtmlNode[] = []
  let at = 0
  for (const { what, start, end } of marksIn(text)) {
    parts.push({ type: 'text', value: text.slice(at, start) }, elementOf(what))
    at = end
  }
  return [...parts, { type: 'text', value: text.slice(at) }]
}

function elementOf(what: string): HtmlNode {
  const element = { type: 'element', tagName: 'mark', properties: { title: what }, children: [] }
  return element
}
