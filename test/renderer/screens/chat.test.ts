import { describe, expect, test } from 'vitest'
import { callKey } from '../../../core/domain/calls.ts'
import { knotsOf, tokensOf } from '../../../renderer/screens/chat/knots.ts'
import { restText, restTitle, standText } from '../../../renderer/screens/chat/stand.ts'
import { type Turn, turnsOf } from '../../../renderer/screens/chat/turns.ts'
import { chatTitle, listedThreads, shownThread } from '../../../renderer/state/select.ts'
import { approval, callRow, message, noon, thread } from '../support.ts'

const dayMs = 86_400_000

function shape(turns: readonly Turn[]): readonly string[] {
  return turns.map((turn) => {
    if (turn.kind === 'day') return 'day'
    if (turn.kind === 'person') return `person ${turn.message.content}`
    const answers = turn.answers.map((answer) => answer.content).join('+')
    return `${turn.threadId}${turn.hasWork ? ' card' : ''}${answers === '' ? '' : ` ${answers}`}${turn.isLast ? ' last' : ''}`
  })
}

describe('turns of a chat', () => {
  const said = message({ seq: 1, content: 'Q1' })
  const reply = message({ seq: 2, role: 'assistant', content: 'A1' })

  test('each thread has one card, after the message that began it', () => {
    const turns = turnsOf(
      [said, reply, message({ seq: 3, threadId: 't2', content: 'Q2' })],
      [thread(), thread({ id: 't2', number: 2 })],
    )
    expect(shape(turns)).toEqual(['day', 'person Q1', 't1 card A1 last', 'person Q2', 't2 card last'])
  })

  test('a message to a running thread stands after its card, and the answer after that', () => {
    const injected = message({ seq: 2, content: 'also this' })
    expect(shape(turnsOf([said, injected], [thread()]))).toEqual([
      'day',
      'person Q1',
      't1 card',
      'person also this',
      't1 last',
    ])
    const answered = turnsOf([said, injected, { ...reply, seq: 3 }], [thread()])
    expect(shape(answered).at(-1)).toBe('t1 A1 last')
  })

  test('a goal that is run again has its turn though nothing new was said', () => {
    const threads = [thread(), thread({ id: 't2', number: 2 }), thread({ id: 't3', number: 3 })]
    const turns = turnsOf([said, message({ seq: 9, threadId: 't3', content: 'Q3' })], threads)
    expect(shape(turns)).toEqual(['day', 'person Q1', 't1 card last', 't2 card last', 'person Q3', 't3 card last'])
  })

  test('a page that begins in the middle of a thread begins with its card', () => {
    expect(shape(turnsOf([reply], [thread()]))).toEqual(['day', 't1 card A1 last'])
  })

  test('threads above the page that is loaded are not drawn', () => {
    const threads = [thread({ id: 't0', number: 1 }), thread({ number: 2 })]
    expect(shape(turnsOf([said], threads))).toEqual(['day', 'person Q1', 't1 card last'])
  })

  test('a day is named once', () => {
    const later = message({ seq: 3, content: 'Q2', at: noon + dayMs })
    const days = turnsOf([said, reply, later], [thread()]).filter((turn) => turn.kind === 'day')
    expect(days).toHaveLength(2)
  })
})

describe('steps of the card', () => {
  const table = (rows: readonly Parameters<typeof callRow>[0][]) =>
    Object.fromEntries(rows.map((row) => [callKey({ step: 0, path: '0', ...row }), callRow(row)]))
  const action = (path: string, patch: Parameters<typeof callRow>[0] = {}) =>
    ({ kind: 'action', name: 'read_file', path, summary: `file ${path}`, ...patch }) as const

  test('calls of one action are counted, one alone says what it was about', () => {
    const [knot] = knotsOf(table([{}, action('1'), action('2'), action('10', { name: 'list_files' })]))
    expect(knot?.acts).toMatchObject([
      { name: 'read_file', count: 2, summary: '' },
      { name: 'list_files', count: 1, summary: 'file 10' },
    ])
  })

  test('a failed call marks its step, a running one more so', () => {
    const failed = action('1', { state: 'failed' })
    const running = action('2', { state: 'started', endedAt: null })
    expect(knotsOf(table([{}, failed]))[0]?.status).toBe('failed')
    expect(knotsOf(table([{}, failed, running]))[0]).toMatchObject({ status: 'running', endedAt: null })
    expect(knotsOf(table([{}, action('1', { state: 'refused' })]))[0]?.status).toBe('denied')
  })

  test('steps are in order and last from their first beginning to their last end', () => {
    const knots = knotsOf(
      table([
        { step: 10, startedAt: noon },
        { step: 2, startedAt: noon, endedAt: noon + 40 },
        action('1', { step: 2, startedAt: noon + 40, endedAt: noon + 300 }),
      ]),
    )
    expect(knots.map((knot) => knot.number)).toEqual([3, 11])
    expect(knots[0]).toMatchObject({ startedAt: noon, endedAt: noon + 300 })
  })

  test('a step without actions says what it was', () => {
    expect(knotsOf(table([{}]))[0]?.remark).toBe('answered')
    const waiting = { state: 'started', endedAt: null } as const
    expect(knotsOf(table([waiting]))[0]?.remark).toBe('waits for the model')
  })

  test('tokens of all calls are summed', () => {
    expect(
      tokensOf(
        table([
          { inputTokens: 10, outputTokens: 2 },
          { step: 1, inputTokens: 5 },
        ]),
      ),
    ).toBe(17)
  })
})

