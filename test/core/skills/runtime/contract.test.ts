import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { limits } from '../../../../core/domain/limits.ts'
import type { SkillCatalogueEntry, SkillsEvent } from '../../../../core/skills/runtime/runtime.ts'
import { temporaryFolder } from '../../../support/engine.ts'
import { never, record, skillsOf, storeOf } from './support.ts'

describe('sources', () => {
  it('are at least one: without any nothing is made', () => {
    expect(() => skillsOf({ sources: [] })).toThrow('skills("test"): at least one source is required')
  })

  it('merge in order, and a later one wins on a name', async () => {
    const sources = [
      storeOf(record('tide', { body: 'old' }), record('reef')),
      storeOf(record('tide', { body: 'new', version: 3 })),
    ]
    const skills = skillsOf({ sources })
    const { entries } = await skills.catalogue(never)
    expect(entries.map(({ name, version }) => [name, version])).toEqual([
      ['reef', 1],
      ['tide', 3],
    ])
    expect(await skills.run('r').load({ name: 'tide' }, never)).toMatchObject({ body: 'new' })
  })

  it('that have another version than the one asked for are passed over', async () => {
    const sources = [storeOf(record('tide', { body: 'first' })), storeOf(record('tide', { body: 'third', version: 3 }))]
    expect(await skillsOf({ sources }).run('r').load({ name: 'tide', version: 1 }, never)).toMatchObject({
      body: 'first',
    })
  })

  it('that throw are a problem of their own, and the others serve on', async () => {
    const store = storeOf(record('tide')).store
    const broken = {
      ...storeOf().store,
      list: () => Promise.reject(new Error('it is down')),
      load: () => store.load('x'),
    }
    const sources = [
      {
        type: 'store',
        store: { ...broken, versions: async () => [], saveCandidate: store.saveCandidate, promote: store.promote },
      },
      { type: 'store', store },
    ] as const
    const { entries, problems } = await skillsOf({ sources }).catalogue(never)
    expect(entries.map(({ name }) => name)).toEqual(['tide'])
    expect(problems).toEqual([{ source: 'store', message: 'it is down' }])
  })

  it('may be a folder of files, read when it is asked', async () => {
    const folder = temporaryFolder()
    const write = (name: string, text: string) => {
      fs.mkdirSync(path.join(folder, name))
      fs.writeFileSync(path.join(folder, name, 'SKILL.md'), text)
    }
    const skills = skillsOf({ sources: [{ type: 'directory', path: folder }] })
    expect((await skills.catalogue(never)).text).toBe('')
    write('tide', '---\r\nname: other\r\ndescription: About tides.\r\n---\r\nAsk the gauge.\r\n')
    write('broken', 'no front matter')
    write('hidden', '---\nname: hidden\ndescription: x\ndisable-model-invocation: true\n---\n')
    const { entries, problems } = await skills.catalogue(never)
    expect(entries).toMatchObject([{ name: 'tide', description: 'About tides.', version: 1 }])
    expect(problems.map(({ source }) => source)).toEqual([path.join(folder, 'broken', 'SKILL.md')])
    expect(await skills.run('r').load({ name: 'tide' }, never)).toMatchObject({ body: 'Ask the gauge.' })
    expect(await skills.run('r').load({ name: 'hidden' }, never)).toEqual({ error: 'unknown skill: hidden' })
  })

  it('may be a manifest on the network, of which each skill is looked at', async () => {
    const readManifest = async (_url: string, headers: Readonly<Record<string, string>>) => [
      { name: 'tide', description: `with ${headers.key}`, body: 'Ask.' },
      { name: 'inert', description: 'x', body: 'x', type: 'candidate' },
      { name: 'broken' },
    ]
    const sources = [{ type: 'url', url: 'https://skills.example/list', headers: { key: 'k' } }] as const
    const { entries, problems } = await skillsOf({ sources }, { readManifest }).catalogue(never)
    expect(entries).toEqual([{ name: 'tide', description: 'with k', version: 1, type: 'authored' }])
    expect(problems[0]?.message).toContain('skill 3:')
  })
})

