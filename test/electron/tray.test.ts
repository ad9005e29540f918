import { describe, expect, it } from 'vitest'
import type { LiveEvent } from '../../core/domain/contract.ts'
import { createTrayKeeper, type NextFire, type TrayEntry, trayEntries } from '../../electron/tray.ts'

const now = new Date(2026, 10, 26, 14, 36).getTime()
const hour = 3_600_000

function world({ isUsual = false, canMake = (): boolean => true } = {}) {
  const shown: (readonly TrayEntry[])[] = []
  let icons = 0
  let next: NextFire = { id: 'mis_1', name: 'digest', nextFireAt: now + hour }
  let missionsHeld: string | null = null
  let answer = async (): Promise<unknown> => next
  const keeper = createTrayKeeper({
    make: () => {
      if (!canMake()) throw new Error('the system has no tray')
      icons += 1
      const remove = () => {
        icons -= 1
      }
      return { show: (entries) => void shown.push(entries), remove }
    },
    isUsual,
    call: async (name) => (name === 'engine.info' ? { missionsHeld } : answer()),
    now: () => now,
  })
  return {
    ...{ keeper, shown },
    icons: () => icons,
    setNext: (of: NextFire) => {
      next = of
    },
    setHeld: (why: string | null) => {
      missionsHeld = why
    },
    answerWith: (given: () => Promise<unknown>) => {
      answer = given
    },
  }
}
const settings = (tray: boolean | null, keepRunning = false) => ({ desktop: { tray, keepRunning } })
const facts = { seq: 1, threadId: 'mis_1', at: now, bodyBytes: 0 } as const
const changed: LiveEvent = {
  ...facts,
  kind: 'mission.changed',
  data: { missionId: 'mis_2', name: 'triage', status: 'active', reason: null, version: 1, nextFireAt: now },
}
const other: LiveEvent = { ...facts, kind: 'slot.acquired', data: { waitedMs: 1 } }
const pushOf = (event: LiveEvent) => ({ type: 'engine', batch: { events: [event], deltas: [] } }) as const

describe('what the tray says', () => {
  it('is which mission fires next and when: today by its time, later with its day', () => {
    const label = (nextFireAt: number | null) =>
      trayEntries({ next: { id: 'mis_1', name: 'digest', nextFireAt }, isHeld: false }, now)[0]
    expect(label(now + hour)).toMatchObject({ label: 'Next: digest, 15:36', place: '#/missions/mis_1' })
    expect(label(now + 24 * hour)).toMatchObject({ label: expect.stringMatching(/^Next: digest, Fri,? 27 Nov 14:36$/) })
    expect(label(null)).toMatchObject({ label: 'No mission fires by the clock', place: '#/missions' })
    expect(trayEntries({ next: null, isHeld: false }, now).map(({ kind }) => kind)).toEqual(['next', 'open', 'quit'])
  })
})

describe('the icon in the tray', () => {
  it('says that missions wait for a person while they are held, and what fires next once they may', async () => {
    const { keeper, shown, setHeld } = world()
    setHeld('It ended three times in an hour.')
    await keeper.follow(settings(true))
    expect(shown.at(-1)?.[0]).toEqual({ kind: 'next', label: 'Missions wait for you', place: '#/missions' })
    setHeld(null)
    await keeper.released()
    expect(shown.at(-1)?.[0]).toMatchObject({ label: 'Next: digest, 15:36' })
  })

  it('an answer that comes after a newer one is not shown', async () => {
    const { keeper, shown, answerWith } = world()
    await keeper.follow(settings(true))
    const late = Promise.withResolvers<NextFire>()
    answerWith(() => late.promise)
    const first = keeper.heard(pushOf(changed))
    answerWith(async () => ({ id: 'mis_2', name: 'triage', nextFireAt: now + 2 * hour }))
    await keeper.heard(pushOf(changed))
    late.resolve({ id: 'mis_1', name: 'digest', nextFireAt: now + hour })
    await first
    expect(shown.at(-1)?.[0]).toMatchObject({ label: 'Next: triage, 16:36' })
  })

  it('that could not be made is said to be missing, keeps nothing running, and is tried again', async () => {
    let canMake = false
    const { keeper } = world({ canMake: () => canMake })
    await expect(keeper.follow(settings(true, true))).rejects.toThrow('the system has no tray')
    expect([keeper.isShown, keeper.isFailed, keeper.keepsRunning]).toEqual([false, true, false])
    canMake = true
    await keeper.follow(settings(true, true))
    expect([keeper.isShown, keeper.isFailed, keeper.keepsRunning]).toEqual([true, false, true])
  })

  it.each([
    [null, true, 1],
    [null, false, 0],
    [true, false, 1],
    [false, true, 0],
  ] as const)('with the setting %s where it is usual: %s', async (tray, isUsual, icons) => {
    const { keeper, icons: there } = world({ isUsual })
    await keeper.follow(settings(tray))
    expect(there()).toBe(icons)
    expect(keeper.isShown).toBe(icons === 1)
  })

  it('goes when it is switched off, and is made once however often settings are read', async () => {
    const { keeper, icons } = world()
    await keeper.follow(settings(true))
    await keeper.follow(settings(true))
    expect(icons()).toBe(1)
    await keeper.follow({ unknown: 1 })
    expect(icons()).toBe(1)
    await keeper.follow(settings(false))
    expect(icons()).toBe(0)
  })

  it('follows what missions do, and nothing else', async () => {
    const { keeper, shown, setNext } = world()
    await keeper.follow(settings(true))
    const before = shown.length
    setNext({ id: 'mis_2', name: 'triage', nextFireAt: now + 2 * hour })
    await keeper.heard(pushOf(other))
    expect(shown).toHaveLength(before)
    await keeper.heard(pushOf(changed))
    expect(shown.at(-1)?.[0]).toMatchObject({ label: 'Next: triage, 16:36' })
  })

  it('only with it does the app go on without a window', async () => {
    const { keeper } = world()
    await keeper.follow(settings(false, true))
    expect(keeper.keepsRunning).toBe(false)
    await keeper.follow(settings(true, true))
    expect(keeper.keepsRunning).toBe(true)
    await keeper.follow(settings(true, false))
    expect(keeper.keepsRunning).toBe(false)
  })
})
