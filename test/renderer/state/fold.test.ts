import { describe, expect, test } from 'vitest'
import type { PushedEvent } from '../../../renderer/engine/client.ts'
import { foldDeltas, foldEvents, mergeThreads } from '../../../renderer/state/fold.ts'
import { mergeCalls } from '../../../renderer/state/fold-calls.ts'
import { mergeCanvases } from '../../../renderer/state/fold-canvases.ts'
import { mergeMessagePage } from '../../../renderer/state/fold-messages.ts'
import { emptyKnown, type Known } from '../../../renderer/state/model.ts'
import { hasGap } from '../../../renderer/state/sync.ts'
import {
  actionFinished,
  actionStarted,
  answered,
  callRow,
  message,
  modelCompleted,
  noon,
  stepStarted,
  thread,
} from '../support.ts'

const running = mergeThreads(emptyKnown, [thread()])
const withCalls = mergeCalls(running, 't1', [])
const withChat = mergeMessagePage(running, 'c1', { rows: [message({ seq: 1 })], next: null }, false)

describe('the state of the window is a fold over events from a sequence number', () => {
  test('a created thread joins the known ones with what the event says', () => {
    const data = { number: 7, projectId: 'p1', conversationId: 'c9', title: 'Count', tier: 'forte' } as const
    const body = { goal: 'Count the files' }
    const known = foldEvents(emptyKnown, [{ kind: 'thread.created', seq: 1, threadId: 't7', at: noon, data, body }])
    expect(known.threads.t7).toMatchObject({ number: 7, state: 'Created', goal: 'Count the files', tier: 'forte' })
    expect(known.seq).toBe(1)
  })

  test('an event that is folded already changes nothing', () => {
    const once = foldEvents(withCalls, [stepStarted(5, 0), modelCompleted(6, 0, 1)])
    expect(foldEvents(once, [stepStarted(5, 0), modelCompleted(6, 0, 1)])).toBe(once)
  })

  test('the last warning of a window that is too small is known of its thread', () => {
    const warned = { step: 0, phase: 'before', providerId: 'p', model: 'm', promptTokens: 9, windowTokens: 4 } as const
    const after = { ...warned, phase: 'after', reportedTokens: 4 } as const
    const event = { kind: 'context.warned', threadId: 't1', at: noon } as const
    const known = foldEvents(running, [
      { ...event, seq: 2, data: warned },
      { ...event, seq: 3, data: after },
    ])
    expect(known.warned).toEqual({ t1: after })
  })

  test('skills join their thread in order, each once', () => {
    const skill = { id: 'skl_1', version: 1, score: 10, tokens: 900, trust: 'trusted', isForced: false } as const
    const event = { kind: 'skill.selected', threadId: 't1', at: noon } as const
    const joining = (...names: string[]) => ({
      ...{ step: 0, looked: 7, unavailable: [] },
      skills: names.map((name) => ({ ...skill, name })),
    })
    const known = foldEvents(running, [
      { ...event, seq: 2, data: joining('tide') },
      { ...event, seq: 3, data: joining('tide', 'moon') },
    ])
    expect(known.skills.t1?.map(({ name }) => name)).toEqual(['tide', 'moon'])
    const loaded = { step: 1, path: '1', skill: { ...skill, name: 'reef' } }
    const more = foldEvents(known, [{ kind: 'skill.loaded', threadId: 't1', at: noon, seq: 4, data: loaded }])
    expect(more.skills.t1?.map(({ name }) => name)).toEqual(['tide', 'moon', 'reef'])
  })

  test('a card takes the place of the one with its id, also when a page brings an older one later', () => {
    const event = { kind: 'canvas.emitted', threadId: 't1', at: noon } as const
    const card = (id: string, title: string) => ({ step: 0, path: '1', id, kind: 'table', title }) as const
    const known = foldEvents(running, [
      { ...event, seq: 2, data: card('a', 'Tides') },
      { ...event, seq: 3, data: card('b', 'Moons') },
      { ...event, seq: 4, data: card('a', 'Tides of May') },
    ])
    expect(known.canvases.t1?.map(({ title, seq }) => `${title} ${seq}`)).toEqual(['Tides of May 4', 'Moons 3'])
    expect(mergeCanvases(known, 't1', [{ ...card('a', 'Tides'), seq: 2 }])).toBe(known)
  })

  test('what happens to a skill makes no thread of the stream that it is told in, and says that lists are old', () => {
    const stream = { threadId: 'skl_1', at: noon } as const
    const versioned = {
      skillId: 'skl_1',
      name: 'tide',
      from: 1,
      to: 2,
      sha256: null,
      by: 'person',
      reason: '',
    } as const
    const proposed = { candidateId: 'can_1', kind: 'new', name: 'moon', sha256: 'a'.repeat(64) } as const
    const known = foldEvents(running, [
      { ...stream, seq: 2, kind: 'skill.versioned', data: versioned },
      { ...stream, seq: 3, threadId: 'can_1', kind: 'skill.proposed', data: proposed },
    ])
    expect(Object.keys(known.threads)).toEqual(['t1'])
    expect(known.skillSeq).toBe(3)
    expect(foldEvents(known, [stepStarted(4, 0)]).skillSeq).toBe(3)
  })

  test('what changed a mission or a firing makes what was read of that mission old, and of no other', () => {
    const facts = { missionId: 'mis_1', name: 'digest', reason: null } as const
    const changed = { ...facts, status: 'paused', version: 1, nextFireAt: null } as const
    const claimed = { missionId: 'mis_1', name: 'digest', counts: { queued: 1 }, from: 1, until: 1, nextFireAt: null }
    const moved = { ...facts, firingId: 'fir_1', instant: 1, state: 'ran', threadId: null } as const
    const seqs = foldEvents(emptyKnown, [
      { kind: 'mission.changed', seq: 3, threadId: 'mis_1', at: 1, data: changed },
      { kind: 'firing.claimed', seq: 5, threadId: 'mis_1', at: 1, data: claimed },
    ])
    expect(seqs.missionSeqs).toEqual({ mis_1: 5 })
    const other = { ...moved, missionId: 'mis_2' } as const
    const next = foldEvents(seqs, [{ kind: 'firing.changed', seq: 6, threadId: 'mis_2', at: 1, data: other }])
    expect(foldEvents(next, [stepStarted(7, 0)]).missionSeqs).toEqual({ mis_1: 5, mis_2: 6 })
  })

  test('what changed what was learnt makes what was read of it old', () => {
    const facts = { itemId: 'lrn_1', kind: 'overlay', projectId: 'p1', state: 'pending', by: 'agent' } as const
    const data = { ...facts, sha256: 'a'.repeat(64), reason: '', preview: '' }
    const known = foldEvents(emptyKnown, [{ kind: 'learnt.changed', seq: 3, threadId: 'lrn_1', at: 1, data }])
    expect(foldEvents(known, [stepStarted(4, 0)]).learntSeq).toBe(3)
  })

  test('steps, calls and their ends are the same however the events are cut into batches', () => {
    const events = [
      stepStarted(2, 0),
      modelCompleted(3, 0, 2),
      actionStarted(4, 0, '1'),
      actionStarted(5, 0, '2'),
      actionFinished(6, 0, '2', false),
      actionFinished(7, 0, '1'),
      stepStarted(8, 1),
    ]
    const atOnce = foldEvents(withCalls, events)
    const oneByOne = events.reduce<Known>((known, event) => foldEvents(known, [event]), withCalls)
    expect(oneByOne).toEqual(atOnce)
    expect(atOnce.threads.t1?.steps).toBe(2)
    expect(atOnce.calls.t1?.['0/1']).toMatchObject({ state: 'done', summary: 'docs/a.md', endedAt: noon + 7 })
    expect(atOnce.calls.t1?.['0/2']).toMatchObject({ state: 'failed' })
    expect(atOnce.calls.t1?.['0/0']).toMatchObject({ inputTokens: 1_000, firstTokenAt: noon + 3 - 700 })
  })

  test('a state that was shown once never changes, however many events of a batch touch its calls', () => {
    const shown = foldEvents(withCalls, [stepStarted(2, 0)])
    const before = structuredClone(shown)
    foldEvents(shown, [modelCompleted(3, 0, 1), actionStarted(4, 0, '1')])
    expect(shown).toEqual(before)
  })

  test('a refusal is none of the failures of an action, as in the index of the store', () => {
    const refused = actionFinished(5, 0, '1', false)
    const ends = (['policy.denied', 'action.unknown', 'action.interrupted', 'action.not_found'] as const).map(
      (code) => {
        const end = refused.kind === 'action.finished' ? { ...refused, data: { ...refused.data, code } } : refused
        return foldEvents(withCalls, [actionStarted(4, 0, '1'), end]).calls.t1?.['0/1']?.state
      },
    )
    expect(ends).toEqual(['refused', 'refused', 'interrupted', 'failed'])
  })

  test('a model call that is made again after a crash begins again', () => {
    const cut = mergeCalls(running, 't1', [callRow({ state: 'cancelled', endedAt: noon + 3, endSeq: null })])
    const again = { kind: 'step.restarted', seq: 9, threadId: 't1', at: noon + 9, data: { step: 0 } } as const
    expect(foldEvents(cut, [again]).calls.t1?.['0/0']).toMatchObject({
      state: 'started',
      startedAt: noon + 9,
      endedAt: null,
    })
  })

  test('a page that arrives after the end of a call does not set it back to running', () => {
    const ended = foldEvents(withCalls, [stepStarted(2, 0), modelCompleted(3, 0, 0)])
    const late = mergeCalls(ended, 't1', [callRow({ state: 'started', endedAt: null, endSeq: null })])
    expect(late.calls.t1?.['0/0']?.state).toBe('done')
  })

  test('a page that knows the end of a call wins over an event that only knew its beginning', () => {
    const begun = foldEvents(withCalls, [stepStarted(2, 0)])
    expect(mergeCalls(begun, 't1', [callRow({ inputTokens: 9 })]).calls.t1?.['0/0']?.inputTokens).toBe(9)
  })

  test('calls of a thread that nothing shows are not gathered', () => {
    expect(foldEvents(running, [stepStarted(2, 0), actionStarted(3, 0, '1')]).calls).toEqual({})
  })

  test('a thread that ends keeps its outcome, its reason and its time', () => {
    const done = foldEvents(running, [
      {
        kind: 'thread.state',
        seq: 2,
        threadId: 't1',
        at: noon + 5,
        data: { from: 'Running', to: 'Completed', outcome: 'stopped' },
      },
      { kind: 'thread.state', seq: 3, threadId: 't1', at: noon + 6, data: { from: 'Completed', to: 'Done' } },
    ])
    expect(done.threads.t1).toMatchObject({ state: 'Done', outcome: 'stopped', endedAt: noon + 6 })
  })

  test('an older answer of the store does not undo a newer event, and counts never shrink', () => {
    const moved = foldEvents(running, [stepStarted(2, 3)])
    const merged = mergeThreads(moved, [thread({ steps: 0, inputTokens: 500, updatedAt: noon - 1 })])
    expect(merged.threads.t1).toMatchObject({ steps: 4, inputTokens: 500, state: 'Running' })
  })

  test('how many are ahead is known while a thread waits for a slot, and forgotten once it has one', () => {
    const queued = foldEvents(running, [{ kind: 'slot.queued', seq: 2, threadId: 't1', at: noon, data: { ahead: 3 } }])
    expect(queued.queued.t1).toBe(3)
    const got = foldEvents(queued, [{ kind: 'slot.acquired', seq: 3, threadId: 't1', at: noon, data: { waitedMs: 1 } }])
    expect(got.queued.t1).toBeUndefined()
  })
})

