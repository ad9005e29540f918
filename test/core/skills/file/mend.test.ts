import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mendOf } from '../../../../core/skills/file/mend.ts'
import { parseSkill, type SkillVerdict } from '../../../../core/skills/file/parse.ts'
import { strictSkillText } from '../../../../core/skills/file/write.ts'
import { expectWithin } from '../../../support/times.ts'

const corpus = path.join(import.meta.dirname, 'corpus')
const folders = fs
  .readdirSync(corpus, { withFileTypes: true })
  .flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
const bytesOf = (text: string) => new TextEncoder().encode(text)
const codes = (verdict: SkillVerdict) => verdict.diagnostics.map(({ code }) => code)

/** Which file of the crafted corpus has which mend; all others need a person, or nothing. */
const mended: Readonly<Record<string, string>> = {
  'fm-bidi': 'Remove the hidden characters',
  'fm-bom': 'Remove the byte order mark',
  'fm-colon-desc': 'Put the description into quotes',
  'fm-mismatch': 'Name it as its folder',
  'fm-name-number': 'Name it as its folder',
  'fm-nul-name': 'Remove the NUL bytes and name it as its folder',
  'fm-tab-indent': 'Indent with blanks in the place of tabs',
  'fm-utf16le': 'Save it as UTF-8',
}

describe('the crafted corpus', () => {
  test.each(folders)('%s', (folder) => {
    const mend = mendOf(fs.readFileSync(path.join(corpus, folder, 'SKILL.md')), folder)
    expect(mend?.title).toBe(mended[folder])
    if (mend !== null) expect(parseSkill(bytesOf(mend.text), folder).outcome).toBe('ok')
  })
})

const good = '---\nname: tides\ndescription: High water.\n---\nDo it.\n'

