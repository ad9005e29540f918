import { execFileSync } from 'node:child_process'
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PreflightContext } from '../../../../../core/capabilities/action.ts'
import { findBubblewrap } from '../../../../../core/capabilities/actions/shell/jail.ts'
import { shell } from '../../../../../core/capabilities/actions/shell.ts'
import { limits } from '../../../../../core/domain/limits.ts'
import { useProject } from '../project.ts'
import { bubblewrap } from './jails.ts'

const project = useProject()
const environment = { PATH: process.env.PATH }

function context(more: Partial<PreflightContext> = {}): PreflightContext {
  const { folder } = project
  const signal = new AbortController().signal
  return { projectId: 'p1', threadId: 't1', folder, dataDir: '/nowhere/data', signal, ...more }
}
const given = (command: string) => shell.parameters.parse({ command })
const review = (command: string, more: Partial<PreflightContext> = {}) => shell.review?.(given(command), context(more))
const preflight = (command: string) => shell.preflight?.(given(command), context())
const run = (command: string, more: object = {}) => project.run('shell', { command, ...more }, { environment })

describe('the arguments of shell', () => {
  it('hold a command of at most the limit', () => {
    const accepts = (command: string) => shell.parameters.safeParse({ command }).success
    expect(accepts('x'.repeat(limits.shellCommandCharacters))).toBe(true)
    expect(accepts('x'.repeat(limits.shellCommandCharacters + 1))).toBe(false)
    expect(accepts('x'.repeat(200_000))).toBe(false)
  })

  it.each(['', ' \n', 'ls\0', 'ls\x1b[2J', 'ls\r', 'ls \u009b', 'ls \ud800'])('do not hold %j', (command) => {
    expect(shell.parameters.safeParse({ command }).success).toBe(false)
  })

  it('run for 120 s by default, for 600 s at most, and the door waits longer than that', () => {
    const seconds = (timeout_seconds: number) => shell.parameters.safeParse({ command: 'ls', timeout_seconds }).success
    expect(given('ls').timeout_seconds * 1_000).toBe(limits.shellMs)
    expect(seconds(limits.shellMsCeiling / 1_000)).toBe(true)
    expect(seconds(limits.shellMsCeiling / 1_000 + 1)).toBe(false)
    expect(seconds(0)).toBe(false)
    expect(shell.timeoutMs?.(given('ls'))).toBeGreaterThan(limits.shellMs + limits.shellKillGraceMs)
  })
})

