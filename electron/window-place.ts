import fs from 'node:fs'
import { z } from 'zod'
import { settingsSchema } from '../core/domain/settings.ts'

const placeSchema = z.strictObject({
  x: z.number().int(),
  y: z.number().int(),
  width: z.number().int().positive(),
  height: z.number().int().positive(),
  isMaximized: z.boolean(),
  theme: settingsSchema.shape.theme,
})
/** What a window remembers: its place in screen pixels, and the theme, so that the next one starts in the right colour. */
export type WindowPlace = z.infer<typeof placeSchema>

export interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export const smallest = { width: 840, height: 560 } as const
const usual = { width: 1_320, height: 860 } as const
/** So much of a window must be on a screen that a person can catch it. */
const visiblePixels = 80

/** The remembered place; undefined when there is none or it cannot be read, which costs nothing but the place. */
export function readPlace(file: string): WindowPlace | undefined {
  if (!fs.existsSync(file)) return undefined
  try {
    return placeSchema.parse(JSON.parse(fs.readFileSync(file, 'utf8')))
  } catch {
    return undefined
  }
}

export function writePlace(file: string, place: WindowPlace): void {
  fs.writeFileSync(`${file}.new`, JSON.stringify(place))
  fs.renameSync(`${file}.new`, file)
}

/** Where to open: as remembered if that is still on a screen, else the usual size in the middle of the first one. */
export function placeWindow(saved: Area | undefined, screens: readonly Area[]): Area {
  const [first = { x: 0, y: 0, ...usual }] = screens
  const screen = saved && screens.find((each) => showsEnough(saved, each))
  if (saved && screen) {
    const { width, height } = fit(saved, screen)
    return { x: saved.x, y: Math.max(saved.y, screen.y), width, height }
  }
  const { width, height } = fit(usual, first)
  return {
    x: first.x + Math.round((first.width - width) / 2),
    y: first.y + Math.round((first.height - height) / 2),
    width,
    height,
  }
}

function fit(wanted: Pick<Area, 'width' | 'height'>, screen: Area) {
  return {
    width: Math.min(Math.max(wanted.width, smallest.width), screen.width),
    height: Math.min(Math.max(wanted.height, smallest.height), screen.height),
  }
}
function showsEnough(window: Area, screen: Area): boolean {
  const width = Math.min(window.x + window.width, screen.x + screen.width) - Math.max(window.x, screen.x)
  const titleBarShows = window.y > screen.y - visiblePixels && window.y < screen.y + screen.height - visiblePixels
  return width >= visiblePixels && titleBarShows
}