describe('a mend', () => {
  test.each([
    ['of nothing, for a good file', good, null, null],
    [
      'of several flaws at once',
      '\ufeff---\nname: Tides\ndescription: Tides: when?\n---\nDo it.\u200b\n',
      'Remove the byte order mark, put the description into quotes, name it as its folder and remove the hidden characters',
      '---\nname: tides\ndescription: "Tides: when?"\n---\nDo it.\n',
    ],
    [
      'of one flaw behind another',
      '\n\n---\nname: tides\ndescription: Tides: when?\nmetadata:\n\ta: b\n---\nDo it.\n',
      'Begin with the front matter, indent with blanks in the place of tabs and put the description into quotes',
      null,
    ],
    [
      'of a name that is missing',
      '---\ndescription: High water.\n---\nDo it.\n',
      'Name it as its folder',
      '---\nname: tides\ndescription: High water.\n---\nDo it.\n',
    ],
    [
      'of a name that is empty, with the comment behind it',
      '---\nname:  # of the skill\ndescription: High water.\n---\nDo it.\n',
      'Name it as its folder',
      '---\nname: tides # of the skill\ndescription: High water.\n---\nDo it.\n',
    ],
    [
      'of keys in capitals',
      '---\nName: tides\nDescription: High water.\n---\nDo it.\n',
      'Write the key name in small letters and write the key description in small letters',
      good,
    ],
    [
      'of a name with blanks in it',
      '---\nname: "Tides"\ndescription: High water.\n---\nDo it.\n',
      'Name it as its folder',
      good,
    ],
    ['of a word after the fence', good.replace('---', '--- yaml'), 'Open the front matter with --- alone', good],
    ['of a fence of four', good.replace('.\n---', '.\n----'), 'Close the front matter with ---', good],
    ['of a fence that is indented', good.replace('.\n---', '.\n  ---'), 'Close the front matter with ---', good],
    [
      'of a line that stands there twice',
      good.replace('name: tides\n', 'name: tides\nname: tides\n'),
      'Remove the line that stands there twice',
      good,
    ],
    ['of NUL bytes', good.replace('Do it', 'Do\0 it\0'), 'Remove the NUL bytes', good],
  ])('%s', (_what, text, title, result) => {
    const mend = mendOf(bytesOf(text), 'tides')
    expect(mend?.title ?? null).toBe(title)
    if (result !== null) expect(mend?.text).toBe(result)
  })

  test.each([
    ['a key with two values', good.replace('name: tides\n', 'name: tides\nname: other\n')],
    ['tabs and blanks', good.replace('---\nDo', 'metadata:\n\ta:\n  b: c\n---\nDo')],
    ['no closing fence', '---\nname: tides\ndescription: High water.\n\n# Tides\n\nDo it.\n'],
    [
      'two lines that could be the fence',
      '---\nname: tides\ndescription: High water.\n----\nDo it.\n----\nThen this.\n',
    ],
    ['a line among text that could be one', '---\nname: tides\ndescription: High water.\n# Tides\n----\nDo it.\n'],
    ['a description that is too long', good.replace('High', 'High '.repeat(400))],
    ['an engine that is not YAML', good.replace('---', '---js')],
    ['bytes of an encoding that does not say its name', Buffer.from(good.replace('High', 'Höhe'), 'latin1')],
    ['direction marks among Arabic', good.replace('Do it.', 'مرحبا\u200f!')],
    [
      'a flag that is written with hidden characters',
      good.replace('Do it.', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'),
    ],
    ['a hidden character that makes a key another one', good.replace('---\nDo', '\u200bversion: "9"\n---\nDo')],
    ['a name that would be a path', good.replace('tides', '../tides')],
    ['a description of nothing', good.replace('High water.', '')],
  ])('is not offered for %s', (_what, text) => {
    expect(mendOf(typeof text === 'string' ? bytesOf(text) : text, 'tides')).toBeNull()
  })

  test('never gives a skill the name of a folder that no skill can have', () => {
    const nameless = bytesOf('---\ndescription: High water.\n---\n')
    expect(mendOf(nameless, 'My Skills')).toBeNull()
    expect(mendOf(nameless, '')).toBeNull()
    expect(mendOf(bytesOf(good), 'My Skills')).toBeNull()
    // In the style of names it would no longer be that of its folder.
    expect(mendOf(bytesOf(good.replace('tides', 'My Skills')), 'My Skills')).toBeNull()
  })

  test.each(['\r\n', '\r'])('keeps the line ends %j of what it does not touch', (end) => {
    const file = good.replace('High', 'Tides: high').replaceAll('\n', end)
    expect(mendOf(bytesOf(file), 'tides')?.text).toBe(
      good.replace('High water.', '"Tides: high water."').replaceAll('\n', end),
    )
  })

  test.each([
    ['utf-16 little end first', Buffer.from(`\ufeff${good}`, 'utf16le')],
    ['utf-16 without a mark', Buffer.from(good, 'utf16le')],
    ['utf-16 big end first', Buffer.from(`\ufeff${good}`, 'utf16le').swap16()],
  ])('saves %s as UTF-8', (_what, bytes) => {
    expect(mendOf(bytes, 'tides')).toMatchObject({ title: 'Save it as UTF-8', text: good })
  })

  test('says what the file holds now, byte order mark and all, so that both can stand beside each other', () => {
    expect(mendOf(bytesOf(`\ufeff${good}`), 'tides')).toMatchObject({ before: `\ufeff${good}`, text: good })
  })
})

test.each([
  ['blank lines', `${'\r\n'.repeat(100_000)}x`],
  ['blanks in a name', `---\nname: a${' '.repeat(60_000)}b\ndescription: x\n---\n`],
  ['lines that stand there twice', `---\n${'a: b\n'.repeat(12_000)}---\n`],
  [
    'lines of which one stands there twice',
    `---\n${Array.from({ length: 6_000 }, (_, at) => `k${at}: b\n`).join('')}k1: b\n---\n`,
  ],
  ['line breaks in a value', `---\nname: tides\ndescription: a: b\nx: "${'\\n'.repeat(30_000)}y"\n---\n`],
  ['blanks before what is no fence', `---\nname: tides\n${' '.repeat(900_000)}x`],
  ['dashes before what is no fence', `---\nname: tides\n${'-'.repeat(900_000)}x`],
  ['hidden characters', good + '\u200b'.repeat(300_000)],
])('a mend is found or given up at once, however many %s there are', (_what, text) => {
  const begun = performance.now()
  const verdict = parseSkill(bytesOf(text), 'tides')
  mendOf(bytesOf(text), 'tides')
  if (verdict.outcome !== 'reject') strictSkillText(bytesOf(text))
  expectWithin(performance.now() - begun, 4_000)
})

test.each([
  ['blank lines', `${'\r\n'.repeat(100_000)}x`],
  ['blanks in a name', `---\nname: a${' '.repeat(60_000)}b\ndescription: x\n---\n`],
  ['lines that stand there twice', `---\n${'a: b\n'.repeat(12_000)}---\n`],
  [
    'lines of which one stands there twice',
    `---\n${Array.from({ length: 6_000 }, (_, at) => `k${at}: b\n`).join('')}k1: b\n---\n`,
  ],
  ['line breaks in a value', `---\nname: tides\ndescription: a: b\nx: "${'\\n'.repeat(30_000)}y"\n---\n`],
  ['blanks before what is no fence', `---\nname: tides\n${' '.repeat(900_000)}x`],
  ['dashes before what is no fence', `---\nname: tides\n${'-'.repeat(900_000)}x`],
  ['hidden characters', good + '\u200b'.repeat(300_000)],
])('a mend is found or given up at once, however many %s there are', (_what, text) => {
  const begun = performance.now()
  const verdict = parseSkill(bytesOf(text), 'tides')
  mendOf(bytesOf(text), 'tides')
  if (verdict.outcome !== 'reject') strictSkillText(bytesOf(text))
  expectWithin(performance.now() - begun, 4_000)
})

describe('whatever the file', () => {
  const nameLine = fc.constantFrom(
    'name: tides',
    'name: My Skills',
    'name: Tides',
    'name: "a b"',
    'Name: tides',
    'name:',
    '',
  )
  const descriptionLine = fc.constantFrom(
    ...['description: High water.', 'Description: x', 'description: a: b', 'description: {a', 'description: "q"', ''],
  )
  const headerLine = fc.constantFrom(
    ...['description: |', '  more', 'metadata:', '\ta: b', '  a: b', 'license: MIT', 'license: MIT', '# note', ''],
    ...['\u200bname: x', '\u200bversion: "9"', 'license: a\u202eb', 'version: "1"', '- a', '...'],
  )
  const bodyLine = fc.constantFrom('Do it.', '', '---', '----', '\tcode', 'a\u200bb', 'a\0b', '# Steps', 'name: other')
  const file = fc
    .record({
      before: fc.constantFrom('', '', '', '\ufeff', '\n', '\ufeff\n'),
      open: fc.constantFrom('---', '---', '---', '--- yaml', '---js', ' ---'),
      header: fc
        .tuple(nameLine, descriptionLine)
        .chain((both) => fc.array(headerLine, { maxLength: 4 }).map((more) => [...both, ...more])),
      close: fc.constantFrom('---', '---', '---', '----', ' ---', '...', ''),
      body: fc.array(bodyLine, { maxLength: 5 }),
      end: fc.constantFrom('\n', '\n', '\r\n', '\r'),
      isWide: fc.constantFrom(false, false, false, true),
    })
    .map(({ before, open, header, close, body, end, isWide }) => {
      const text = before + [open, ...header, close, ...body].join(end)
      return { text, bytes: isWide ? Buffer.from(text, 'utf16le') : Buffer.from(text) }
    })

  const visible = (text: string) => text.replace(/[\u200b\u202e\0]/g, '')

  test('a mend makes a skill of it, takes a flaw away, brings none, and leaves the text what it says', () => {
    let mends = 0
    fc.assert(
      fc.property(file, fc.constantFrom('tides', 'My Skills', ''), ({ text, bytes }, folder) => {
        const before = parseSkill(bytes, folder)
        const mend = mendOf(bytes, folder)
        if (mend === null) return
        mends += 1
        const after = parseSkill(bytesOf(mend.text), folder)
        if (after.outcome === 'reject') throw new Error(`does not parse: ${codes(after)}`)
        if (before.outcome !== 'reject') {
          expect(codes(after).every((code) => codes(before).includes(code))).toBe(true)
          expect(codes(after).length).toBeLessThan(codes(before).length)
          expect(visible(after.skill.body)).toBe(visible(before.skill.body))
          expect(visible(after.skill.description)).toBe(visible(before.skill.description))
        }
        // Nothing of it is offered again: it is done.
        expect(mendOf(bytesOf(mend.text), folder)).toBeNull()
        expect(visible(text).replace(/\r\n?/g, '\n').endsWith(visible(after.skill.body))).toBe(true)
      }),
      { numRuns: 4_000 },
    )
    // Else the property says nothing.
    expect(mends).toBeGreaterThan(200)
  })
})