describe('before it runs', () => {
  it('reading inside the project asks nobody, other things ask, catastrophes are refused', async () => {
    await project.write({ 'a.txt': 'x' })
    expect(await review('cat a.txt')).toEqual({ verdict: 'allow', effects: ['ReadLocal'] })
    expect(await review('npm test')).toMatchObject({ verdict: 'ask', scopeKey: 'npm test' })
    expect(await review('ls | wc -l')).toMatchObject({ verdict: 'ask', scopeKey: null })
    expect(await review('rm -rf /')).toMatchObject({ verdict: 'deny', reason: expect.stringContaining('whole tree') })
    expect(await review(`rm -rf ${project.folder}`)).toMatchObject({ verdict: 'deny' })
    expect(await review(`rm -rf ${project.base}`)).toMatchObject({ verdict: 'deny' })
  })

  it('says what these very arguments may touch: in the jail there is no network to write to', async () => {
    const jailed = (await findBubblewrap()) !== null
    const all = ['ReadLocal', 'WriteLocal', 'ReadExternal', 'WriteExternal']
    expect(await review('npm test')).toMatchObject({ effects: jailed ? ['ReadLocal', 'WriteLocal'] : all })
  })

  it('a link that leads out of the project asks', async () => {
    await writeFile(path.join(project.base, 'outside.txt'), 'x')
    await mkdir(path.join(project.folder, 'sub'))
    await symlink('../outside.txt', path.join(project.folder, 'link'))
    await symlink('..', path.join(project.folder, 'up'))
    await symlink('sub', path.join(project.folder, 'inside'))
    await symlink('loop', path.join(project.folder, 'loop'))
    for (const command of ['cat link', 'ls up', 'cat up/outside.txt', 'grep --file=link x', 'cat loop']) {
      expect(await review(command)).toMatchObject({
        verdict: 'ask',
        scopeKey: null,
        reason: expect.stringContaining('is a link that leads out'),
      })
    }
    expect(await review('ls inside')).toEqual({ verdict: 'allow', effects: ['ReadLocal'] })
    expect((await preflight('cat link'))?.change).toMatchObject({
      concerns: [expect.stringContaining('leads out of the project folder')],
    })
  })

  it("the app's own data in the project asks", async () => {
    const dataDir = path.join(project.folder, 'data')
    await project.write({ 'data/store.db': 'x' })
    expect(await review('cat data/store.db', { dataDir })).toMatchObject({ verdict: 'ask', scopeKey: null })
    const whole = await review('grep -r x .', { dataDir })
    expect(whole).toMatchObject({ verdict: bubblewrap === null ? 'ask' : 'allow' })
  })

  it('a repository whose configuration names programs asks', async () => {
    expect(await review('git status')).toMatchObject({ verdict: 'ask', reason: expect.stringContaining('not the top') })
    const git = (...args: string[]) => execFileSync('git', args, { cwd: project.folder, stdio: 'pipe' })
    git('init', '--quiet', '--template=')
    expect(await review('git status')).toEqual({ verdict: 'allow', effects: ['ReadLocal'] })
    const settings = [
      ['core.fsmonitor', './x'],
      ['diff.external', './x'],
      ['diff.y.textconv', './x'],
      ['filter.y.clean', './x'],
      ['gpg.program', './x'],
      ['include.path', '../x'],
      ['pager.log', './x'],
      ['core.worktree', '/'],
    ] as const
    for (const [name, value] of settings) {
      git('config', name, value)
      const asked = { verdict: 'ask', scopeKey: null, reason: expect.stringContaining('can run programs') }
      expect(await review('git status')).toMatchObject(asked)
      git('config', '--unset', name)
      expect(await review('git status')).toEqual({ verdict: 'allow', effects: ['ReadLocal'] })
    }
    await writeFile(path.join(project.folder, '.git/config'), '[core] FSMonitor = ./x\n')
    expect(await review('git status')).toMatchObject({ verdict: 'ask' })
  })

  it('a repository that git would run something of asks: a hook, another repository in it, parts elsewhere', async () => {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: project.folder, stdio: 'pipe' })
    git('init', '--quiet', '--template=')
    await project.write({ 'a.txt': 'x' })
    git('add', 'a.txt')
    expect(await review('git diff')).toEqual({ verdict: 'allow', effects: ['ReadLocal'] })
    for (const file of [
      '.git/hooks/post-index-change',
      '.git/commondir',
      '.git/sharedindex.0',
      '.git/config.worktree',
    ]) {
      await project.write({ [file]: '#!/bin/sh\n' })
      expect(await review('git diff')).toMatchObject({ verdict: 'ask', scopeKey: null })
      await rm(path.join(project.folder, file))
    }
    expect(await review('git diff')).toEqual({ verdict: 'allow', effects: ['ReadLocal'] })
    git('init', '--quiet', 'sub')
    const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.org']
    git('-C', 'sub', ...author, 'commit', '--quiet', '--allow-empty', '-m', 'x')
    git('add', 'sub')
    expect(await review('git status')).toMatchObject({
      verdict: 'ask',
      reason: expect.stringContaining('repositories'),
    })
  })

  it('shows the command, its words, the folder, the jail and what is to be known', async () => {
    await project.write({ 'package.json': '{"scripts":{"pretest":"lint","test":"vitest run","other":"x"}}' })
    expect(await preflight('npm test')).toEqual({
      change: {
        kind: 'command',
        command: 'npm test',
        argv: ['npm', 'test'],
        folder: project.folder,
        jail: bubblewrap === null ? 'none' : 'bubblewrap',
        concerns: ['it runs the scripts of package.json: pretest: lint; test: vitest run'],
      },
      guard: null,
      undo: expect.stringContaining('cannot be put back'),
    })
    expect((await preflight('a > b; c'))?.change).toMatchObject({
      argv: null,
      concerns: ['it holds several commands', 'it holds a redirection'],
    })
  })

  it('a direction override is visible', async () => {
    const change = (await preflight('echo safe\u202eelif'))?.change
    expect(change).toMatchObject({ command: 'echo safe⟦U+202E⟧elif', argv: ['echo', 'safe⟦U+202E⟧elif'] })
    expect(await review('echo safe\u202eelif')).toMatchObject({ verdict: 'ask', scopeKey: null })
  })
})

describe('when it runs', () => {
  it('a command that fails is a value', async () => {
    expect(await run('ls nothing')).toEqual({
      exitCode: 2,
      signal: null,
      stdout: '',
      stderr: expect.stringContaining('nothing'),
      timedOut: false,
      cut: { stdout: 0, stderr: 0 },
      jail: bubblewrap === null ? 'none' : 'bubblewrap',
    })
  })

  it('a command that takes too long is a value that says so', async () => {
    const found = await run('echo begun; sleep 60', { timeout_seconds: 1 })
    expect(found).toMatchObject({ timedOut: true, stdout: 'begun\n', note: 'It was ended after 1 s.' })
  })

  it('the worst output still fits into a result, and the note says what is missing', async () => {
    const print = `head -c 90000 /dev/zero | tr '\\0' '"'; yes '' | head -n 20000`
    const found = await run(`${print}; (${print}) >&2`)
    expect(found.note).toMatch(/^The first \d+ characters of stdout are cut off; .* of stderr /)
  })

  it('a refused command does not run, whoever asks for it', async () => {
    await expect(run('sudo ls')).rejects.toMatchObject({ code: 'policy.denied' })
  })

  it('the clock is the person’s', async () => {
    expect(await run('date +%Z')).toMatchObject({ stdout: expect.stringMatching(/^CES?T\n$/) })
  })

  it('a project folder that is gone is an error', async () => {
    await expect(project.run('shell', { command: 'ls' }, { folder: '/nowhere' })).rejects.toMatchObject({
      code: 'project.missing',
    })
  })
})
