import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { createAutostart, createSystemLogin } from '../../electron/login-item.ts'

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
  })
  expect(item.set(true)).toEqual({ isOn: false, note: null })
})
