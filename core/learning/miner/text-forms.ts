/** What can be made of a text, the same here and in Python. Source: learning 3.6. */
export interface TextForm {
  readonly name: string
  /** Undefined where the text has no such part. */
  of(text: string): string | undefined
  python(code: string): string
  /** The helper that the Python calls. */
  readonly helper?: HelperName
}

export type HelperName = keyof typeof helpers

/** Functions within the function, so that two skills can stand in one program. */
export const helpers = {
  _field: [
    'def _field(text, key):',
    '    for line in text.split("\\n"):',
    '        line = line.strip().lstrip("-* ")',
    '        if line.startswith(key + ":"):',
    '            return line[len(key) + 1:].strip()',
    '    raise ValueError("skill guard: no line " + key)',
  ],
  _between: [
    'def _between(text, left, right):',
    '    parts = text.split(left, 1)',
    '    if len(parts) < 2 or right not in parts[1]:',
    '        raise ValueError("skill guard: nothing between " + left + right)',
    '    return parts[1].split(right, 1)[0]',
  ],
  _base: ['def _base(path):', '    return path.rsplit("/", 1)[-1]'],
  _stem: [
    'def _stem(path):',
    '    name = path.rsplit("/", 1)[-1]',
    '    return name.rsplit(".", 1)[0] if "." in name[1:] else name',
  ],
  _number: [
    'def _number(text):',
    '    text = text.replace(",", "")',
    '    return float(text) if "." in text else int(text)',
  ],
} as const

export const isNumberText = (text: string) => /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$|^-?\d{1,15}(?:\.\d+)?$/.test(text)

const keyLine = /^([A-Za-z][\w /-]{0,30}):\s*\S/

/** The keys of its `Key: value` lines, the first ones. */
export function keysOf(text: string): readonly string[] {
  const keys = text.split('\n').flatMap((line) => keyLine.exec(trimmed(line))?.[1] ?? [])
  return [...new Set(keys)].slice(0, 30)
}

/** As Python's `strip().lstrip("-* ")`. */
function trimmed(line: string): string {
  return line.trim().replace(/^[-* ]+/, '')
}

export function fieldForm(key: string): TextForm {
  return {
    name: `line ${key}`,
    of(text) {
      const line = text
        .split('\n')
        .map(trimmed)
        .find((each) => each.startsWith(`${key}:`))
      return line?.slice(key.length + 1).trim()
    },
    python: (code) => `_field(${code}, ${JSON.stringify(key)})`,
    helper: '_field',
  }
}

function betweenForm(left: string, right: string): TextForm {
  return {
    name: `between ${left}${right}`,
    of(text) {
      const from = text.indexOf(left)
      const to = from < 0 ? -1 : text.indexOf(right, from + left.length)
      return to < 0 ? undefined : text.slice(from + left.length, to)
    },
    python: (code) => `_between(${code}, ${JSON.stringify(left)}, ${JSON.stringify(right)})`,
    helper: '_between',
  }
}

const stemForm: TextForm = {
  name: 'stem',
  of: (text) => {
    const name = baseName(text)
    return name.slice(1).includes('.') ? name.slice(0, name.lastIndexOf('.')) : name
  },
  python: (code) => `_stem(${code})`,
  helper: '_stem',
}

const baseForm: TextForm = { name: 'base name', of: baseName, python: (code) => `_base(${code})`, helper: '_base' }

function baseName(text: string): string {
  return text.slice(text.lastIndexOf('/') + 1)
}

export const plainNumberForm: TextForm = {
  name: 'number without commas',
  of: (text) => (isNumberText(text) ? text.replaceAll(',', '') : undefined),
  python: (code) => `${code}.replace(",", "")`,
}

const firstWordForm: TextForm = {
  name: 'first word',
  of: (text) => text.split(' ')[0],
  python: (code) => `${code}.split(" ")[0]`,
}

const lowerForm: TextForm = {
  name: 'lower case',
  of: (text) => text.toLowerCase(),
  python: (code) => `${code}.lower()`,
}

const slugForm: TextForm = {
  name: 'with hyphens',
  of: (text) => text.toLowerCase().replaceAll(' ', '-'),
  python: (code) => `${code}.lower().replace(" ", "-")`,
}

/** Column of a line of values: `a,b,c`. */
export function columnForm(at: number): TextForm {
  return {
    name: `column ${at + 1}`,
    of: (text) => text.split(',')[at],
    python: (code) => `${code}.split(",")[${at}]`,
  }
}

export const shortForms: readonly TextForm[] = [
  ...[betweenForm('(', ')'), betweenForm('[', ']'), betweenForm('"', '"'), betweenForm('<', '>')],
  ...[baseForm, stemForm, plainNumberForm, firstWordForm, lowerForm, slugForm],
]

/** Forms of forms: of a line's value its number, of a path in brackets its stem. */
export const secondForms: readonly TextForm[] = [plainNumberForm, stemForm, firstWordForm, lowerForm, slugForm]
