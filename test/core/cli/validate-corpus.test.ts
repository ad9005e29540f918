import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { validateSkills } from '../../../core/cli/checks.ts'
import { limits } from '../../../core/domain/limits.ts'
import { sanitizeText } from '../../../core/domain/text.ts'
import { skillBlock } from '../../../core/skills/block.ts'
import { parseSkill, type SkillFile } from '../../../core/skills/file/parse.ts'
import { temporaryFolder } from '../../support/engine.ts'
import { expectWithin } from '../../support/times.ts'
import { skillOf } from '../skills/skill-files.ts'
import { printed } from './support.ts'

const corpus = path.resolve(import.meta.dirname, '../skills/file/corpus')
const rows = fs
  .readFileSync(path.join(corpus, 'expected.tsv'), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [file = '', outcome = '', code = '', , extra = ''] = line.split('\t')
    return { name: path.dirname(file), outcome, code, extra }
  })

/** The folder of a file of the corpus. One is too long to be kept: it is made anew. */
function folderOf(name: string): string {
  if (name !== 'fm-body-1mb') return path.join(corpus, name)
  const folder = path.join(temporaryFolder(), name)
  fs.mkdirSync(folder)
  const head = `---\nname: ${name}\ndescription: Long.\n---\n`
  fs.writeFileSync(path.join(folder, 'SKILL.md'), head + 'Read the input. '.repeat(70_000))
  return folder
}

function validate(...paths: readonly string[]) {
  const { terminal, lines, err } = printed(true)
  const code = validateSkills(terminal, { name: 'skill validate', paths })
  return { code, lines: lines(), err }
}

function skill(name: string): SkillFile {
  const verdict = parseSkill(fs.readFileSync(path.join(corpus, name, 'SKILL.md')), name)
  return verdict.outcome === 'reject' ? expect.fail(verdict.diagnostics[0]?.message) : verdict.skill
}

describe('skill validate', () => {
  test('gives every file of the crafted corpus the verdict that is expected, each within 300 ms', () => {
    const { lines, code } = validate(...rows.map(({ name }) => folderOf(name)))
    expect(lines.map((line) => ({ ...line, file: path.basename(path.dirname(String(line.file))) }))).toMatchObject(
      rows.map(({ name, outcome, code: verdict }) => ({ file: name, outcome, code: verdict })),
    )
    for (const { ms, file } of lines) expectWithin(Number(ms), 300, String(file))
    expect(code).toBe(1)
  })

  test('prints the line wherever a verdict is about one, and a message for each', () => {
    const { lines } = validate(...rows.map(({ name }) => folderOf(name)))
    for (const { outcome, code, line, message } of lines) {
      if (outcome === 'ok') expect([line, message]).toEqual([undefined, ''])
      else expect(String(message).length).toBeGreaterThan(20)
      const isOfWholeFile = code === '' || code === 'E_ENCODING' || code === 'E_TOO_LARGE'
      expect(line === undefined, String(code)).toBe(isOfWholeFile)
    }
  })

  test.skipIf(process.platform === 'win32')('does not wait for a pipe', () => {
    const folder = temporaryFolder()
    execFileSync('mkfifo', [path.join(folder, 'SKILL.md')])
    const { code, lines, err } = validate(folder)
    expect([code, lines]).toEqual([1, []])
    expect(err()).toContain('no regular file')
  })
})

