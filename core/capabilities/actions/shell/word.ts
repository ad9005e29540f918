import type { Node } from 'web-tree-sitter'

/** One word of a command: what the program gets, where that is known without a shell, and how it was written. */
export interface Word {
  readonly literal: string | null
  readonly source: string
}

export function readWord(node: Node): Word {
  return { literal: literalOf(node), source: node.text }
}

/** The text that bash would pass on; null for whatever it would expand. Unsure is null: then bash itself runs it. */
function literalOf(node: Node): string | null {
  // What find takes for the file it found.
  if (node.text === '{}') return node.text
  switch (node.type) {
    case 'command_name':
      return node.childCount === 1 && node.firstChild ? literalOf(node.firstChild) : null
    case 'word':
    case 'number':
      return node.childCount === 0 ? literalOfBare(node.text) : null
    case 'raw_string':
      return /^'[^']*'$/.test(node.text) ? node.text.slice(1, -1) : null
    case 'string':
      return literalOfQuoted(node)
    case 'concatenation':
      return literalOfParts(node)
    default:
      return null
  }
}

const bare = /^(?:[A-Za-z0-9_./@%+,:=^~-]|[^\p{ASCII}]|\\[^\n])*$/u

function literalOfBare(text: string): string | null {
  // A tilde is the home folder at the start of a word and after = or :
  if (!bare.test(text) || /(?:^|[:=])~/.test(text)) return null
  return text.replace(/\\(.)/gsu, '$1')
}

function literalOfQuoted(node: Node): string | null {
  const { text } = node
  const isOnlyText = node.namedChildren.every((child) => child.type === 'string_content')
  if (!isOnlyText || text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return null
  const inner = text.slice(1, -1)
  if (/(?<!\\)(?:\\\\)*[$`"]/.test(inner) || /\\\n/.test(inner)) return null
  return inner.replace(/\\([\\"$`])/g, '$1')
}

function literalOfParts(node: Node): string | null {
  const parts = node.children.map(readWord)
  if (parts.map(({ source }) => source).join('') !== node.text) return null
  const literals = parts.map(({ literal }) => literal)
  return literals.includes(null) ? null : literals.join('')
}
