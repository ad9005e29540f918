import type { MemoryDoc } from '../domain/memory.ts'

/** A doc as a Markdown file with front matter. Every text in the header is a quoted string: no title can be read as YAML. */
export function docMarkdown(doc: MemoryDoc): string {
  const header = [
    `id: ${quoted(doc.id)}`,
    `type: ${quoted(doc.type)}`,
    `title: ${quoted(doc.title)}`,
    `version: ${doc.version}`,
    `tags: [${doc.tags.map(quoted).join(', ')}]`,
    `provenance: ${quoted(doc.provenance)}`,
    `untrusted: ${doc.untrusted}`,
    `sourceThread: ${doc.sourceThreadId === null ? 'null' : quoted(doc.sourceThreadId)}`,
    `created: ${quoted(new Date(doc.createdAt).toISOString())}`,
    `updated: ${quoted(new Date(doc.updatedAt).toISOString())}`,
  ]
  return `---\n${header.join('\n')}\n---\n\n${doc.content.trimEnd()}\n`
}

/** `team-lunch.doc_x1.md`: what it is about, and the id, so that an export never falls on another doc's file. */
export function docFileName({ id, title }: Pick<MemoryDoc, 'id' | 'title'>): string {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
  const slug = [...words].slice(0, 40).join('').replace(/^-|-$/g, '')
  return `${slug === '' ? 'doc' : slug}.${id.replace(/[^\w-]/g, '_')}.md`
}

/** A JSON string is a YAML one, but for the characters that YAML takes for line breaks or does not print. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
