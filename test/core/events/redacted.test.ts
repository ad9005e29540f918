import { describe, expect, it } from 'vitest'
import { limits } from '../../../core/domain/limits.ts'
import { redactionIn } from '../../../core/events/redacted.ts'

const at = { seq: 7, threadId: 'thr_1', at: 1 }
const finished = { step: 2, path: '1', callId: 'a', name: 'read_file', ok: true, durationMs: 1, summary: '' }

describe('an event with marks', () => {
  it('is followed by what was taken out of it, and where', () => {
    const body = { result: { text: 'key=[redacted: npm]' } }
    expect(redactionIn({ ...at, kind: 'action.finished', data: finished, body })).toEqual({
      kind: 'secret.redacted',
      data: {
        ...{ seq: 7, of: 'action.finished', place: { step: 2, path: '1' }, total: 1 },
        redactions: [{ what: 'npm', where: 'result.text', start: 4, end: 19 }],
      },
    })
  })

  it(`lists ${limits.redactionsListed} of them and counts all`, () => {
    const body = { result: Array.from({ length: limits.redactionsListed + 1 }, () => '[redacted: npm]') }
    const redaction = redactionIn({ ...at, kind: 'action.finished', data: finished, body })
    expect(redaction?.data).toMatchObject({ total: limits.redactionsListed + 1 })
    expect(redaction?.kind === 'secret.redacted' && redaction.data.redactions).toHaveLength(limits.redactionsListed)
  })

  it('says nothing of one without', () => {
    expect(
      redactionIn({ ...at, kind: 'action.finished', data: finished, body: { result: 'redacted' } }),
    ).toBeUndefined()
    expect(redactionIn({ ...at, kind: 'status', data: { text: '[redacted: npm]' } })).toBeUndefined()
  })
})