describe('messages of a chat', () => {
  test('an answer joins the open chat once, though page and event both bring it', () => {
    const told = foldEvents(withChat, [answered(9, 'There are 24 files.')])
    const row = message({ seq: 9, role: 'assistant', content: 'There are 24 files.' })
    const paged = mergeMessagePage(told, 'c1', { rows: [row], next: null }, false)
    expect(paged.chats.c1?.messages.map(({ seq }) => seq)).toEqual([1, 9])
  })

  test('older pages go before, and only they move the key of the next page', () => {
    const newest = mergeMessagePage(running, 'c1', { rows: [message({ seq: 50 })], next: 50 }, false)
    const older = mergeMessagePage(newest, 'c1', { rows: [message({ seq: 40 })], next: 40 }, true)
    const again = mergeMessagePage(older, 'c1', { rows: [message({ seq: 50 }), message({ seq: 60 })], next: 50 }, false)
    expect(again.chats.c1?.messages.map(({ seq }) => seq)).toEqual([40, 50, 60])
    expect(again.chats.c1?.before).toBe(40)
  })

  test('what the engine itself added is not shown as said', () => {
    const nudge = { role: 'user', origin: 'nudge', preview: 'Go on' } as const
    const known = foldEvents(withChat, [
      { kind: 'message.added', seq: 5, threadId: 't1', at: noon, data: nudge, body: { content: 'Go on' } },
    ])
    expect(known.chats.c1?.messages).toHaveLength(1)
  })
})

