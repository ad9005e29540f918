import { limits } from '../domain/limits.ts'

/**
 * The paragraphs of a message that somebody wrote themselves, as far as its form shows: what they quote, forward or paste they do not
 * say. Rather too little than too much: a wish that is missed here a model, or the next time, may find. Pure.
 */
export function ownParagraphs(message: string): readonly string[] {
  const unfenced = message.replace(/(```|~~~)[\s\S]*?(?:\1|$)/g, '\n\n')
  const lines = withoutQuotations(unfenced).split('\n')
  if (lines.some((line) => signOff.test(line))) return []
  return ownLines(lines)
    .join('\n')
    .split(/\n\s*\n/)
    .filter((paragraph) => !isPasted(paragraph))
}

/** Up to where somebody else's text begins. */
function ownLines(lines: readonly string[]): readonly string[] {
  const head = lines.findIndex((line) => heads.test(line))
  const introduced = lines.findIndex((line) => line.trimEnd().endsWith(':'))
  const ends = [head, introduced === -1 ? -1 : introduced + 1].filter((at) => at !== -1)
  return lines.slice(0, Math.min(lines.length, ...ends)).map((line) => (marked.test(line) ? '' : line))
}

/** Of mail, of a letter, of what was forwarded. */
const heads =
  /^\s*(?:(?:from|to|cc|bcc|subject|date|sent|reply-to|von|an|betreff|gesendet|de|objet)\s*:\s*\S|-{3,}|_{5,}|begin forwarded message|dear\b.*,\s*$|on\b.*\bwrote:\s*$|am\b.*\bschrieb\b.*:\s*$)/i
const signOff =
  /^\s*(?:(?:with )?(?:kind|best|warm|many)\s+(?:regards|wishes)|regards|sincerely|yours\s+\w+|mit freundlichen grüßen|viele grüße)\s*[,.!]?\s*$/i
/** Quoted, a row of a table, a tag, or indented as code. */
const marked = /^(?:\s*[>|<]|\t| {4})/

/** Whole sentences between quotation marks. Words between them are a name for something. */
function withoutQuotations(text: string): string {
  return text.replace(/"[^"]*"|[“„][^”“]*[”“]?|«[^»]*»?/g, (quoted) => (/[.!?\n]/.test(quoted) ? '\n\n' : quoted))
}

/** Nobody types so much at a stretch to say how they want to be worked with. */
function isPasted(paragraph: string): boolean {
  return paragraph.length > limits.ownParagraphCharacters || paragraph.split('\n').length > limits.ownParagraphLines
}
