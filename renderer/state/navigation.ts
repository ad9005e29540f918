import { parseRoute, type Route, routeHash } from '../routes.ts'
import { setApp } from './store.ts'

// The window's own place in its history, kept in the entries themselves so that it survives a reload.
let place = 0
let furthest = 0

function placeOf(state: unknown): number {
  return typeof state === 'object' && state !== null && 'place' in state && typeof state.place === 'number'
    ? state.place
    : 0
}

function show(): void {
  setApp({ route: parseRoute(location.hash), canGoBack: place > 0, canGoForward: place < furthest })
}

/** Goes to a place; the same place again adds nothing to the history. */
export function go(route: Route): void {
  const hash = routeHash(route)
  if (hash === location.hash) return
  place += 1
  furthest = place
  history.pushState({ place }, '', hash)
  show()
}

/** Like `go`, in the stead of the place that the window is at: a new chat that got its address. */
export function replaceRoute(route: Route): void {
  history.replaceState({ place }, '', routeHash(route))
  show()
}

export function goBack(): void {
  if (place > 0) history.back()
}

export function goForward(): void {
  if (place < furthest) history.forward()
}

/** Follows the address from now on. Returns what ends it. */
export function followAddress(): () => void {
  const follow = () => {
    place = placeOf(history.state)
    furthest = Math.max(furthest, place)
    show()
  }
  follow()
  window.addEventListener('popstate', follow)
  return () => window.removeEventListener('popstate', follow)
}
