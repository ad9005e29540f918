import { access, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { getPriority, tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { limits } from '../../../../../core/domain/limits.ts'
import { useProject } from '../project.ts'
import { bubblewrap, jails, run } from './jails.ts'

const project = useProject()

describe.each(jails)('a command $name', ({ bubblewrap: jail, isHere }) => {
  const of = (asked: string | readonly string[], more: object = {}) =>
    run(asked, { folder: project.folder, bubblewrap: jail, ...more })

  it.skipIf(!isHere)('runs in the project folder and may write there', async () => {
    const found = await of('pwd; echo hello > made.txt; exit 3')
    expect(found).toMatchObject({ exitCode: 3, signal: null, stoppedBy: null, stderr: { text: '', cut: 0 } })
    expect(found.stdout.text).toBe(`${project.folder}\n`)
    expect(await readFile(path.join(project.folder, 'made.txt'), 'utf8')).toBe('hello\n')
  })

  it.skipIf(!isHere)('gets its words as they are, without a shell between', async () => {
    const words = ['printf', '%s|', 'a b', '$HOME', '*', '`id`', ';', 'é\nx', '']
    expect((await of(words)).stdout.text).toBe('a b|$HOME|*|`id`|;|é\nx||')
  })

  it.skipIf(!isHere)('leaves the processor to us first, with all that it starts', async () => {
    const nice = Math.min(19, getPriority() + 10)
    // At once or with the next look; one that never yields would not end.
    const child = `while [ "$(nice)" -lt ${nice} ]; do sleep 0.02; done; nice`
    expect((await of(`bash -c '${child}' & wait`)).stdout.text.trim()).toBe(String(nice))
  })

  it.skipIf(!isHere)('sees nothing of our environment', async () => {
    const environment = {
      ...process.env,
      THREADSMITH_CANARY: 'canary-7731',
      OPENAI_API_KEY: 'canary-7731',
      LD_PRELOAD: 'canary-7731.so',
      BASH_ENV: 'canary-7731',
      LC_ALL: 'C.UTF-8',
      LC_SECRET_KEY: '',
    }
    const found = await of('env; cat /proc/self/environ', { environment })
    expect(found.stdout.text).not.toContain('canary')
    const names = (await of(['env'], { environment })).stdout.text.split('\n').map((line) => line.split('=')[0])
    const expected = 'GIT_OPTIONAL_LOCKS GIT_PAGER GIT_TERMINAL_PROMPT HOME LC_ALL PAGER PATH TEMP TERM TMP TMPDIR TZ'
    const others = new Set(['PWD', '', ...(process.env.LANG ? ['LANG'] : [])])
    expect(names.filter((name = '') => !others.has(name)).sort()).toEqual(expected.split(' '))
  })

  it.skipIf(!isHere)('finds no program in the project by a bare name', async () => {
    await project.write({ 'bin/ls': '#!/bin/sh\necho mine\n' })
    const environment = { PATH: `${project.folder}/bin:.:/usr/bin:/bin` }
    expect((await of('chmod +x bin/ls; ls; echo $PATH', { environment })).stdout.text).toBe('bin\n/usr/bin:/bin\n')
  })

  it.skipIf(!isHere)('has a home and a temporary folder of its own, gone afterwards', async () => {
    const { stdout } = await of('echo $HOME; echo x > $HOME/x; mktemp; ls -A $HOME')
    const [home = '', temporary = '', listed] = stdout.text.split('\n')
    expect(listed).toBe('x')
    expect(home.startsWith(path.join(tmpdir(), 'threadsmith-run-'))).toBe(true)
    expect(path.dirname(temporary)).toBe(path.join(path.dirname(home), 'tmp'))
    await expect(access(path.dirname(home))).rejects.toThrow('ENOENT')
  })

  it.skipIf(!isHere)('gets the end of its input at once', async () => {
    expect(await of('read x; echo "end $?"')).toMatchObject({ stdout: { text: 'end 1\n' } })
    expect(await of(['cat'])).toMatchObject({ exitCode: 0, stdout: { text: '' } })
  })

  it.skipIf(!isHere)(
    'keeps the end of its output, and says how much is cut: one character over the limit',
    async () => {
      const print = (characters: number) =>
        `printf 'x%.0s' $(seq ${characters}); printf 'e%.0s' $(seq ${characters}) >&2`
      const whole = await of(print(limits.shellOutputCharacters))
      expect(whole.stdout).toEqual({ text: 'x'.repeat(limits.shellOutputCharacters), cut: 0 })
      const over = await of(print(limits.shellOutputCharacters + 1))
      expect(over.stdout).toEqual({ text: 'x'.repeat(limits.shellOutputCharacters), cut: 1 })
      expect(over.stderr).toEqual({ text: 'e'.repeat(limits.shellOutputCharacters), cut: 1 })
    },
  )

  it.skipIf(!isHere)('is ended when it writes without end', async () => {
    const found = await of(['yes'])
    expect(found.stoppedBy).toBe('output')
    expect(found.stdout.cut).toBeGreaterThan(limits.shellFloodCharacters - 10 * limits.shellOutputCharacters)
    const most = `head -c ${limits.shellFloodCharacters} /dev/zero`
    expect(await of(most)).toMatchObject({ stoppedBy: null, exitCode: 0 })
    expect((await of(`${most}; printf x`)).stoppedBy).toBe('output')
  })

  it.skipIf(!isHere)('shows no escape sequences and no control characters', async () => {
    const text =
      '\\e[31mred\\e[0m \\e]0;title\\a\\e]8;;http://x\\e\\\\link \\e[2J\\0nul\\b \\e[?25h\\xff a\\r\\nb \\u202e'
    const { stdout } = await of(`printf '${text}'`, { environment: { ...process.env, LC_ALL: 'C.UTF-8' } })
    expect(stdout.text).toBe('red link nul \ufffd a\nb ⟦U+202E⟧')
  })
})

describe.skipIf(bubblewrap === null)('in bubblewrap', () => {
  const of = (asked: string, more: object = {}) => run(asked, { folder: project.folder, bubblewrap, ...more })

  it('nothing but the project and the system is there', async () => {
    await writeFile(path.join(project.base, 'outside.txt'), 'secret')
    const { stdout, stderr } = await of(
      'cat ../outside.txt; ls -A .. /home /root; echo x > ../made.txt; ls /etc/shadow',
    )
    expect(stdout.text + stderr.text).not.toContain('secret')
    expect(stdout.text).toContain('project\n')
    expect(stderr.text).toContain('/etc/shadow')
    expect(await readdir(project.base)).toEqual(['outside.txt', 'project'])
  })

  it('the system is read-only, and there is no network', async () => {
    const { stdout } = await of(
      'touch /usr/x || echo read-only; cat /proc/net/dev | wc -l; ls /sys/class/net 2>&1 | head -1',
    )
    expect(stdout.text).toContain('read-only\n3\n')
  })

  it("the app's own data is empty there, also inside the project", async () => {
    const dataDir = path.join(project.folder, 'data')
    await mkdir(dataDir)
    await writeFile(path.join(dataDir, 'store.db'), 'secret')
    expect((await of('ls -A data; cat data/store.db', { dataDir })).stdout.text).toBe('')
    expect((await of('ls -A data')).stdout.text).toBe('store.db\n')
  })

  it('no other process is there', async () => {
    expect((await of('ls /proc | grep -c "^[0-9]"')).stdout.text.length).toBeLessThan(4)
  })
})

describe('what cannot be started', () => {
  it('is told so', async () => {
    const asked = run(['no-such-program'], { folder: project.folder })
    await expect(asked).rejects.toMatchObject({
      code: 'action.failed',
      message: expect.stringContaining('no such program'),
    })
  })

  it('leaves no folder behind', async () => {
    const before = await readdir(tmpdir())
    await run(['no-such-program'], { folder: project.folder }).catch(() => undefined)
    const made = (await readdir(tmpdir())).filter(
      (name) => name.startsWith('threadsmith-run-') && !before.includes(name),
    )
    expect(made).toEqual([])
  })
})
