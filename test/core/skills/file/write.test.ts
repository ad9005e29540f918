import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { parseSkill, type SkillFile } from '../../../../core/skills/file/parse.ts'
import { requestedActions } from '../../../../core/skills/file/requests.ts'
import { type SkillFileParts, strictSkillText, writeSkillFile } from '../../../../core/skills/file/write.ts'
import { yamlText } from '../../../../core/skills/file/yaml-text.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

function read(text: string, folder = 'tides'): SkillFile {
  const verdict = parseSkill(bytesOf(text), folder)
  if (verdict.outcome === 'reject') throw new Error(verdict.diagnostics[0]?.message)
  return verdict.skill
}

function partsOf(skill: SkillFile): SkillFileParts {
  const { name, description, body, activation, snippets, fields } = skill
  const own = fields.metadata?.threadsmith
  return {
    ...{ name, description, body, license: fields.license, compatibility: fields.compatibility },
    allowedTools: requestedActions({ fields: { 'allowed-tools': fields['allowed-tools'] } }),
    ...{ keywords: activation.keywords, excludeKeywords: activation.exclude_keywords, tags: activation.tags },
    ...{ patterns: activation.patterns, tools: own?.tools ?? [], tier: own?.tier, maxTurns: own?.maxTurns },
    ...{ version: own?.version, isOnlyByName: skill.isOnlyByName },
    minSigns: activation.min_signs,
    snippets: snippets.map(({ name: snippet, description: about, parameters, complete, code }) => ({
      ...{ name: snippet, description: about, code, isComplete: complete === true },
      parameters: parameters.map(({ name: each, pattern, examples }) => ({ name: each, pattern, examples })),
    })),
  }
}

/** Every character that a YAML file could stumble over, and some that only look harmless. */
const awkward = fc.constantFrom(
  ...[
    '\n',
    '\t',
    ' ',
    ':',
    '#',
    '-',
    '---',
    '...',
    '|',
    '>',
    '"',
    "'",
    '\\',
    '{',
    '}',
    '[',
    ']',
    '&a',
    '*a',
    '!t',
    '%',
  ],
  ...[
    '?',
    '@',
    '`',
    ',',
    'no',
    '1.0',
    '\u0085',
    '\u2028',
    '\u00a0',
    '\ufeff',
    '\u202e',
    '\u007f',
    '\u0007',
    '🐦',
    '数',
  ],
)
const anyText = fc
  .array(fc.oneof(awkward, fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 12 })
  .map((parts) => parts.join('').toWellFormed())
const visibleText = anyText.filter((text) => text.trim() !== '')
const word = fc.stringMatching(/^[a-z_][a-z0-9_]{0,20}$/)
const someParts = fc.record({
  name: fc.stringMatching(/^[a-z][a-z0-9]{0,8}(?:-[a-z0-9]{1,8}){0,3}$/),
  description: visibleText,
  body: anyText.map((text) => text.replaceAll('\0', '').replace(/\r\n?/g, '\n')),
  license: fc.option(anyText, { nil: undefined }),
  compatibility: fc.option(
    anyText.map((text) => text.slice(0, 100).toWellFormed()),
    { nil: undefined },
  ),
  allowedTools: fc.uniqueArray(fc.constantFrom('read_file', 'Bash(git add *)', 'http'), { maxLength: 3 }),
  keywords: fc.array(anyText, { maxLength: 5 }),
  excludeKeywords: fc.array(anyText, { maxLength: 3 }),
  tags: fc.array(anyText, { maxLength: 3 }),
  patterns: fc.array(fc.constantFrom('(?i)tide\\b', '^high\\s+water$', 'a: b # c'), { maxLength: 3 }),
  tools: fc.array(word, { maxLength: 3 }),
  tier: fc.constantFrom(undefined, 'minuet' as const, 'allegro' as const, 'forte' as const),
  maxTurns: fc.option(fc.integer({ min: 0, max: 999_999 }), { nil: undefined }),
  version: fc.option(anyText, { nil: undefined }),
  isOnlyByName: fc.boolean(),
  minSigns: fc.option(fc.integer({ min: 0, max: 99 }), { nil: undefined }),
  snippets: fc.array(
    fc.record({
      ...{ name: word, description: anyText, code: anyText.filter((text) => text !== ''), isComplete: fc.boolean() },
      parameters: fc.array(
        fc.record({
          name: word,
          pattern: fc.constantFrom(undefined, '\\b(reports/\\d{4}\\.csv)\\b'),
          examples: fc.array(anyText, { maxLength: 2 }),
        }),
        { maxLength: 2 },
      ),
    }),
    { maxLength: 3 },
  ),
})

