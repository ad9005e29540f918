import { expect, it } from 'vitest'
import { missingPackages } from '../../../electron/runtime/system-libraries.mjs'

const complete = ['libgtk-3.so.0', 'libnss3.so', 'libasound.so.2', 'libgbm.so.1']
  .map((library) => `\t${library} (libc6,x86-64) => /lib/x86_64-linux-gnu/${library}`)
  .join('\n')

it('a complete system lacks nothing', () => {
  expect(missingPackages({ linkerList: complete, withXvfb: true, hasXvfb: true })).toEqual([])
})

it('each library that the linker does not know names its Debian package', () => {
  expect(missingPackages({ linkerList: '', withXvfb: false, hasXvfb: false })).toEqual([
    'libgtk-3-0',
    'libnss3',
    'libasound2',
    'libgbm1',
  ])
})

it('a virtual display is asked for only where one is needed', () => {
  expect(missingPackages({ linkerList: complete, withXvfb: true, hasXvfb: false })).toEqual(['xvfb', 'xauth'])
  expect(missingPackages({ linkerList: complete, withXvfb: false, hasXvfb: false })).toEqual([])
})
