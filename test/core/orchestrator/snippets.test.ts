import { describe, expect, it, test } from 'vitest'
import { z } from 'zod'
import { type Action, actions, defineAction } from '../../../core/capabilities/capabilities.ts'
import { AppError } from '../../../core/domain/error.ts'
import { namedSnippets, prepareSnippet, type Snippet } from '../../../core/orchestrator/code/snippets.ts'
import { eventsOf, folderWith, runGoal, startEngine, useScriptedModel } from '../../support/engine.ts'
import { scriptedModel } from '../../support/scripted-model.ts'
import { libraryOf, skillOf } from '../skills/skill-files.ts'

const snippet = (name: string, code: string): Snippet => ({ skill: 'tide', version: 1, name, code })

/** Answers what it was asked, or says that the station is unknown. */
const gauge: Action = defineAction({
  name: 'gauge',
  description: 'Reads a gauge.',
  parameters: z.strictObject({ station: z.string() }),
  effects: ['ReadLocal'],
  isIdempotent: true,
  summarize: ({ station }) => station,
  run: ({ station }) => {
    if (station === 'none')
      throw new AppError('action.failed', { message: 'no such station', userMessage: 'No such station.' })
    return { station, metres: 2 }
  },
})

const level = 'def level(station, times=1):\n    metres = gauge(station=station)["metres"]\n    return metres * times\n'
const both = 'def both(a, b):\n    return level(a) + level(b)\n'
const broken = 'def broken(a):\n    return a +\n'

async function runCode(code: string, snippets: readonly { readonly name: string; readonly code: string }[]) {
  const model = scriptedModel((_request, n) => ({ text: n === 0 ? `\`\`\`repl\n${code}\n\`\`\`` : 'done' }))
  const skill = skillOf('tide', { keywords: ['tide'], version: '1.4.0', snippets })
  const engine = await startEngine({
    embedded: { scripted: model },
    skills: libraryOf(skill),
    actions: [...actions, gauge],
  })
  await useScriptedModel(engine)
  const thread = await runGoal(engine, folderWith({}), 'when is the tide?')
  const events = eventsOf(engine, thread.id)
  const finished = events.flatMap((event) => (event.kind === 'code.finished' ? [event] : []))[0]
  return { events, finished, output: finished?.body.output ?? '' }
}

describe('a snippet of an active skill', () => {
  it('is a function of the code; what it calls goes through the door, and the record says which version ran', async () => {
    const { events, finished } = await runCode('level("north", times=3)', [{ name: 'level', code: level }])
    expect(finished?.body.returned).toBe(6)
    expect(finished?.data.snippets).toEqual([{ skill: 'tide', version: 1, name: 'level', raised: false }])
    const calls = events.flatMap(({ kind, data }) => (kind === 'action.started' && 'leaseId' in data ? [data] : []))
    expect(calls).toMatchObject([
      { name: 'gauge', path: '1.1', leaseId: expect.any(String), policy: { verdict: 'allow' } },
    ])
  })

  it('brings along the ones that it calls itself', async () => {
    const { finished } = await runCode('both("north", "south")', [
      { name: 'level', code: level },
      { name: 'both', code: both },
    ])
    expect(finished?.body.returned).toBe(4)
    expect(finished?.data.snippets?.map(({ name }) => name)).toEqual(['level', 'both'])
  })

  it('that nobody names is not there', async () => {
    const { finished } = await runCode('1 + 1', [{ name: 'level', code: level }])
    expect(finished?.body.returned).toBe(2)
    expect(finished?.data.snippets).toBeUndefined()
  })

  it('leaves the lines of an error where the code has them, and is named where it raised', async () => {
    const { finished, output } = await runCode('x = 1\nlevel("none")', [{ name: 'level', code: level }])
    expect(output).toContain('Line 2: RuntimeError: no such station')
    expect(output).toContain('2 | level("none")')
    expect(finished?.data.snippets).toMatchObject([{ name: 'level', raised: true }])
    const own = await runCode('x = level("north")\ny = x / 0', [{ name: 'level', code: level }])
    expect(own.output).toContain('Line 2: ZeroDivisionError')
    expect(own.finished?.data.snippets).toMatchObject([{ name: 'level', raised: false }])
  })

  it('that is broken is left out and told; the others run', async () => {
    const { finished, output } = await runCode('[level("north"), broken]', [
      { name: 'broken', code: broken },
      { name: 'level', code: level },
    ])
    expect(output).toContain('[broken of the skill tide was left out: it is no Python that can be read]')
    expect(output).toContain("NameError: name 'broken' is not defined")
    expect(finished?.data.snippets?.map(({ name }) => name)).toEqual(['level'])
  })

  it('that compiles nowhere but alone is found by the interpreter itself', async () => {
    const code = 'def level(a):\n    return lambda *, b: a\n\ndef level2(a, a):\n    return a\n'
    const { output } = await runCode('level(1)', [{ name: 'level', code }])
    expect(output).toMatch(/\[level of the skill tide was left out: .*(duplicate|SyntaxError)/i)
  })

  it('does not stand for a name that the code gives a meaning of its own', async () => {
    const { finished } = await runCode('def level(x):\n    return x\nlevel(5)', [{ name: 'level', code: level }])
    expect(finished?.body.returned).toBe(5)
    expect(finished?.data.snippets).toBeUndefined()
  })
})

describe('alone', () => {
  test.each([
    ['nothing but functions', 'import json\n# why\ndef level(a):\n    return json.dumps(a)', undefined],
    [
      'something that runs by being there',
      'def level(a):\n    return a\ngauge(station="x")',
      'it holds more than functions and imports',
    ],
    [
      'a value that would take the place of the state',
      'state = {}\ndef level(a):\n    return a',
      'it holds more than functions and imports',
    ],
    ['an end of the program', 'def level(a):\n    return a\nreturn 1', 'it holds more than functions and imports'],
    ['no function of its name', 'def other(a):\n    return a', 'it defines no function level'],
    [
      'a function with the name of an action',
      'def gauge(a):\n    return a\ndef level(a):\n    return a',
      'gauge is a name of the engine’s own',
    ],
    [
      'a function that ends the thread',
      'def FINAL(a):\n    return a\ndef level(a):\n    return a',
      'FINAL is a name of the engine’s own',
    ],
    [
      'a function with a name of Python’s own',
      'def len(a):\n    return 0\ndef level(a):\n    return a',
      'len is a name of the engine’s own',
    ],
    [
      'an import that takes the name of an action',
      'import json as gauge\ndef level(a):\n    return a',
      'gauge is a name of the engine’s own',
    ],
    ['an import by its own name', 'import json\ndef level(a):\n    return json.dumps(a)', undefined],
    ['a name of ours', 'def level(a):\n    __save_state__(a)', '__save_state__ is a name of the engine'],
    ['a class', 'def level(a):\n    class B: pass', 'classes do not exist here'],
  ])('a snippet holds %s', (_name, code, fault) => {
    const prepared = prepareSnippet(snippet('level', code), ['gauge'])
    if (fault === undefined) expect(prepared).toMatchObject({ names: ['level'] })
    else expect(prepared).toEqual(expect.stringContaining(fault))
  })

  it('is named as a name of the code, not in a text or a comment', () => {
    const offered = [snippet('level', level)]
    expect(namedSnippets('# level\nprint("level")', offered)).toEqual([])
    expect(namedSnippets('xs = [level(x) for x in "ab"]', offered)).toEqual(offered)
    expect(namedSnippets('f(level=1)', offered)).toEqual([])
  })
})
