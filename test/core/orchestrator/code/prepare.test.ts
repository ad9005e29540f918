import fc from 'fast-check'
import { expect, test } from 'vitest'
import { prepareCode } from '../../../../core/orchestrator/code/prepare.ts'

const prepare = (source: string) => prepareCode(source, { known: ['act', 'read_file'], inputs: ['state'] })

/** Pieces that rewriting looks at, in every order: most of what comes of them is no Python, and none of it may throw. */
const pieces = fc.constantFrom(
  ...[
    'await ',
    'async ',
    'asyncio.gather(',
    'parallel(',
    'act(',
    'act',
    'x=',
    '*',
    '**',
    '[',
    ']',
    '(',
    ')',
    ',',
    ' for x in y',
  ],
  ...[
    '\n',
    '\r\n',
    '\n    ',
    'def f():',
    'return',
    'del x[0]',
    'import asyncio',
    'from a import (b,\n c)',
    'f"{x:,}"',
    '"""',
    '#',
  ],
  ...[
    'print(file=',
    'enumerate(x, start=1)',
    'lambda: ',
    'map(',
    'if x:',
    ';',
    '__name__',
    'str.lower',
    ':',
    '1',
    '=',
    'with ',
  ],
)

test.each([
  ['any text', fc.string({ unit: 'grapheme', maxLength: 400 })],
  ['any pieces of Python', fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(''))],
])('%s is prepared or refused, and keeps its lines', (_name, sources) => {
  fc.assert(
    fc.property(sources, (source) => {
      const { program, lineOffset, lines, problems } = prepare(source)
      expect(lines).toBe(source.split(/\r\n|\r|\n/).length)
      for (const { line } of problems) expect(line >= 1 && line <= lines).toBe(true)
      if (program === '') return
      const own = program.split('\n').slice(lineOffset, lineOffset + lines)
      expect(own).toHaveLength(lines)
      expect(
        program
          .split('\n')
          .slice(lineOffset + lines)
          .join('\n'),
      ).toMatch(/^__save_state__\(state\)(\n|$)/)
    }),
    { numRuns: 500 },
  )
})

test('a module that has the name of an action is that module once it is imported', () => {
  const withJson = (source: string) => prepareCode(source, { known: ['json'], inputs: [] }).problems
  expect(withJson('json.loads("1")')).toMatchObject([{ text: expect.stringContaining('import json first') }])
  expect(withJson('import json\njson.loads("1")')).toEqual([])
  expect(withJson('json(path="a.json")')).toEqual([])
})

test('what needs no rewriting is not touched', () => {
  const source = 'x = [1, 2]\nfor n in x:\n    print(n)  # each\nstate["n"] = len(x)'
  expect(prepare(source)).toEqual({
    program: `${source}\n__save_state__(state)\nNone`,
    definitions: source,
    lineOffset: 0,
    lines: 4,
    problems: [],
  })
})
