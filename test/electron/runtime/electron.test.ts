import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Machine, resolveElectron } from '../../../electron/runtime/electron.mjs'

let cache = ''
beforeEach(() => {
  cache = mkdtempSync(path.join(tmpdir(), 'electron-cache-'))
})
afterEach(() => rmSync(cache, { recursive: true }))

/** A Linux machine that can reach nothing; `downloads` and `said` record what was tried and told. */
function offlineMachine(more: Partial<Machine> = {}) {
  const record = { downloads: 0, made: 0, said: [] as string[] }
  const machine: Machine = {
    env: {},
    target: 'linux-x64',
    today: '2026-01-10',
    cache,
    officialVersion: '45.5.0',
    officialExecutable: () => undefined,
    downloadOfficial: async () => {
      record.downloads += 1
      throw new Error('fetch failed')
    },
    hasFallback: () => record.made > 0,
    makeFallback: () => {
      record.made += 1
    },
    say: (text) => record.said.push(text),
    ...more,
  }
  return { machine, record }
}

describe('finding an Electron', () => {
  it('takes the official one that is there, without a word or a download', async () => {
    const { machine, record } = offlineMachine({ officialExecutable: () => '/e/electron' })
    expect(await resolveElectron(machine)).toEqual({
      executable: '/e/electron',
      version: '45.5.0',
      source: 'official',
      env: {},
    })
    expect(record).toEqual({ downloads: 0, made: 0, said: [] })
  })

  it('downloads the official one where it can', async () => {
    let executable: string | undefined
    const { machine } = offlineMachine({
      officialExecutable: () => executable,
      downloadOfficial: async () => {
        executable = '/e/electron'
      },
    })
    expect((await resolveElectron(machine)).source).toBe('official')
  })

  it('says in one line that the fallback is used, and makes it once', async () => {
    const { machine, record } = offlineMachine()
    const found = await resolveElectron(machine)
    expect(found.source).toBe('fallback')
    expect(found.env).toEqual({ ELECTRON_OVERRIDE_DIST_PATH: path.dirname(found.executable) })
    expect(record.said.filter((line) => line.includes('using Electron 33.2.1'))).toHaveLength(1)
    await resolveElectron(machine)
    expect(record.made).toBe(1)
  })

  it('tries the official download once a day, and again the next day', async () => {
    const { machine, record } = offlineMachine()
    await resolveElectron(machine)
    await resolveElectron(machine)
    expect(record.downloads).toBe(1)
    await resolveElectron({ ...machine, today: '2026-01-11' })
    expect(record.downloads).toBe(2)
  })

  it('tries again on the same day when another version is wanted', async () => {
    const { machine, record } = offlineMachine()
    await resolveElectron(machine)
    await resolveElectron({ ...machine, officialVersion: '45.6.0' })
    expect(record.downloads).toBe(2)
  })

  it('tries again on the same day while there is no fallback either', async () => {
    const { machine, record } = offlineMachine({
      makeFallback: () => {
        throw new Error('registry not reached')
      },
    })
    await expect(resolveElectron(machine)).rejects.toThrow('registry not reached')
    await expect(resolveElectron(machine)).rejects.toThrow('registry not reached')
    expect(record.downloads).toBe(2)
  })

  it.each(['darwin-arm64', 'win32-x64', 'linux-arm64'])('has no fallback on %s: the reason is told', async (target) => {
    const { machine } = offlineMachine({ target })
    await expect(resolveElectron(machine)).rejects.toThrow('Electron 45.5.0 could not be downloaded: fetch failed')
  })

  it('obeys THREADSMITH_ELECTRON', async () => {
    const official = offlineMachine({ env: { THREADSMITH_ELECTRON: 'official' } })
    await expect(resolveElectron(official.machine)).rejects.toThrow('could not be downloaded')
    const fallback = offlineMachine({
      env: { THREADSMITH_ELECTRON: 'fallback' },
      officialExecutable: () => '/e/electron',
    })
    expect((await resolveElectron(fallback.machine)).source).toBe('fallback')
    expect(fallback.record.downloads).toBe(0)
  })

  it('uses the folder that ELECTRON_OVERRIDE_DIST_PATH names', async () => {
    const { machine } = offlineMachine({ env: { ELECTRON_OVERRIDE_DIST_PATH: '/mine' } })
    expect(await resolveElectron(machine)).toMatchObject({ executable: '/mine/electron', source: 'override' })
  })
})
