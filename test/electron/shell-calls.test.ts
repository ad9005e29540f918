import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ShellState } from '../../core/domain/shell.ts'
import { createShellCalls, type Desktop } from '../../electron/shell-calls.ts'

function open() {
  const done: unknown[] = []
  const desktop: Desktop = {
    pickFolder: async () => '/home/mara/saltmarsh',
    pickFile: async () => '/home/mara/qwen.gguf',
    pickSkillFile: async () => '/home/mara/tides.zip',
    showFile: (path) => void done.push(['show', path]),
    openExternal: async (url) => void done.push(['open', url]),
    openFolder: async (folder) => void done.push(['folder', folder]),
    copyText: (text) => void done.push(['copy', text]),
    state: () => ({
      login: { isOn: false, note: null },
      tray: { isUsual: false, isShown: false, isFailed: false },
      keepsRunning: false,
    }),
    setLogin: (isOn) => void done.push(['login', isOn]),
    quit: () => void done.push(['quit']),
  }
  const ready: ShellState = { phase: 'ready' }
  const host = {
    state: () => ready,
    start: async () => ready,
    restore: async (path: string) => {
      done.push(['restore', path])
      return ready
    },
    startFresh: async () => ready,
    stopOwner: async () => undefined,
  }
  const isNamed = (file: string) => file === '/home/mara/tides/SKILL.md'
  const skills = path.join(mkdtempSync(path.join(tmpdir(), 'threadsmith-shell-')), '.agents/skills')
  return { done, skills, call: createShellCalls(desktop, host, { data: '/data', skills, isNamed }) }
}

describe('what only the desktop can do', () => {
  it('answers each call of the contract', async () => {
    const { call, done } = open()
    expect(await call('shell.pickFolder', {})).toEqual({ folder: '/home/mara/saltmarsh' })
    expect(await call('shell.pickFile', {})).toEqual({ file: '/home/mara/qwen.gguf' })
    expect(await call('shell.pickSkillFile', {})).toEqual({ file: '/home/mara/tides.zip' })
    await call('shell.showFile', { path: '/home/mara/tides/SKILL.md' })
    expect(await call('shell.state', {})).toEqual({ phase: 'ready' })
    await call('shell.openDataFolder', {})
    await call('shell.copyText', { text: 'abc' })
    await call('shell.restoreBackup', { path: '/data/backups/1.db' })
    expect(await call('shell.desktop', {})).toMatchObject({ tray: { isUsual: false }, keepsRunning: false })
    await call('shell.setLogin', { isOn: true })
    await call('shell.quit', {})
    expect(done).toEqual([
      ['show', '/home/mara/tides/SKILL.md'],
      ...[['folder', '/data'], ['copy', 'abc'], ['restore', '/data/backups/1.db'], ['login', true], ['quit']],
    ])
  })

  it("makes the folder of a person's own skills where there is none, and opens it", async () => {
    const { call, done, skills } = open()
    expect(existsSync(skills)).toBe(false)
    await call('shell.openSkillsFolder', {})
    expect(existsSync(skills)).toBe(true)
    expect(done).toEqual([['folder', skills]])
  })

  it.each([
    ['https://example.com/a?b=c', true],
    ['http://127.0.0.1:11434/', true],
    ['mailto:mara@example.com', true],
    ['file:///etc/passwd', false],
    ['javascript:alert(1)', false],
    ['smb://host/share', false],
    ['vscode://file/etc/passwd', false],
    ['/etc/passwd', false],
    ['', false],
  ])('opens %s outside: %s', async (url, opened) => {
    const { call, done } = open()
    expect(await call('shell.openExternal', { url })).toEqual({ opened })
    expect(done).toEqual(opened ? [['open', url]] : [])
  })

  it.each([
    ['shell.copyText', { text: 42 }, 'api.input'],
    ['shell.copyText', {}, 'api.input'],
    ['shell.showFile', { path: '' }, 'api.input'],
    ['shell.showFile', { path: '/home/mara/.ssh/id_ed25519' }, 'api.input'],
    ['shell.state', { more: true }, 'api.input'],
    ['shell.format', {}, 'api.unknown'],
    ['shell.constructor', {}, 'api.unknown'],
  ])('refuses %s %j with %s', async (name, input, code) => {
    const { call, done } = open()
    await expect(call(name, input)).rejects.toMatchObject({ code })
    expect(done).toEqual([])
  })
})