describe('live text', () => {
  const delta = (step: number, text: string) => ({ threadId: 't1', step, kind: 'text', text }) as const

  test('pieces of one step are joined', () => {
    const begun = foldEvents(running, [stepStarted(2, 0)])
    expect(foldDeltas(begun, [delta(0, 'There '), delta(0, 'are')]).live.t1?.text).toBe('There are')
  })

  test('it is gone as soon as the answer is on record', () => {
    const live = foldDeltas(foldEvents(withChat, [stepStarted(2, 0)]), [delta(0, 'There')])
    expect(foldEvents(live, [modelCompleted(3, 0, 0)]).live.t1?.text).toBe('There')
    expect(foldEvents(live, [modelCompleted(3, 0, 0), answered(4, 'There are 24.')]).live.t1).toBeUndefined()
  })

  test('text beside calls is gone when they begin', () => {
    const live = foldDeltas(foldEvents(running, [stepStarted(2, 0)]), [delta(0, 'I will look')])
    expect(foldEvents(live, [modelCompleted(3, 0, 2)]).live.t1).toBeUndefined()
  })

  test('the first piece of a step may come in the batch of its beginning', () => {
    const batch = foldEvents(foldDeltas(running, [delta(0, 'Hel')]), [stepStarted(2, 0)])
    expect(batch.live.t1?.text).toBe('Hel')
  })

  test('a piece that comes after its step or its thread is over is left out', () => {
    const second = foldEvents(running, [stepStarted(2, 1)])
    expect(foldDeltas(second, [delta(0, 'late')]).live.t1).toBeUndefined()
    const done = mergeThreads(emptyKnown, [thread({ state: 'Done' })])
    expect(foldDeltas(done, [delta(0, 'late')]).live.t1).toBeUndefined()
  })
})

