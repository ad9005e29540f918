import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const repository = path.resolve(import.meta.dirname, '../../..')

/**
 * A checkout with the real setup script and stand-ins for what it calls: `npm ci` makes the stand-ins of vite and node,
 * `vite build` makes a dist, and each of them writes its name into `ran`.
 */
let root = ''
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'checkout-'))
  cpSync(path.join(repository, 'electron/runtime'), path.join(root, 'electron/runtime'), { recursive: true })
  for (const folder of ['core', 'renderer', 'tools']) mkdirSync(path.join(root, folder))
  write('core/cli.ts', '')
  write('package-lock.json', '{}')
  write('vite.config.ts', '')
  const node = `#!/bin/sh\necho "cli: $*"\npwd\nexit 7`
  program('tools/npm', [
    'echo npm-ci >> "$RAN"',
    'echo noise on stdout',
    'mkdir -p node_modules/.bin',
    `cp "${root}/tools/vite" node_modules/.bin/vite`,
    `printf '%s' '${node}' > node_modules/.bin/node && chmod +x node_modules/.bin/node`,
  ])
  program('tools/vite', ['echo vite-build >> "$RAN"', 'echo noise on stdout', 'mkdir -p dist'])
})
afterEach(() => rmSync(root, { recursive: true }))

function write(file: string, text: string): void {
  writeFileSync(path.join(root, file), text)
}
function program(file: string, lines: readonly string[]): void {
  write(file, ['#!/bin/sh', ...lines, ''].join('\n'))
  chmodSync(path.join(root, file), 0o755)
}
function setup(args: readonly string[], env: Record<string, string> = {}) {
  const ran = path.join(root, 'ran')
  rmSync(ran, { force: true })
  const PATH = `${path.join(root, 'tools')}:${process.env.PATH ?? ''}`
  const result = spawnSync(process.execPath, [path.join(root, 'electron/runtime/setup.mjs'), ...args], {
    encoding: 'utf8',
    cwd: root,
    env: { PATH, RAN: ran, HOME: root, INIT_CWD: path.join(root, 'core'), ...env },
  })
  return { ...result, ran: existsSync(ran) ? readFileSync(ran, 'utf8').trim().split('\n') : [] }
}

describe.runIf(process.platform === 'linux' && process.arch === 'x64')('setting up', () => {
  it('installs and builds at first, and nothing the second time', () => {
    expect(setup(['cli']).ran).toEqual(['npm-ci', 'vite-build'])
    expect(setup(['cli']).ran).toEqual([])
  })

  it('builds again when a source was changed, added or removed', () => {
    setup(['cli'])
    write('core/cli.ts', '// changed')
    expect(setup(['cli']).ran).toEqual(['vite-build'])
    write('renderer/new.tsx', '')
    expect(setup(['cli']).ran).toEqual(['vite-build'])
    rmSync(path.join(root, 'renderer/new.tsx'))
    expect(setup(['cli']).ran).toEqual(['vite-build'])
  })

  it('does not build for content that is read from disk', () => {
    setup(['cli'])
    write('core/default.py', 'x = 1')
    expect(setup(['cli']).ran).toEqual([])
  })

  it('installs again when the lock was changed', () => {
    setup(['cli'])
    appendFileSync(path.join(root, 'package-lock.json'), '\n')
    expect(setup(['cli']).ran).toEqual(['npm-ci', 'vite-build'])
  })

  it('empties no folder that node_modules is a link to', () => {
    const other = path.join(root, 'other')
    mkdirSync(other)
    symlinkSync(other, path.join(root, 'node_modules'))
    const { status, stderr, ran } = setup(['cli'])
    expect([status, ran]).toEqual([1, []])
    expect(stderr).toContain('node_modules is a link')
  })

  it('keeps stdout for the command, runs it where the person is, and passes its exit code on', () => {
    const { stdout, status } = setup(['cli', 'run', 'a goal'])
    expect(stdout).toBe(`cli: ${path.join(root, 'dist/main/cli.js')} run a goal\n${path.join(root, 'core')}\n`)
    expect(status).toBe(7)
  })

  it('a failed step names its command and leaves no stamp behind', () => {
    program('tools/npm', ['echo npm-ci >> "$RAN"', 'exit 3'])
    const { stderr, status } = setup(['cli'])
    expect(stderr).toContain('this failed: npm ci')
    expect(status).toBe(1)
    expect(setup(['cli']).ran).toEqual(['npm-ci'])
  })

  it('a set-up that was killed half-way stops nobody: the next one does its work', () => {
    program('tools/vite', ['kill -9 $PPID'])
    expect(setup(['cli']).signal).toBe('SIGKILL')
    program('node_modules/.bin/vite', ['echo vite-build >> "$RAN"', 'mkdir -p dist'])
    expect(setup(['cli']).ran).toEqual(['vite-build'])
  })

  it('without a display it says so and names xvfb-run', () => {
    const { stderr, status } = setup(['start'])
    expect(stderr).toContain('there is no display here. Run: xvfb-run -a npm start')
    expect(status).toBe(1)
  })

  it('an unknown command is a usage error', () => {
    expect(setup(['strat']).stderr).toContain('usage: setup.mjs start|test|dev|cli|learn|bench|kill|faults')
  })
})