it('a name that is not what is seen of it is no name of a skill', async () => {
  const { entries, problems } = await skillsOf({
    sources: [storeOf(record('ti\u200bde'), record('a\nb'), record('reef'))],
  }).catalogue(never)
  expect(entries.map(({ name }) => name)).toEqual(['reef'])
  expect(problems).toHaveLength(2)
})

describe('the catalogue', () => {
  it('never carries a body, by its very type', async () => {
    expectTypeOf<SkillCatalogueEntry>().not.toHaveProperty('body')
    const { entries, text } = await skillsOf({}).catalogue(never)
    expect(JSON.stringify([entries, text])).not.toContain('How to')
    expect(text).toBe(
      '# Available skills: test\nCall load_skill with a name to read the whole of one:\n- reef (v1): About reef.\n- tide (v1): About tide.',
    )
  })

  it('holds only skills with a tag of the scope, and scope holds for loading too', async () => {
    const sources = [storeOf(record('tide', { tags: ['sea'] }), record('reef', { tags: ['land'] }), record('untagged'))]
    const skills = skillsOf({ sources, scope: { tags: ['sea', 'sky'] } })
    expect((await skills.catalogue(never)).entries.map(({ name }) => name)).toEqual(['tide'])
    const run = skills.run('r')
    for (const name of ['reef', 'untagged']) {
      expect(await run.load({ name }, never)).toEqual({ error: `unknown skill: ${name}` })
    }
    expect(await run.load({ name: 'tide' }, never)).toMatchObject({ name: 'tide' })
  })

  it('holds no candidate, and none can be loaded or injected', async () => {
    const sources = [storeOf(record('tide', { type: 'candidate' }))]
    const skills = skillsOf({ sources, inject: 'all' })
    expect((await skills.catalogue(never)).entries).toEqual([])
    expect(await skills.run('r').preload('x', never)).toEqual([])
    expect(await skills.run('r').load({ name: 'tide' }, never)).toEqual({ error: 'unknown skill: tide' })
  })
})

describe('the budget of loads', () => {
  it('is five for a run, shared by the calls of one turn, and exhaustion is a result', async () => {
    const names = Array.from({ length: limits.skillLoads + 1 }, (_, at) => `s${at}`)
    const skills = skillsOf({ sources: [storeOf(...names.map((name) => record(name)))] })
    const results = await Promise.all(names.map((name) => skills.run('other').load({ name }, never)))
    expect(results.every((result) => 'body' in result)).toBe(true)
    const run = skills.run('r')
    const inOneTurn = await Promise.all(names.map((name) => run.load({ name }, never)))
    expect(inOneTurn.filter((result) => 'body' in result)).toHaveLength(limits.skillLoads)
    expect(inOneTurn.at(-1)).toEqual({ error: 'skill load budget exhausted' })
  })

  it('is spent by loads alone: whatever is asked for that there is not, and what was preloaded, costs nothing', async () => {
    const asked = fc.array(fc.constantFrom('tide', 'reef', 'nowhere', 'else'), { maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(asked, fc.integer({ min: 0, max: 4 }), async (names, max) => {
        const run = skillsOf({ maxLoadsPerRun: max, inject: 'all' }).run('r')
        await run.preload('x', never)
        let spent = 0
        for (const name of names) {
          const isThere = name === 'tide' || name === 'reef'
          const result = await run.load({ name }, never)
          if (!isThere) expect(result).toEqual({ error: `unknown skill: ${name}` })
          else if (spent >= max) expect(result).toEqual({ error: 'skill load budget exhausted' })
          else expect(result).toHaveProperty('body')
          if (spent < max && isThere) spent += 1
        }
      }),
    )
  })
})

describe('what stands in the prompt from the beginning', () => {
  it('is nothing by default, everything for all, and the nearest for semantic', async () => {
    const sources = [storeOf(record('tide'), record('reef'), record('zzz'))]
    const names = async (inject: Parameters<typeof skillsOf>[0]['inject']) =>
      (
        await skillsOf({ sources, ...(inject && { inject }) })
          .run('r')
          .preload('tide about', never)
      ).map(({ name }) => name)
    expect(await names(undefined)).toEqual([])
    expect(await names('all')).toEqual(['reef', 'tide', 'zzz'])
    expect(await names({ select: 'semantic', topK: 1 })).toEqual(['tide'])
    expect(await names({ select: 'semantic', topK: 0 })).toEqual([])
    expect(await names({ select: 'semantic', topK: 9, threshold: 1.01 })).toEqual([])
  })

  it('is no more than there is room for: what is too long can be loaded', async () => {
    const filling = record('a', { body: 'x'.repeat(limits.hostedInjectTokens * 4 - 400) })
    const run = skillsOf({
      inject: 'all',
      sources: [storeOf(filling, record('b', { body: 'y'.repeat(800) }), record('c'))],
    }).run('r')
    expect((await run.preload('x', never)).map(({ name }) => name)).toEqual(['a', 'c'])
    expect(await run.load({ name: 'b' }, never)).toHaveProperty('body')
  })

  it('asks for an embedder only when one is needed, and takes the one that was given', async () => {
    let asked = 0
    const embedder = () => {
      asked += 1
      return () => [new Float32Array([1]), new Float32Array([1]), new Float32Array([0])]
    }
    await skillsOf({ inject: 'all' }, { embedder }).run('r').preload('x', never)
    expect(asked).toBe(0)
    await skillsOf({ inject: { select: 'semantic', topK: 1 } }, { embedder })
      .run('r')
      .preload('x', never)
    expect(asked).toBe(1)
    const own = { select: 'semantic', topK: 1, embedder: () => [1, 0, 1].map((n) => new Float32Array([n])) } as const
    const [given] = await skillsOf({ inject: own }, { embedder }).run('r').preload('x', never)
    expect([asked, given?.name]).toEqual([1, 'tide'])
  })

  it('cannot close its own wrapper, whatever it says', async () => {
    const tag = fc.constantFrom(
      '</skill>',
      '< /SKILL >',
      '<skill name="x">',
      '＜/skill>',
      '<\u200b/skill>',
      '</sk\u00adill>',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(tag, fc.string()), { maxLength: 8 }), async (parts) => {
        const skills = skillsOf({ sources: [storeOf(record('tide', { body: parts.join('') }))] })
        const loaded = await skills.run('r').load({ name: 'tide' }, never)
        const text = 'text' in loaded ? loaded.text : ''
        expect(text.startsWith('<skill name="tide" version="1" trust="trusted">\n')).toBe(true)
        expect(text.endsWith('\n</skill>')).toBe(true)
        expect(text.match(/[<＜]\s*\/?\s*skill/gi)).toHaveLength(2)
      }),
    )
  })
})

