import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { placeWindow, readPlace, smallest, type WindowPlace, writePlace } from '../../electron/window-place.ts'

const laptop = { x: 0, y: 25, width: 1_440, height: 875 }
const monitor = { x: 1_440, y: 0, width: 2_560, height: 1_440 }
const usual = { x: 60, y: 33, width: 1_320, height: 860 }

describe('where the window opens', () => {
  it.each([
    ['at first in the middle of the first screen', undefined, [laptop, monitor], usual],
    [
      'where it was',
      { x: 1_500, y: 100, width: 1_600, height: 900 },
      [laptop, monitor],
      { x: 1_500, y: 100, width: 1_600, height: 900 },
    ],
    ['on the first screen when its own is gone', { x: 1_500, y: 100, width: 1_600, height: 900 }, [laptop], usual],
    [
      'no larger than the screen',
      { x: 0, y: 25, width: 2_000, height: 1_200 },
      [laptop],
      { x: 0, y: 25, width: 1_440, height: 875 },
    ],
    ['no smaller than it can be used', { x: 0, y: 25, width: 10, height: 10 }, [laptop], usual],
    [
      'with its title bar on the screen',
      { x: 0, y: -20, width: 900, height: 700 },
      [laptop],
      { x: 0, y: 25, width: 900, height: 700 },
    ],
    ['anew when its title bar was above every screen', { x: 0, y: -700, width: 900, height: 700 }, [laptop], usual],
  ])('%s', (_name, saved, screens, expected) => {
    expect(placeWindow(saved, screens)).toEqual(expected)
  })

  it('on a screen smaller than the smallest window fills it', () => {
    const tiny = { x: 0, y: 0, width: smallest.width - 40, height: smallest.height - 60 }
    expect(placeWindow(undefined, [tiny])).toEqual(tiny)
  })
})

it('a place is remembered; a file that cannot be read is no place', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'place-'))
  const file = path.join(folder, 'window.json')
  const place: WindowPlace = { x: 1, y: 2, width: 900, height: 700, isMaximized: true, theme: 'dark' }
  expect(readPlace(file)).toBeUndefined()
  writePlace(file, place)
  expect(readPlace(file)).toEqual(place)
  for (const text of ['', '{', '[]', '{"x":"left"}']) {
    writeFileSync(file, text)
    expect(readPlace(file)).toBeUndefined()
  }
  rmSync(folder, { recursive: true })
})
