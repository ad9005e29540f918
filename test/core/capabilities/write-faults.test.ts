import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, rename, symlink } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { publish } from '../../../core/capabilities/publish.ts'
import { withTarget } from '../../../core/capabilities/write-paths.ts'
import { useProject } from './actions/project.ts'

const project = useProject()
const at = (name: string) => path.join(project.folder, name)
const text = (name: string) => readFile(at(name), 'utf8')
const moduleOf = (name: string) =>
  JSON.stringify(path.resolve(import.meta.dirname, `../../../core/capabilities/${name}.ts`))

/** A process of its own that writes a.txt over and over, or once. */
function writer(lines: string): string {
  return `
    import { publish } from ${moduleOf('publish')}
    import { withTarget } from ${moduleOf('write-paths')}
    const root = { folder: process.argv[1], dataDir: '/nowhere' }
    const asked = { path: 'a.txt', kind: 'file', makesFolders: false }
    const write = (bytes) => withTarget(root, asked, (target) => publish(target, bytes))
    ${lines}`
}

/** So that a writer that does not start is seen at once. */
async function diedEarly(child: ChildProcess): Promise<void> {
  const [code] = await once(child, 'exit')
  if (code !== null) expect.fail(`it ended with ${code}`)
}

describe('a write that fails half-way', { timeout: 60_000 }, () => {
  it('on a full disk leaves the old file whole, and nothing beside it', async () => {
    await project.write({ 'a.txt': 'old' })
    const script = writer(`
      await write(Buffer.alloc(1_000_000, 'x')).then(
        () => console.log('written'),
        (error) => console.log(error.code, error.message),
      )`)
    // The system stops this process at 64 kB a file: the nearest thing to a full disk that needs no disk.
    const limited = `trap '' XFSZ; ulimit -f 64; exec "$0" --input-type=module -e "$1" "$2"`
    const said = execFileSync('bash', ['-c', limited, process.execPath, script, project.folder], { encoding: 'utf8' })
    expect(said.trim()).toBe('action.failed "a.txt" does not fit: the disk takes no file of that size')
    expect(await text('a.txt')).toBe('old')
    expect(await readdir(project.folder)).toEqual(['a.txt'])
  })

  it('because it is killed leaves the old file or the new one, and the next write clears what is left', async () => {
    const sizes = [300_000, 600_000]
    await project.write({ 'a.txt': 'a'.repeat(300_000) })
    const script = writer(`
      console.log('ready')
      for (;;) {
        await write(Buffer.alloc(600_000, 'b'))
        await write(Buffer.alloc(300_000, 'a'))
      }`)
    for (let kill = 0; kill < 5; kill += 1) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script, project.folder])
      await Promise.race([once(child.stdout, 'data'), diedEarly(child)])
      await new Promise((resolve) => setTimeout(resolve, 3 + kill * 5))
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
      const found = await text('a.txt')
      expect(sizes).toContain(found.length)
      expect(found === found.charAt(0).repeat(found.length)).toBe(true)
    }
    await project.run('write_file', { path: 'a.txt', content: 'end', overwrite: true })
    expect(await readdir(project.folder)).toEqual(['a.txt'])
  })
})

it('a folder that is carried out of the project while it is held is not written to', async () => {
  await project.write({ 'docs/a.txt': 'one' })
  const away = path.join(project.base, 'away')
  const root = { folder: project.folder, dataDir: path.join(project.base, 'data') }
  const asked = { path: 'docs/a.txt', kind: 'file', makesFolders: false } as const
  const writing = withTarget(root, asked, async (target) => {
    await rename(at('docs'), away)
    return publish(target, Buffer.from('escaped'))
  })
  await expect(writing).rejects.toMatchObject({ code: 'action.outside' })
  expect(await readdir(away)).toEqual(['a.txt'])
  expect(await readFile(path.join(away, 'a.txt'), 'utf8')).toBe('one')
})

describe('where the system gives no name to an open folder', () => {
  const platform = Object.getOwnPropertyDescriptor(process, 'platform') ?? {}
  const pretend = (value: string) => {
    // The store's own library is chosen by the platform too.
    expect(project.bin.store.needsCheck).toBe(false)
    Object.defineProperty(process, 'platform', { ...platform, value })
  }
  afterEach(() => Object.defineProperty(process, 'platform', platform))

  it('files are written, moved, deleted and put back all the same', async () => {
    pretend('darwin')
    await project.run('write_file', { path: 'x/a.txt', content: 'one' })
    await project.run('patch_file', { path: 'x/a.txt', edits: [{ find: 'one', replace: 'two' }] }, { callKey: '2' })
    await project.run('move', { from: 'x', to: 'y' }, { callKey: '3' })
    await project.run('delete', { path: 'y' }, { callKey: '4' })
    expect(await readdir(project.folder)).toEqual([])
    for (const { id } of [...project.bin.trash.list({ threadId: 't1' })].reverse()) await project.bin.trash.restore(id)
    expect(await readdir(at('x'))).toEqual([])
  })

  it('a folder that was swapped for a link is seen before anything is written', async () => {
    pretend('darwin')
    const outside = path.join(project.base, 'outside')
    await mkdir(outside)
    await project.write({ 'docs/a.txt': 'one' })
    const asked = { path: 'docs/new.txt', kind: 'file', makesFolders: false } as const
    const root = { folder: project.folder, dataDir: path.join(project.base, 'data') }
    const swapped = withTarget(root, asked, async ({ folder }) => {
      await rename(at('docs'), at('kept'))
      await symlink(outside, at('docs'))
      await folder.check()
    })
    await expect(swapped).rejects.toMatchObject({ code: 'action.outside' })
    expect(await readdir(outside)).toEqual([])
  })

  it.each(['CON', 'nul.txt', 'docs/COM1', 'a:stream', 'trailing.', 'trailing ', 'x/aux.md'])(
    'on Windows %j is not written',
    async (given) => {
      pretend('win32')
      await expect(project.run('write_file', { path: given, content: 'x' })).rejects.toMatchObject({
        code: 'action.args',
        message: expect.stringContaining('Windows reserves'),
      })
      expect(await readdir(project.folder)).toEqual([])
    },
  )
})
