import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAppHandler, fileOf } from '../../electron/protocol.ts'

describe('which file an app:// address names', () => {
  it.each([
    ['app://threadsmith/', 'index.html'],
    ['app://threadsmith', 'index.html'],
    ['app://threadsmith/index.html', 'index.html'],
    ['app://threadsmith/index.html#/threads', 'index.html'],
    ['app://threadsmith/index.html?theme=dark', 'index.html'],
    ['app://threadsmith/assets/index-1a2b.js', 'assets/index-1a2b.js'],
    ['app://threadsmith/assets/inter%20latin.woff2', 'assets/inter latin.woff2'],
  ])('%s → %s', (address, file) => {
    expect(fileOf(address, '/app')).toBe(path.join('/app', file))
  })

  it.each([
    'app://elsewhere/index.html',
    'app://threadsmith.example.com/index.html',
    'app://user@elsewhere/index.html',
    'file:///etc/hosts.html',
    'https://threadsmith/index.html',
    'app://threadsmith/..%2fsecret.json',
    'app://threadsmith/%2e%2e%2f%2e%2e%2fsecret.json',
    'app://threadsmith/assets/..%5c..%5csecret.json',
    'app://threadsmith/assets\\..\\secret.json'.replaceAll('\\', '%5C'),
    'app://threadsmith/C:%5Csecret.json',
    'app://threadsmith/C:/secret.json',
    'app://threadsmith/index.html%00.js',
    'app://threadsmith/%E0%A4%A',
    'app://threadsmith/threadsmith.db',
    'app://threadsmith/assets',
    'not an address',
  ])('%s names nothing', (address) => {
    expect(fileOf(address, '/app')).toBeNull()
  })

  it.each(['app://threadsmith/../secret.json', 'app://threadsmith/a/%2e%2e/%2E%2e/secret.json'])(
    '%s is folded by its address and stays inside',
    (address) => {
      expect(fileOf(address, '/app')).toBe(path.join('/app', 'secret.json'))
    },
  )
})

describe('answering app:// requests', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'renderer-'))
    mkdirSync(path.join(folder, 'dist/folder.js'), { recursive: true })
    writeFileSync(path.join(folder, 'dist/index.html'), '<h1>Threadsmith</h1>')
    writeFileSync(path.join(folder, 'secret.json'), '{}')
    symlinkSync(path.join(folder, 'secret.json'), path.join(folder, 'dist/link.json'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))
  const ask = (address: string, init: RequestInit = {}) =>
    createAppHandler(path.join(folder, 'dist'))(new Request(address, init))

  it('sends a page with its type and a policy that allows its own files only', async () => {
    const response = await ask('app://threadsmith/')
    expect(await response.text()).toBe('<h1>Threadsmith</h1>')
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = response.headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';")
    expect(policy).not.toMatch(/unsafe|\*|https?:/)
  })

  it.each([
    ['a file that is not there', 'app://threadsmith/nothing.js', {}, 404],
    ['a folder with the name of a file', 'app://threadsmith/folder.js', {}, 404],
    ['a link that leads out of the folder', 'app://threadsmith/link.json', {}, 404],
    ['a file beside the folder', 'app://threadsmith/..%2fsecret.json', {}, 404],
    ['a form that is sent', 'app://threadsmith/', { method: 'POST', body: 'x' }, 405],
  ])('refuses %s', async (_name, address, init, status) => {
    const response = await ask(address, init)
    expect(response.status).toBe(status)
    expect(await response.text()).toBe('')
  })
})
