import { z } from 'zod'
import { settingsSchema } from '../core/domain/settings.ts'
import type { Place } from './places.ts'
import type { WindowPush } from './window-push.ts'

/** One line of the tray's menu. */
export type TrayEntry =
  | { readonly kind: 'next'; readonly label: string; readonly place: Place }
  | { readonly kind: 'open' | 'quit'; readonly label: string }

/** The icon that stands in the tray; main.ts makes Electron's. */
export interface TrayIcon {
  /** `tip` is shown while it is pointed at. */
  show(entries: readonly TrayEntry[], tip: string): void
  remove(): void
}

const nextSchema = z.object({ id: z.string(), name: z.string(), nextFireAt: z.number().nullable() }).nullable()
export type NextFire = z.infer<typeof nextSchema>
const infoSchema = z.object({ missionsHeld: z.string().nullable() })

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const day = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: '2-digit', month: 'short' })

/** What missions are about to do: which fires next, or that all wait until a person lets them. */
export interface TrayOutlook {
  readonly next: NextFire
  readonly isHeld: boolean
}

/** What the menu says: which mission fires next and when, and the way in and out. */
export function trayEntries({ next, isHeld }: TrayOutlook, now: number): readonly TrayEntry[] {
  return [
    isHeld ? { kind: 'next', label: 'Missions wait for you', place: '#/missions' } : nextEntry(next, now),
    { kind: 'open', label: 'Open Threadsmith' },
    { kind: 'quit', label: 'Quit: missions stop until the next start' },
  ]
}

function nextEntry(next: NextFire, now: number): TrayEntry {
  if (next === null || next.nextFireAt === null)
    return { kind: 'next', label: 'No mission fires by the clock', place: '#/missions' }
  return {
    kind: 'next',
    label: `Next: ${next.name}, ${momentText(next.nextFireAt, now)}`,
    place: `#/missions/${encodeURIComponent(next.id)}`,
  }
}

function momentText(at: number, now: number): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString()
  return isToday ? clock.format(at) : `${day.format(at)} ${clock.format(at)}`
}

export type DesktopSettings = z.infer<typeof settingsSchema>['desktop']

export interface TrayParts {
  make(): TrayIcon
  /** Whether this platform has a tray for certain: where nobody chose, that decides. */
  readonly isUsual: boolean
  /** Asks the engine. */
  call(name: string, input: unknown): Promise<unknown>
  now(): number
}

/** The icon in the tray, there while the settings say so, with what fires next. */
export interface TrayKeeper {
  readonly isUsual: boolean
  readonly isShown: boolean
  /** The settings want it, and the system made none. */
  readonly isFailed: boolean
  /** Closing the window leaves the app there, where a mission is active. */
  readonly keepsRunning: boolean
  /** Settings as any call answered them; what is none is left alone. @throws what made the icon fail. */
  follow(settings: unknown): Promise<void>
  /** What the engine told: missions change what fires next. */
  heard(push: WindowPush): Promise<void>
  /** Missions that were held may fire: no event says that. */
  released(): Promise<void>
}

const changing: ReadonlySet<string> = new Set(['mission.changed', 'firing.claimed', 'firing.changed'])

export function createTrayKeeper({ make, isUsual, call, now }: TrayParts): TrayKeeper {
  let icon: TrayIcon | undefined
  let desktop: DesktopSettings = { tray: null, keepRunning: false }
  let isFailed = false
  let asked = 0

  async function refresh(): Promise<void> {
    asked += 1
    const turn = asked
    const [next, { missionsHeld }] = await Promise.all([
      call('mission.next', {}).then((value) => nextSchema.parse(value)),
      call('engine.info', {}).then((value) => infoSchema.parse(value)),
    ])
    // Asked again meanwhile: that answer is the newer one, whichever comes first.
    if (turn !== asked) return
    const entries = trayEntries({ next, isHeld: missionsHeld !== null }, now())
    // Switched off while it was asked.
    icon?.show(entries, `Threadsmith. ${entries[0]?.label ?? ''}`)
  }
  async function add(): Promise<void> {
    isFailed = true
    icon = make()
    isFailed = false
    icon.show(trayEntries({ next: null, isHeld: false }, now()), 'Threadsmith')
    await refresh()
  }
  return {
    isUsual,
    get isShown() {
      return icon !== undefined
    },
    get isFailed() {
      return isFailed
    },
    get keepsRunning() {
      return icon !== undefined && desktop.keepRunning
    },
    async follow(settings) {
      const parsed = z.object({ desktop: settingsSchema.shape.desktop }).safeParse(settings)
      if (!parsed.success) return
      desktop = parsed.data.desktop
      if (!(desktop.tray ?? isUsual)) {
        icon?.remove()
        icon = undefined
        isFailed = false
      } else if (icon === undefined) await add()
    },
    async heard(push) {
      if (icon === undefined || push.type !== 'engine') return
      if (push.batch.events.some(({ kind }) => changing.has(kind))) await refresh()
    },
    async released() {
      if (icon !== undefined) await refresh()
    },
  }
}
