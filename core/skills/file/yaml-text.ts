/** What a front matter holds: text, lists and maps (FAILSAFE). */
export type YamlValue = string | readonly YamlValue[] | YamlMap
export interface YamlMap {
  readonly [key: string]: YamlValue
}

/**
 * A map as YAML of which every reader gets the same text back: whatever another schema could take for a number, a date or a
 * truth is quoted. Lines of a longer text stay lines, so that a person can read what changed in them.
 */
export function yamlText(map: YamlMap): string {
  return mapLines(map, '')
    .map((line) => `${line}\n`)
    .join('')
}

function mapLines(map: YamlMap, pad: string): readonly string[] {
  return Object.entries(map).flatMap(([key, value]) => {
    const [first = '', ...rest] = valueLines(value, pad)
    return [`${pad}${isPlain(key, plainKey) ? key : quoted(key)}:${first}`, ...rest]
  })
}

/** The first line stands after the key or the dash, with its blank; the rest below it. */
function valueLines(value: YamlValue, pad: string): readonly string[] {
  if (typeof value === 'string') return isBlock(value) ? blockLines(value, pad) : [` ${scalar(value)}`]
  const inner = `${pad}  `
  if (!isList(value)) return Object.keys(value).length === 0 ? [' {}'] : ['', ...mapLines(value, inner)]
  const texts = value.flatMap((item) => (typeof item === 'string' ? [item] : []))
  if (texts.length === value.length) return [` [${texts.map(scalar).join(', ')}]`]
  return ['', ...value.flatMap((item) => itemLines(item, inner))]
}

function isList(value: YamlValue): value is readonly YamlValue[] {
  return Array.isArray(value)
}

/** A map begins beside its dash. */
function itemLines(item: YamlValue, pad: string): readonly string[] {
  const [first = '', ...rest] = valueLines(item, pad)
  const [beside = '', ...below] = rest
  const isMapBelow = first === '' && typeof item !== 'string' && !isList(item)
  return isMapBelow ? [`${pad}- ${beside.slice(pad.length + 2)}`, ...below] : [`${pad}-${first}`, ...rest]
}

function scalar(text: string): string {
  return isPlain(text, plainText) ? text : quoted(text)
}

const plainText = /^[a-z][a-z0-9-]*$/
const plainKey = /^[A-Za-z][A-Za-z0-9_-]*$/
/** Words that other schemas read as something else. */
const reserved: ReadonlySet<string> = new Set(['true', 'false', 'yes', 'no', 'on', 'off', 'null', 'y', 'n'])

function isPlain(text: string, form: RegExp): boolean {
  return form.test(text) && !reserved.has(text.toLowerCase())
}

/** JSON's quotes are YAML's; what YAML does not take as it is stands as a code. */
function quoted(text: string): string {
  return JSON.stringify(text.toWellFormed()).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Several lines of text that can stand as they are: no control characters, and no end that is lost at the end of the header. */
function isBlock(text: string): boolean {
  const bare = text.trimEnd()
  return bare !== '' && text.includes('\n') && /^\n?$/.test(text.slice(bare.length)) && printable.test(text)
}
const printable = /^[\t\n\x20-\x7e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]*$/u

function blockLines(text: string, pad: string): readonly string[] {
  const isEnded = text.endsWith('\n')
  // Else the blanks of the first line would be taken for the indentation.
  const indentation = /^\s/.test(text) ? '2' : ''
  const lines = (isEnded ? text.slice(0, -1) : text).split('\n')
  return [` |${indentation}${isEnded ? '' : '-'}`, ...lines.map((line) => (line === '' ? '' : `${pad}  ${line}`))]
}
