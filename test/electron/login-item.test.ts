import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { createAutostart, createSystemLogin, dataDirIn, startAgain } from '../../electron/login-item.ts'

function autostart(command: readonly string[] = ['/opt/threadsmith', '--hidden']) {
  const folder = path.join(fs.mkdtempSync(path.join(tmpdir(), 'threadsmith-login-')), 'autostart')
  return { folder, file: path.join(folder, 'threadsmith.desktop'), item: createAutostart({ folder, command }) }
}

it('on Linux the switch writes the autostart file and removes it; what is shown is what is there', () => {
  const { file, item } = autostart()
  expect(item.read()).toEqual({ isOn: false, note: null })
  expect(item.set(true)).toEqual({ isOn: true, note: null })
  expect(fs.readFileSync(file, 'utf8').split('\n')).toContain('Exec="/opt/threadsmith" "--hidden"')
  expect(item.set(false)).toEqual({ isOn: false, note: null })
  expect(fs.existsSync(file)).toBe(false)
  expect(item.set(false)).toEqual({ isOn: false, note: null })
})

it.each(['Hidden=true', 'X-GNOME-Autostart-enabled=false'])(
  'a file that the desktop has switched off by %s is off',
  (line) => {
    const { file, item } = autostart()
    item.set(true)
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('X-GNOME-Autostart-enabled=true', line))
    expect(item.read().isOn).toBe(false)
  },
)

it('a file of another copy is on, and that is said; switching it on makes it this one', () => {
  const { folder, item } = autostart()
  item.set(true)
  const other = createAutostart({ folder, command: ['/elsewhere/threadsmith'] })
  expect(other.read()).toEqual({ isOn: true, note: 'It starts another copy of Threadsmith.' })
  expect(other.set(true)).toEqual({ isOn: true, note: null })
})

it('the signs of a path that mean something in a desktop file are escaped', () => {
  const { file, item } = autostart(['/home/m ara/100%/a"b$c'])
  item.set(true)
  expect(fs.readFileSync(file, 'utf8')).toContain('Exec="/home/m ara/100%%/a\\\\"b\\\\$c"\n')
})

it('where the folder cannot be written the error says that nothing changed', () => {
  const { folder } = autostart()
  fs.mkdirSync(path.dirname(folder), { recursive: true })
  fs.writeFileSync(folder, 'no folder')
  const item = createAutostart({ folder, command: ['/opt/threadsmith'] })
  expect(() => item.set(true)).toThrow(expect.objectContaining({ code: 'store.io' }))
})

it('elsewhere the system keeps it, and is asked again after each change', () => {
  let isOn = false
  const item = createSystemLogin({
    get: () => isOn,
    // The person may have forbidden it in the system's own settings.
    set: () => {
      isOn = false
    },
    note: null,
  })
  expect(item.set(true)).toEqual({ isOn: false, note: null })
})

it('what is not as one would think is said while it is on', () => {
  let isOn = false
  const set = (next: boolean) => {
    isOn = next
  }
  const item = createSystemLogin({ get: () => isOn, set, note: 'It starts with the usual data folder.' })
  expect(item.read().note).toBeNull()
  expect(item.set(true).note).toBe('It starts with the usual data folder.')
})

describe('what starts the app again', () => {
  const started = { executable: '/opt/electron', argv: ['/opt/electron', '/src'], appDir: '/src', dataDir: null }

  it('is this executable with the app, hidden; a packaged one holds the app', () => {
    expect(startAgain(started)).toEqual(['/opt/electron', '/src', '--hidden'])
    expect(startAgain({ ...started, appDir: null })).toEqual(['/opt/electron', '--hidden'])
  })

  it("is without Chromium's sandbox only where that was switched off, or it could not start", () => {
    const argv = ['/opt/electron', '--no-sandbox', '/src', '--open=#/missions/mis_1', '--inspect=0']
    expect(startAgain({ ...started, argv })).toEqual(['/opt/electron', '--no-sandbox', '/src', '--hidden'])
  })

  it('names the data folder where it is another than the usual one, and the app reads it there', () => {
    const again = startAgain({ ...started, dataDir: '/home/mara/my data' })
    expect(again).toEqual(['/opt/electron', '/src', '--data=/home/mara/my data', '--hidden'])
    expect(dataDirIn(again)).toBe('/home/mara/my data')
  })

  it.each([[[]], [['--data=']], [['--data', '/x']]])('%j names no data folder', (argv) => {
    expect(dataDirIn(argv)).toBeNull()
  })
})