/** The last column of the corpus: what must hold beside the verdict. One test for each file that has something in it. */
const extraChecks: Readonly<Record<string, () => void>> = {
  'fm-crlf': () => expect(skill('fm-crlf').name).toBe('fm-crlf'),
  'fm-js-engine': runsNothing,
  'fm-yaml-tag': runsNothing,
  'fm-alias-bomb'() {
    const script = `
      import fs from 'node:fs'
      import { parseSkill } from ${JSON.stringify(path.resolve('core/skills/file/parse.ts'))}
      const bytes = fs.readFileSync(${JSON.stringify(path.join(corpus, 'fm-alias-bomb/SKILL.md'))})
      parseSkill(new TextEncoder().encode('---\\nname: warm\\ndescription: Up.\\n---\\n'), 'warm')
      globalThis.gc()
      const before = process.memoryUsage().heapUsed
      const begun = performance.now()
      const { diagnostics } = parseSkill(bytes, 'fm-alias-bomb')
      const ms = performance.now() - begun
      console.log(JSON.stringify({ ms, heap: process.memoryUsage().heapUsed - before, code: diagnostics[0]?.code }))`
    const child = spawnSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', script], {
      encoding: 'utf8',
    })
    const { ms, heap, code } = JSON.parse(child.stdout)
    expect(code).toBe('E_YAML_ALIAS')
    expectWithin(ms, 100)
    expect(heap).toBeLessThan(50 * 1_048_576)
  },
  'fm-colon-desc': () =>
    expect(skill('fm-colon-desc').description).toBe('Use this skill when: the user asks about invoices'),
  'fm-body-1mb'() {
    let read = 0
    const readSync = fs.readSync
    const spy = vi.spyOn(fs, 'readSync').mockImplementation((...given) => {
      const count: number = Reflect.apply(readSync, fs, given)
      read += count
      return count
    })
    onTestFinished(() => spy.mockRestore())
    expect(validate(folderOf('fm-body-1mb')).lines).toMatchObject([{ code: 'E_TOO_LARGE' }])
    expect(read).toBe(limits.skillFileBytes + 1)
  },
  'fm-nested-fence': () => expect(skill('fm-nested-fence').name).toBe('fm-nested-fence'),
  'fm-proto'() {
    expect(validate(folderOf('fm-proto')).lines).toMatchObject([{ outcome: 'reject' }])
    expect(Reflect.get({}, 'admin')).toBeUndefined()
  },
  'fm-redos-nested'() {
    const text = `${'a'.repeat(50_000)}!`
    // As skills are chosen. The fastest of three: this computer may do something else meanwhile.
    for (const pattern of skill('fm-redos-nested').patterns) {
      const times = [1, 2, 3].map(() => {
        const begun = performance.now()
        expect(pattern.test(text)).toBe(false)
        return performance.now() - begun
      })
      expectWithin(Math.min(...times), 50)
    }
  },
  'fm-10k-keywords': () => expectWithin(Number(validate(folderOf('fm-10k-keywords')).lines[0]?.ms), 300),
  'fm-name-number': () => expect(skill('fm-name-number').name).toBe('12345'),
  'fm-norway': () =>
    expect(skill('fm-norway').fields.metadata).toEqual({
      ...{ country: 'NO', mode: '0755', when: '2024-02-30', time: '12:30:45' },
    }),
  'fm-traversal'() {
    // Without the right to write, an attempt would be an error of another kind.
    expect(restricted('fm-traversal')).toMatchObject({ outcome: 'reject', code: 'E_NAME_INVALID' })
  },
  'fm-xml-body'() {
    const block = skillBlock({ ...skillOf('fm-xml-body'), ...skill('fm-xml-body') })
    expect([block.match(/<skill /g)?.length, block.match(/<\/skill>/g)?.length]).toEqual([1, 1])
  },
  'fm-bidi': () => expect(sanitizeText(skill('fm-bidi').description)).toMatch(/⟦U\+202[A-E]⟧/),
}

function runsNothing(): void {
  validate(folderOf('fm-js-engine'), folderOf('fm-yaml-tag'))
  expect(Reflect.has(globalThis, '__pwned')).toBe(false)
}

/** In a process that may neither write nor start anything. */
function restricted(name: string): unknown {
  const script = `
    import fs from 'node:fs'
    import { parseSkill } from ${JSON.stringify(path.resolve('core/skills/file/parse.ts'))}
    const { outcome, diagnostics } = parseSkill(fs.readFileSync(${JSON.stringify(path.join(corpus, name, 'SKILL.md'))}), ${JSON.stringify(name)})
    console.log(JSON.stringify({ outcome, code: diagnostics[0]?.code }))`
  const rights = ['--permission', '--allow-fs-read=*', '--input-type=module', '-e', script]
  return JSON.parse(spawnSync(process.execPath, rights, { encoding: 'utf8' }).stdout)
}

describe('beside the verdict', () => {
  const asked = rows.filter(({ extra }) => extra !== '')
  test('each file of the corpus that asks for more has a check', () => {
    expect(Object.keys(extraChecks).sort()).toEqual(asked.map(({ name }) => name).sort())
  })
  test.each(asked)('$name: $extra', ({ name }) => extraChecks[name]?.())
})