describe('lost pushes', () => {
  test('a hole in the numbers is noticed, what is known already is not a hole', () => {
    expect(hasGap(4, [stepStarted(5, 0), stepStarted(6, 1)])).toBe(false)
    expect(hasGap(4, [stepStarted(3, 0), stepStarted(5, 1)])).toBe(false)
    expect(hasGap(4, [stepStarted(7, 0)])).toBe(true)
    expect(hasGap(4, [])).toBe(false)
  })
})

describe('an answer that broke off', () => {
  const begun = foldEvents(running, [stepStarted(2, 0)])
  const speaking = foldDeltas(begun, [{ threadId: 't1', step: 0, kind: 'text', text: 'The first half' }])
  const code = 'model.stream'
  const userMessage = 'The server closed the connection.'
  const data = {
    step: 0,
    providerId: 'lab',
    model: 'qwen3-8b',
    durationMs: 900,
    code,
    userMessage,
    retryable: true,
  } as const
  const failed: PushedEvent = { kind: 'model.failed', seq: 3, threadId: 't1', at: noon + 3, data }
  const over = (to: 'Failed' | 'Done', outcome: 'failed' | 'stopped'): PushedEvent => ({
    ...{ kind: 'thread.state', seq: 4, threadId: 't1', at: noon + 4 },
    data: { from: 'Running', to, outcome },
  })

  test('stays in sight from the moment that it breaks off, with its error and its model', () => {
    const body = { message: 'reset', partialText: 'The first half of' }
    const known = foldEvents(speaking, [{ ...failed, body }, over('Failed', 'failed')])
    expect(known.live.t1).toBeUndefined()
    expect(known.endings.t1).toMatchObject({
      ...{ partialText: 'The first half of', isKept: true, model: { providerId: 'lab', model: 'qwen3-8b' } },
      error: { code: 'model.stream', userMessage },
    })
  })

  test('is what had streamed in where the record is too large to ride along', () => {
    expect(foldEvents(speaking, [failed, over('Failed', 'failed')]).endings.t1?.partialText).toBe('The first half')
  })

  test('stays where a person stopped it, as no error', () => {
    const body = { message: 'cancelled', partialText: 'The first half of' }
    const { kind, seq, threadId, at } = failed
    const stopped: PushedEvent = { ...{ kind, seq, threadId, at }, data: { ...data, code: 'cancelled' }, body }
    expect(foldEvents(speaking, [stopped, over('Done', 'stopped')]).endings.t1).toMatchObject({
      ...{ error: null, partialText: 'The first half of', isKept: true },
    })
  })

  test('stays where a person stopped it, before the record is read', () => {
    const stopped = over('Done', 'stopped')
    expect(foldEvents(speaking, [stopped]).endings.t1).toEqual({
      error: null,
      partialText: 'The first half',
      isKept: false,
      model: null,
    })
  })

  test('is gone when the thread goes on', () => {
    const known = foldEvents(speaking, [failed, over('Failed', 'failed'), stepStarted(5, 1)])
    expect(known.endings.t1).toBeUndefined()
  })
})
