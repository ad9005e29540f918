import type { MendedLines } from './mend-lines.ts'

/** A name with its quotes and a comment behind it; what is longer needs a person. */
const longestLine = 400

function partsOf(line: string): RegExpExecArray | null {
  return line.length > longestLine ? null : nameLine.exec(line)
}
/** The value alone, quoted or not, with whatever comment follows. */
const nameLine = /^name:[ \t]*(?:"([^"\\]*)"|'([^']*)'|([^\s"'|>#&*!{[%@`][^#]*?)?)([ \t]+#.*)?[ \t]*$/

/** With the folder's name, which it should have; null where the folder itself has none that a skill can have. */
export function withNameOf(lines: MendedLines, folder: string): MendedLines | null {
  return inStyle.test(folder) && folder.length <= longest ? withName(lines, folder) : null
}

/** The name in lower case, with hyphens between its words; null where that leaves nothing of it. */
export function withPlainName(lines: MendedLines): MendedLines | null {
  const [, double, single, plain] = partsOf(lines.find(({ text }) => /^name:/.test(text))?.text ?? '') ?? []
  const name = (double ?? single ?? plain ?? '')
    .trim()
    .toLowerCase()
    .replace(/[\s_.]+/g, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^-|-$/g, '')
  return inStyle.test(name) && name.length <= longest ? withName(lines, name) : null
}

/** With the key spelt as it must be, where it only has capital letters; null where that is not so. */
export function withNameKey(lines: MendedLines, key: 'name' | 'description'): MendedLines | null {
  const isKey = (text: string) => text.slice(0, key.length + 1).toLowerCase() === `${key}:`
  const [at = -1, second] = lines.flatMap(({ text }, each) => (isKey(text) ? [each] : []))
  const line = lines[at]
  if (line === undefined || second !== undefined || line.text.startsWith(key)) return null
  return lines.with(at, { ...line, text: `${key}${line.text.slice(key.length)}` })
}

const inStyle = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const longest = 64

function withName(lines: MendedLines, name: string): MendedLines | null {
  const written = /^(?:\d|true$|false$|yes$|no$|on$|off$|null$|[yn]$)/.test(name) ? `"${name}"` : name
  const at = lines.findIndex(({ text }) => /^["']?name["']?[ \t]*:/i.test(text))
  const line = lines[at]
  if (line === undefined) return [{ text: `name: ${written}`, end: lines[0]?.end ?? '\n' }, ...lines]
  const [whole, , , , comment = ''] = partsOf(line.text) ?? []
  // A value that goes on in the next line, or is something else than text.
  if (whole === undefined || /^[ \t]+\S/.test(lines[at + 1]?.text ?? '')) return null
  return lines.with(at, { ...line, text: `name: ${written}${comment}` })
}
