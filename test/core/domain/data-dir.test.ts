import { expect, it } from 'vitest'
import { dataDir } from '../../../core/domain/data-dir.ts'

it.each([
  ['linux', { HOME: '/home/mara' }, '/home/mara/.config/threadsmith'],
  ['linux', { HOME: '/home/mara', XDG_CONFIG_HOME: '/etc/xdg-mara' }, '/etc/xdg-mara/threadsmith'],
  ['linux', { HOME: '/home/mara', XDG_CONFIG_HOME: '' }, '/home/mara/.config/threadsmith'],
  ['linux', { HOME: '/home/mara', XDG_CONFIG_HOME: 'relative' }, '/home/mara/.config/threadsmith'],
  ['freebsd', { HOME: '/home/mara' }, '/home/mara/.config/threadsmith'],
  ['darwin', { HOME: '/Users/mara' }, '/Users/mara/Library/Application Support/Threadsmith'],
  ['darwin', { HOME: '/Users/mara', XDG_CONFIG_HOME: '/x' }, '/Users/mara/Library/Application Support/Threadsmith'],
  ['win32', { APPDATA: 'C:\\Users\\mara\\AppData\\Roaming' }, 'C:\\Users\\mara\\AppData\\Roaming\\Threadsmith'],
  ['win32', { USERPROFILE: 'C:\\Users\\mara' }, 'C:\\Users\\mara\\AppData\\Roaming\\Threadsmith'],
  ['linux', { HOME: '/home/mara', THREADSMITH_HOME: '/data/ts' }, '/data/ts'],
])('on %s with %j the data is in %s', (platform, env, expected) => {
  expect(dataDir(platform, env)).toBe(expected)
})
