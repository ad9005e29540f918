import { describe, expect, test } from 'vitest'
import { limits } from '../../../../core/domain/limits.ts'
import { assertCallsLeft, isRunaway, savedState } from '../../../../core/orchestrator/code/bounds.ts'
import { type CodeOutcome, formatOutput } from '../../../../core/orchestrator/code/output.ts'
import { prepareCode } from '../../../../core/orchestrator/code/prepare.ts'

const nothing: CodeOutcome = { stdout: '', calls: [] }

describe('what goes back to the model', () => {
  test('every part under its own mark, in order, apart by blank lines', () => {
    const text = formatOutput({
      stdout: 'one\ntwo\n',
      calls: [
        { name: 'read_file', ok: true, result: { text: 'hello' }, where: null },
        { name: 'shell', ok: false, result: 'the file is missing', where: null },
      ],
      returned: [1, 'a'],
      failure: { text: 'Line 3: NameError' },
    })
    expect(text).toBe(
      [
        '[stdout]\none\ntwo',
        '[read_file] {"text":"hello"}',
        '[shell ERROR] the file is missing',
        '[return] [1,"a"]',
        '[error]\nLine 3: NameError\n`state` is as it was before this code.',
      ].join('\n\n'),
    )
  })

  test('code that says nothing is told so, and null is no return', () => {
    expect(formatOutput({ ...nothing, stdout: ' \n', returned: null })).toBe('[code executed, no output]')
    expect(formatOutput({ ...nothing, returned: 0 })).toBe('[return] 0')
    expect(formatOutput({ ...nothing, returned: '' })).toBe('[return] ')
  })

  test('a result of one character too many is cut, and says where the whole of it is', () => {
    const shown = (length: number, where: string | null) =>
      formatOutput({ ...nothing, calls: [{ name: 'a', ok: true, result: 'x'.repeat(length), where }] })
    const max = limits.codePreviewCharacters
    expect(shown(max, 'previous_results["c1"]')).toBe(`[a] ${'x'.repeat(max)}`)
    expect(shown(max + 1, 'previous_results["c1"]')).toBe(
      `[a] ${'x'.repeat(max)}\n[1 more characters; the whole is previous_results["c1"]: use it, do not type it again]`,
    )
    expect(shown(max + 1, null)).toMatch(/\[1 more characters; print the part that you need\]$/)
  })

  test('of an output of one character too many the end is kept, and the cut is said', () => {
    const room = limits.codeOutputCharacters - '[stdout]\n'.length
    expect(formatOutput({ ...nothing, stdout: 'x'.repeat(room) })).toHaveLength(limits.codeOutputCharacters)
    const cut = formatOutput({ ...nothing, stdout: `${'x'.repeat(room)}!` })
    expect(cut).toMatch(/^\[the first 1 characters of this output were cut\]\nstdout\]\n/)
    expect(cut.endsWith('!')).toBe(true)
  })

  test('a cut through an emoji leaves no half of it', () => {
    const result = `${'x'.repeat(limits.codePreviewCharacters - 1)}😀😀`
    expect(formatOutput({ ...nothing, calls: [{ name: 'a', ok: true, result, where: null }] }).isWellFormed()).toBe(
      true,
    )
    expect(formatOutput({ ...nothing, stdout: '😀'.repeat(5_001) }).isWellFormed()).toBe(true)
  })
})

describe('the limits of one block', () => {
  test('calls', () => {
    expect(() => assertCallsLeft(limits.codeCalls - 1, 1)).not.toThrow()
    expect(() => assertCallsLeft(limits.codeCalls, 1)).toThrow(expect.objectContaining({ code: 'code.calls' }))
    expect(() => assertCallsLeft(0, limits.codeCalls + 1)).toThrow(expect.objectContaining({ code: 'code.calls' }))
    expect([isRunaway(limits.codeCalls), isRunaway(limits.codeCalls + 1)]).toEqual([false, true])
  })

  test('state', () => {
    const room = limits.codeStateBytes - '{"a":""}'.length
    expect(savedState({ a: 'x'.repeat(room) })).toHaveProperty('a')
    expect(() => savedState({ a: 'x'.repeat(room + 1) })).toThrow(expect.objectContaining({ code: 'code.state' }))
    for (const other of [undefined, null, 5, 'text', []])
      expect(() => savedState(other)).toThrow(expect.objectContaining({ code: 'code.state' }))
  })

  test('its own length, in characters and in words and signs', () => {
    const problems = (source: string) => prepareCode(source, { known: [], inputs: [] }).problems
    const prepare = (length: number) => problems(`#${'x'.repeat(length - 1)}`)
    expect(prepare(limits.codeCharacters)).toEqual([])
    expect(prepare(limits.codeCharacters + 1)).toMatchObject([{ category: 'resource_limit' }])
    const lines = (count: number) => problems('a\n'.repeat(count))
    expect(lines(limits.codeParts / 2)).toEqual([])
    expect(lines(limits.codeParts / 2 + 1)).toMatchObject([{ category: 'resource_limit' }])
    expect(problems(`x = """${'some words of a text\n'.repeat(4_000)}"""`)).toEqual([])
  })
})

describe('what text of others cannot do', () => {
  const prepare = (source: string) => prepareCode(source, { known: ['act', 'parallel'], inputs: ['state'] })

  test.each(['__parallel__([["act", [], {}]])', 'ｘ = __ｐarallel__', '# __save_state__', '"__value__"'])(
    '%s names what is the engine’s own, and is refused',
    (source) => {
      expect(prepare(source).problems).toMatchObject([{ line: 1, category: 'name_lookup' }])
    },
  )

  test('only calls that stand in the text become calls of parallel: values never do', () => {
    expect(prepare('parallel([act(), data])').program).toContain('[*[act(), data]]')
    expect(prepare('data = [["act", [], {}]]\nparallel(data)').program).not.toContain('__parallel__')
    expect(prepare('def act(): return 1\nparallel(act())').program).not.toContain('__parallel__')
    expect(prepare('parallel(FINAL(1))').program).not.toContain('__parallel__')
  })

  test('words in strings and comments stay as they are', () => {
    const source = 'x = "await act()"  # await asyncio.sleep(1)\ny = """\nif __name__\ndel z\n"""'
    expect(prepare(source).program.startsWith(source)).toBe(true)
  })
})
