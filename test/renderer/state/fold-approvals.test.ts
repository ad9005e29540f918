import { describe, expect, test } from 'vitest'
import { foldEvents, mergeThreads } from '../../../renderer/state/fold.ts'
import { mergeApprovals, replacePending } from '../../../renderer/state/fold-approvals.ts'
import { emptyKnown } from '../../../renderer/state/model.ts'
import { listedThreads, pendingOfThread, threadsOfChat } from '../../../renderer/state/select.ts'
import { answered, approval, approvalDecided, approvalRequested, noon, thread } from '../support.ts'

const known = mergeThreads(emptyKnown, [thread()])

describe('requests', () => {
  test('one that is asked waits, and is decided by the event that decides it', () => {
    const asked = foldEvents(known, [approvalRequested(5)])
    expect(asked.approvals.a1).toMatchObject({
      state: 'pending',
      threadNumber: 1,
      requestSeq: 5,
      requestedAt: noon + 5,
    })
    const denied = foldEvents(asked, [approvalDecided(6, 'denied')])
    expect(denied.approvals.a1).toMatchObject({ state: 'denied', decisionReason: 'not now', decidedAt: noon + 6 })
  })

  test('a page that was read before a decision does not take it back', () => {
    const decided = foldEvents(known, [approvalRequested(5), approvalDecided(6, 'approved')])
    expect(mergeApprovals(decided, [approval({ state: 'pending' })]).approvals.a1?.state).toBe('approved')
  })

  test('what no longer waits in the store does not wait here', () => {
    const asked = foldEvents(known, [approvalRequested(5), approvalRequested(6, { path: '2' })])
    const read = replacePending(asked, [approval({ id: 'a2' })])
    expect(Object.keys(read.approvals)).toEqual(['a2'])
  })

  test('what a child asks holds up the thread that a person began', () => {
    const child = thread({ id: 't2', number: 2, parentId: 't1', rootId: 't1' })
    const asked = foldEvents(mergeThreads(known, [child]), [approvalRequested(5, { threadId: 't2' })])
    expect(pendingOfThread(asked, 't1').map(({ id }) => id)).toEqual(['a1'])
  })
})

describe('children', () => {
  const data = { number: 2, projectId: 'p1', conversationId: 'c1', title: 'Check links', tier: 'minuet' } as const
  const born = { kind: 'thread.created', seq: 5, threadId: 't2', at: noon } as const
  const withChild = foldEvents({ ...known, chats: { c1: { messages: [], before: null } } }, [
    { ...born, data: { ...data, parentId: 't1', depth: 1 }, body: { goal: 'Check links' } },
  ])

  test('are no turns of the chat and no conversations, but stand among the threads', () => {
    expect(withChild.threads.t2).toMatchObject({ parentId: 't1', rootId: 't1', depth: 1 })
    expect(threadsOfChat(withChild.threads, 'c1').map(({ id }) => id)).toEqual(['t1'])
    const filter = { state: null, query: '' }
    const ids = (conversations: boolean) =>
      listedThreads(withChild.threads, { ...filter, conversations }, null).map(({ id }) => id)
    expect(ids(true)).toEqual(['t1'])
    expect(ids(false)).toEqual(['t2', 't1'])
  })

  test('say nothing in the chat, and neither do notes of the engine', () => {
    const said = foldEvents(withChild, [
      { ...answered(6, 'found 14'), threadId: 't2' },
      {
        ...{ kind: 'message.added', seq: 7, threadId: 't1', at: noon },
        ...{ data: { role: 'user', origin: 'output', preview: 'printed' }, body: { content: 'printed' } },
      },
      answered(8, 'Fourteen.'),
    ])
    expect(said.chats.c1?.messages.map(({ content }) => content)).toEqual(['Fourteen.'])
  })
})
