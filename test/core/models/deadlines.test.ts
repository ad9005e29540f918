import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { limits } from '../../../core/domain/limits.ts'
import { defaultSettings } from '../../../core/domain/settings.ts'
import { waitsOf } from '../../../core/models/complete.ts'
import { startDeadlines } from '../../../core/models/deadlines.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const ref = { providerId: 'local', model: 'a/b' }

function start(settings = defaultSettings) {
  const expired: string[] = []
  const deadlines = startDeadlines({
    ...waitsOf(settings, ref),
    onExpired: (phase, ms) => expired.push(`${phase} ${ms}`),
  })
  return { deadlines, expired }
}

describe('the waits of an answer', () => {
  it('for the first token end at the limit and not before', () => {
    const { expired } = start()
    vi.advanceTimersByTime(limits.firstTokenMs - 1)
    expect(expired).toEqual([])
    vi.advanceTimersByTime(1)
    expect(expired).toEqual([`first-token ${limits.firstTokenMs}`])
  })

  it('between bytes end at the limit, and every byte starts them anew', () => {
    const { deadlines, expired } = start()
    deadlines.onToken()
    for (let n = 0; n < 5; n += 1) {
      deadlines.onBytes()
      vi.advanceTimersByTime(limits.idleMs - 1)
    }
    expect(expired).toEqual([])
    vi.advanceTimersByTime(1)
    expect(expired).toEqual([`idle ${limits.idleMs}`])
  })

  it('are those that the settings give this model: a slow server is not cut at 300 s', () => {
    const { deadlines, expired } = start({
      ...defaultSettings,
      modelLimits: { 'local/a/b': { firstTokenMs: 900_000, idleMs: 600_000, totalMs: 3_600_000 } },
    })
    vi.advanceTimersByTime(899_999)
    deadlines.onToken()
    deadlines.onBytes()
    vi.advanceTimersByTime(599_999)
    expect(expired).toEqual([])
    vi.advanceTimersByTime(1)
    expect(expired).toEqual(['idle 600000'])
  })

  it('for the whole answer end at the limit, however lively it is', () => {
    const { deadlines, expired } = start()
    deadlines.onToken()
    const beat = limits.idleMs / 2
    for (let ms = 0; ms < limits.totalMs - 1; ms += beat) {
      deadlines.onBytes()
      vi.advanceTimersByTime(Math.min(beat, limits.totalMs - 1 - ms))
    }
    expect(expired).toEqual([])
    vi.advanceTimersByTime(1)
    expect(expired).toEqual([`total ${limits.totalMs}`])
  })

  it('are short once the answer is whole: only its bookkeeping may follow', () => {
    const { deadlines, expired } = start()
    deadlines.onBytes()
    deadlines.onFinished()
    vi.advanceTimersByTime(10_000)
    expect(expired).toEqual(['idle 5000'])
  })

  it('are gone once cleared', () => {
    const { deadlines, expired } = start()
    deadlines.onBytes()
    deadlines.clear()
    vi.advanceTimersByTime(limits.firstTokenMs * 2)
    expect(expired).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })
})