describe('a SKILL.md that is written', () => {
  test('is read back as what it was made of', () => {
    fc.assert(
      fc.property(someParts, (parts) => {
        expect(partsOf(read(writeSkillFile(parts), parts.name))).toEqual(parts)
      }),
      { numRuns: 1_000 },
    )
  })

  test('reads as the same text where a reader takes numbers, dates and truths for such', () => {
    const texts = ['no', 'null', '~', '1.0', '0x10', '2026-01-01', '12:30:45', 'true', '', '- a', '1e3', '=', '<<']
    expect(load(yamlText({ texts, ...Object.fromEntries(texts.map((text) => [`k${text}`, text])) }))).toEqual({
      texts,
      ...Object.fromEntries(texts.map((text) => [`k${text}`, text])),
    })
  })

  test('has nothing at its top that agentskills.io does not name, and code as lines', () => {
    const text = writeSkillFile({
      ...{
        name: 'tides',
        description: 'High water: when?',
        body: '# Tides\n',
        keywords: ['high water'],
        tier: 'forte',
      },
      snippets: [{ name: 'tide', code: 'def tide(port):\n    return http(method="GET", url=port)\n' }],
    })
    expect(text).toBe(
      [
        ...['---', 'name: tides', 'description: "High water: when?"', 'metadata:', '  threadsmith:', '    tier: forte'],
        ...[
          '    activation:',
          '      keywords: ["high water"]',
          '    snippets:',
          '      - name: tide',
          '        code: |',
        ],
        ...['          def tide(port):', '              return http(method="GET", url=port)', '---', '# Tides', ''],
      ].join('\n'),
    )
  })
})

describe('the strict form of a file', () => {
  const corpora = path.join(import.meta.dirname, 'corpus')
  const shipped = path.resolve(import.meta.dirname, '../../../../skills')
  const files = [shipped, corpora].flatMap((folder) =>
    fs
      .readdirSync(folder, { withFileTypes: true })
      .flatMap((entry) => (entry.isDirectory() ? [path.join(folder, entry.name, 'SKILL.md')] : [])),
  )
  const usable = files.flatMap((file) => {
    const bytes = fs.readFileSync(file)
    const verdict = parseSkill(bytes, path.basename(path.dirname(file)))
    return verdict.outcome === 'reject' ? [] : [{ file, bytes, skill: verdict.skill }]
  })

  test.each(usable)('$file is the same skill in it, and stays as it is from then on', ({ file, bytes, skill }) => {
    const strict = strictSkillText(bytes)
    const again = read(strict, path.basename(path.dirname(file)))
    const { patterns: _, fields: __, ...known } = skill
    const { patterns: ___, fields, ...found } = again
    expect(found).toEqual(known)
    expect(Object.keys(fields).filter((key) => !['license', 'compatibility', 'allowed-tools'].includes(key))).toEqual(
      fields.metadata === undefined ? [] : ['metadata'],
    )
    expect(strictSkillText(bytesOf(strict))).toBe(strict)
  })

  test('moves what is ours below metadata.threadsmith, keeps what nobody knows, and takes nothing from what stands there', () => {
    const text = [
      ...['---', 'name: tides', 'description: High water.', 'version: "2"', 'author: me', 'metadata:', '  author: you'],
      ...[
        '  threadsmith:',
        '    version: "3"',
        'requires: { bins: [curl] }',
        'allowed-tools: [Read, "Bash(git add *)"]',
      ],
      ...['disable-model-invocation: true', 'homepage: https://example.com', '---', 'Body'],
    ].join('\n')
    const strict = read(strictSkillText(bytesOf(text)))
    expect(strict.fields.metadata).toEqual({
      ...{ author: 'you', homepage: 'https://example.com' },
      threadsmith: {
        ...{ version: '3', author: 'me', 'disable-model-invocation': true },
        requires: { bins: ['curl'], env: [], config: [], skills: [] },
      },
    })
    expect(requestedActions(strict)).toEqual(['Read', 'Bash(git add *)'])
    expect([strict.isOnlyByName, strict.declaredVersion]).toEqual([true, '3'])
  })
})

test('actions are asked for in words, with commas or in a list, and of our own key', () => {
  const asked = (line: string) => requestedActions(read(`---\nname: tides\ndescription: x\n${line}\n---\n`))
  expect(asked('allowed-tools: Read, Grep Bash(git add *)  Read')).toEqual(['Read', 'Grep', 'Bash(git add *)'])
  expect(asked('allowed-tools: [Read, Grep]')).toEqual(['Read', 'Grep'])
  expect(asked('metadata: { threadsmith: { tools: [http] } }')).toEqual(['http'])
})
