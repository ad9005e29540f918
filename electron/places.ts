import type { EngineOptions } from '../core/engine.ts'

/** What the engine says that a notice is about. */
type NoticePlace = Parameters<NonNullable<EngineOptions['notify']>>[1]

/** Where in the window something can be dealt with: the part of its address after `#`. */
export type Place = string

export function placeOf(where: NoticePlace): Place {
  return 'threadId' in where
    ? `#/thread/${encodeURIComponent(where.threadId)}`
    : `#/missions/${encodeURIComponent(where.missionId)}`
}

export function approvalPlace(approvalId: string): Place {
  return `#/approvals/${encodeURIComponent(approvalId)}`
}

export function learntPlace(itemId: string): Place {
  return `#/learnt/${encodeURIComponent(itemId)}`
}

const openFlag = '--open='
/** The app is to begin without showing its window: the system started it at login. */
export const hiddenFlag = '--hidden'

const screens = 'chat|threads|thread|approvals|memory|skills|missions|learnt|integrations|settings'
// A screen, and at most two parts as `encodeURIComponent` writes them.
const address = new RegExp(`^#/(?:${screens})(?:/(?![.]+(?:/|$))[\\w.!~*'()%-]{1,400}){0,2}$`)

/** The place that a command line asks for: `--open=#/missions/mis_1`. Anything else of it is not for the window. */
export function placeIn(argv: readonly string[]): Place | null {
  const asked = argv.findLast((each) => each.startsWith(openFlag))?.slice(openFlag.length)
  return asked !== undefined && address.test(asked) ? asked : null
}

/** The part of a window that opening needs. */
export interface OpeningWindow {
  onLoaded(listener: () => void): void
  onLoading(listener: () => void): void
  focus(): void
  show(place: Place): void
}

/** Opens a place in the window, as soon as there is a page that can be told: at a cold start that is later. */
export function createOpener(window: OpeningWindow): (place: Place) => void {
  let isLoaded = false
  let waiting: Place | null = null
  const tell = () => {
    if (!isLoaded || waiting === null) return
    window.show(waiting)
    waiting = null
  }
  window.onLoading(() => {
    isLoaded = false
  })
  window.onLoaded(() => {
    isLoaded = true
    tell()
  })
  return (place) => {
    window.focus()
    waiting = place
    tell()
  }
}