describe('a thread at rest says', () => {
  const stopped = thread({ state: 'Done', outcome: 'stopped', steps: 3 })

  test('what is safe, and why it rests where the title does not say it', () => {
    expect(restTitle(stopped)).toBe('Stopped by you')
    expect(restText(stopped)).toBe('Everything up to step 3 is recorded.')
    expect(restText({ ...stopped, reason: 'stopped by you' })).toBe('Everything up to step 3 is recorded.')
    expect(restText({ ...stopped, reason: 'The disk is full. ' })).toBe(
      'The disk is full. Everything up to step 3 is recorded.',
    )
  })

  test('in a list, where it stands', () => {
    const known = { approvals: {}, threads: {} }
    expect(standText(stopped, known)).toBe('stopped by you, 3 steps')
    expect(standText(thread({ state: 'Suspended', steps: 2 }), known)).toBe('suspended at step 2')
    expect(standText(thread({ state: 'Done', outcome: 'answered', steps: 1 }), known)).toBe('answered in 1 step')
  })

  test('a waiting thread says what it waits for, also where a child of it asks', () => {
    const waiting = thread({ state: 'Waiting', steps: 2, reason: 'write_file waits' })
    const child = thread({ id: 't2', number: 2, parentId: 't1', rootId: 't1' })
    const [first, second] = [approval({ id: 'a1' }), approval({ id: 'a2', threadId: 't2', requestSeq: 9 })]
    const known = { approvals: { a1: first, a2: second }, threads: { t1: waiting, t2: child } }
    expect(standText(waiting, known)).toBe('waits for you: write_file docs/a.md and 1 more')
    expect(standText(waiting, { ...known, approvals: {} })).toBe('waits for you: write_file waits')
  })
})

describe('lists of threads', () => {
  const threads = {
    a: thread({ id: 'a', number: 1, conversationId: 'c1' }),
    b: thread({ id: 'b', number: 2, conversationId: 'c1', state: 'Done' }),
    c: thread({ id: 'c', number: 3, conversationId: 'c2', title: 'Sum the invoices', goal: 'Sum the INVOICES' }),
  }
  const all = { state: null, query: '', conversations: false } as const

  test('newest first; a chat shows by its newest thread', () => {
    expect(listedThreads(threads, all, null).map(({ id }) => id)).toEqual(['c', 'b', 'a'])
    expect(listedThreads(threads, { ...all, conversations: true }, null).map(({ id }) => id)).toEqual(['c', 'b'])
  })

  test('a firing is no chat, until a person answers in it', () => {
    const firing = thread({ id: 'f', number: 4, conversationId: 'f', missionId: 'm1' })
    const chats = (known: Parameters<typeof listedThreads>[0]) =>
      listedThreads(known, { ...all, conversations: true }, null).map(({ id }) => id)
    expect(chats({ ...threads, f: firing })).toEqual(['c', 'b'])
    expect(listedThreads({ ...threads, f: firing }, all, null).map(({ id }) => id)).toEqual(['f', 'c', 'b', 'a'])
    const answer = thread({ id: 'g', number: 5, conversationId: 'f' })
    expect(chats({ ...threads, f: firing, g: answer })).toEqual(['g', 'c', 'b'])
  })

  test('a chat keeps the name of its first thread, which has the id of the chat', () => {
    const first = thread({ id: 'c1', conversationId: 'c1', title: 'What is in this folder?' })
    const newest = thread({ id: 't9', conversationId: 'c1', number: 9, title: 'why?' })
    expect(chatTitle({ c1: first, t9: newest }, newest)).toBe('What is in this folder?')
    expect(chatTitle({ t9: newest }, newest)).toBe('why?')
  })

  test('state and text narrow it as the store does', () => {
    expect(listedThreads(threads, { ...all, state: 'Done' }, null).map(({ id }) => id)).toEqual(['b'])
    expect(listedThreads(threads, { ...all, query: 'invoices' }, null).map(({ id }) => id)).toEqual(['c'])
  })

  test('threads of a page that is not loaded yet stay out', () => {
    expect(listedThreads(threads, all, 2).map(({ id }) => id)).toEqual(['c', 'b'])
  })

  test('commands mean the newest thread of the open chat, or the one on the inspector', () => {
    const known = {
      seq: 0,
      threads,
      chats: {},
      calls: {},
      live: {},
      queued: {},
      warned: {},
      endings: {},
      skills: {},
      canvases: {},
      skillSeq: 0,
      missionSeqs: {},
      learntSeq: 0,
      approvals: {},
    }
    expect(shownThread({ route: { screen: 'chat', conversationId: 'c1' }, known })?.id).toBe('b')
    expect(shownThread({ route: { screen: 'thread', id: '1' }, known })?.id).toBe('a')
    expect(shownThread({ route: { screen: 'threads' }, known })).toBeUndefined()
  })
})
