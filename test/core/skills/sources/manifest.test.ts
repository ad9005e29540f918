import { describe, expect, test } from 'vitest'
import { limits } from '../../../../core/domain/limits.ts'
import { createManifestSource, type FetchText, manifestSkills } from '../../../../core/skills/sources/manifest.ts'
import { plainSkill } from './support.ts'

const url = 'https://skills.example/list.json?key=secret'
const place = 'https://skills.example/list.json'
const record = (name: string, more: object = {}) => ({
  name,
  description: `About ${name}.`,
  body: `How to ${name}.`,
  ...more,
})
const read = (value: unknown) => manifestSkills(url, JSON.stringify(value))
const never = new AbortController().signal

describe('a manifest', () => {
  test('has records of parts and whole files, which are installed, imported, and of its address', () => {
    const { found, problems } = read([
      record('tides', { version: 3, tags: ['sea'] }),
      { name: 'moon', content: plainSkill('moon') },
    ])
    expect(problems).toEqual([])
    expect(found).toMatchObject([
      { skill: { name: 'moon' }, content: plainSkill('moon'), file: `${place}#2`, folder: null },
      {
        skill: { name: 'tides', declaredVersion: '3', body: 'How to tides.', activation: { tags: ['sea'] } },
        ...{ place, trust: 'installed', source: 'imported', file: `${place}#1` },
      },
    ])
  })

  test('may be an object with its skills', () => {
    expect(read({ skills: [record('tides')], updated: 1 }).found).toHaveLength(1)
  })

  test('leaves candidates out', () => {
    expect(read([record('tides', { type: 'candidate' }), record('moon', { type: 'promoted' })])).toMatchObject({
      found: [{ skill: { name: 'moon' } }],
      problems: [],
    })
  })

  test('shows each record that is no skill by its number, and reads the others', () => {
    const { found, problems } = read([
      record('tides', { body: undefined }),
      record('../etc', {}),
      'text',
      record('moon'),
      { name: 'sun', content: 'no front matter' },
      record('moon', { description: 'Another.' }),
    ])
    expect(found.map(({ skill }) => skill.name)).toEqual(['moon'])
    expect(problems.map(({ file, kind, diagnostics }) => [file, kind, diagnostics[0]?.code])).toEqual([
      [`${place}#1`, 'rejected', 'E_RECORD'],
      [`${place}#2`, 'rejected', 'E_NAME_INVALID'],
      [`${place}#3`, 'rejected', 'E_RECORD'],
      [`${place}#5`, 'rejected', 'E_FM_MISSING'],
      [`${place}#6`, 'shadowed', 'W_SHADOWED'],
    ])
    expect(problems[0]?.diagnostics[0]?.message).toContain('Record 1 ')
  })

  test('may have limits.manifestSkills, and not one more', () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => record(`s${at}`))
    expect(read(many(limits.manifestSkills)).found).toHaveLength(limits.manifestSkills)
    expect(() => read(many(limits.manifestSkills + 1))).toThrow(expect.objectContaining({ code: 'skill.manifest' }))
  })

  test.each([
    ['no JSON', '{'],
    ['no list', '"text"'],
    ['an object without skills', '{"items":[]}'],
  ])('that is %s is refused, without the secret in its address', (_what, text) => {
    expect(() => manifestSkills(url, text)).toThrow(
      expect.objectContaining({ code: 'skill.manifest', message: expect.not.stringContaining('secret') }),
    )
  })
})

describe('the source of a manifest', () => {
  function scripted(...answers: readonly (string | Error)[]) {
    const asked: string[] = []
    const fetchText: FetchText = async (at, { headers }) => {
      const answer = answers[asked.length] ?? new Error('asked too often')
      asked.push(`${at} ${JSON.stringify(headers)}`)
      if (answer instanceof Error) throw answer
      return answer
    }
    return { asked, fetchText }
  }

  test('asks once, with its headers, and again when it is told to forget', async () => {
    const { asked, fetchText } = scripted(JSON.stringify([record('tides')]), JSON.stringify([record('moon')]))
    const source = createManifestSource({ url, headers: { 'x-key': 'k' } }, fetchText)
    const first = await source.load(never)
    expect(await source.load(never)).toBe(first)
    expect(asked).toEqual([`${url} {"x-key":"k"}`])
    source.forget()
    expect((await source.load(never)).found[0]?.skill.name).toBe('moon')
  })

  test('does not keep what it was told to forget while it was on its way', async () => {
    const { asked, fetchText } = scripted(JSON.stringify([record('tides')]), JSON.stringify([record('moon')]))
    const source = createManifestSource({ url }, fetchText)
    const loading = source.load(never)
    source.forget()
    await loading
    expect((await source.load(never)).found[0]?.skill.name).toBe('moon')
    expect(asked).toHaveLength(2)
  })

  test('asks again after a failure: nothing that failed is kept', async () => {
    const { fetchText } = scripted(new Error('down'), 'no JSON', JSON.stringify([record('tides')]))
    const source = createManifestSource({ url }, fetchText)
    await expect(source.load(never)).rejects.toThrow('down')
    await expect(source.load(never)).rejects.toMatchObject({ code: 'skill.manifest' })
    expect((await source.load(never)).found).toHaveLength(1)
  })

  test.each([
    ['http', { url: 'http://skills.example/list.json' }],
    ['a file', { url: 'file:///etc/passwd' }],
    ['a header with a line break', { url, headers: { 'x-key': 'a\r\nhost: b' } }],
  ])('asks nobody over %s', async (_what, manifest) => {
    const { asked, fetchText } = scripted()
    await expect(createManifestSource(manifest, fetchText).load(never)).rejects.toMatchObject({
      code: 'skill.manifest',
    })
    expect(asked).toEqual([])
  })
})