describe('analytics', () => {
  it('tells every kind of event, each with the run that it belongs to', async () => {
    const told: SkillsEvent[] = []
    const { store } = storeOf(record('tide'), record('reef'))
    const review = { store, approve: async () => ({ approve: true, reason: 'good' }) }
    const analytics = (event: SkillsEvent) => void told.push(event)
    const inject = { select: 'semantic', topK: 1 } as const
    const skills = skillsOf({ sources: [{ type: 'store', store }], inject, review, analytics })
    await skills.catalogue(never, 'r')
    const run = skills.run('r')
    await run.preload('tide', never)
    await run.load({ name: 'reef' }, never)
    run.end('answered')
    run.end('failed')
    await skills.save?.({ name: 'wave', description: 'Waves.', body: 'Wait.' }, never)
    const of = (kind: string, skill: string) => ({ library: 'test', kind, skill, version: 1 })
    expect(told).toEqual([
      { ...of('catalogued', 'reef'), run: 'r' },
      { ...of('catalogued', 'tide'), run: 'r' },
      { ...of('injected', 'tide'), run: 'r' },
      { ...of('loaded', 'reef'), run: 'r' },
      ...['tide', 'reef'].flatMap((skill) => [
        { ...of('used', skill), run: 'r' },
        { ...of('outcome', skill), run: 'r', outcome: 'answered' },
      ]),
      of('proposed', 'wave'),
      { ...of('decided', 'wave'), approved: true, reason: 'good' },
    ])
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('sink')
      },
    ],
    ['rejects', () => Promise.reject(new Error('sink'))],
  ])('whose sink %s disturbs nothing', async (_how, analytics) => {
    const skills = skillsOf({ analytics })
    expect((await skills.catalogue(never)).entries).toHaveLength(2)
    expect(await skills.run('r').load({ name: 'tide' }, never)).toHaveProperty('body')
  })
})
