import { expect, it } from 'vitest'
import { hasLibrary } from './support.ts'

const isPinnedHere = process.platform === 'linux' && process.arch === 'x64'

it.runIf(isPinnedHere)('the library that runs models is installed here: its tests are not skipped', () => {
  expect(hasLibrary).toBe(true)
})
