import type { Wake } from '../capabilities/capabilities.ts'
import { callKey } from '../domain/calls.ts'
import { AppError } from '../domain/error.ts'
import { faultPoint } from '../domain/fault-point.ts'
import { sanitizeText } from '../domain/text.ts'
import { isTerminal, type Outcome, type ThreadHeader, type Tier } from '../domain/thread.ts'
import type { Append } from '../events/events.ts'
import { createActiveRuns } from './active.ts'
import { type FiringWish, insertFiringThread } from './firing.ts'
import { type ForkInput, forkThread } from './fork.ts'
import { requireThread } from './lifecycle.ts'
import { moveThread } from './moves.ts'
import { tryOf } from './record.ts'
import { runWishOf } from './run-mark.ts'
import { messageEvent, type SpawnInput, spawnThread } from './spawn.ts'
import { type RunInput, spawnRun } from './spawn-run.ts'
import { canGoOn, createWake, suspendIfStuck, suspendParents, wakeIfReady } from './wake.ts'
import type { ActiveRun, RunCall, RunParts, RunRest } from './working.ts'

export { requireProject, requireThread } from './lifecycle.ts'
export { createMeters } from './meter.ts'
export { eventsOf } from './record.ts'
export { runMarkOf } from './run-mark.ts'
export { createSlots, type Slots } from './slots.ts'
export type { RunInput, RunWish } from './spawn-run.ts'
export type { KnowledgeQuestion, RunCall, RunRest, RunSurroundings } from './working.ts'

export interface SendInput {
  readonly threadId?: string | undefined
  readonly projectId?: string | undefined
  readonly text: string
  readonly tier?: Tier | undefined
  /** `<providerId>/<model>`, in place of what the tier means. */
  readonly model?: string | undefined
  readonly maxSteps?: number | undefined
  /** Of the new thread with all its children. */
  readonly budget?: ThreadHeader['budget'] | undefined
  /** Every ordinary action of the new thread runs without asking (RULES 11). */
  readonly approvesAll?: boolean | undefined
}

/** The thread that works on a message, and the event that holds it. */
export interface Sent {
  readonly threadId: string
  readonly seq: number
}

export interface Threads {
  /** Injects into a running thread, resumes a suspended one, follows an ended one, or begins a chat. @throws AppError */
  send(input: SendInput): Sent
  /** A skill's run as a thread of its own, in a slot of its own. @throws AppError project.not_found */
  beginRun(input: RunInput): Sent
  /**
   * A skill's run that a call of a thread waits for, in its slot. Called again with the same key it goes on with the thread that
   * it began. @throws AppError thread.depth; cancelled, also where the thread does not run here
   */
  callRun(call: RunCall): Promise<RunRest>
  /** Ends it as `stopped`, at once: late answers are dropped. An ended thread stays as it is. */
  stop(idOrNumber: string): Promise<ThreadHeader>
  /** @throws AppError thread.transition unless it is suspended. */
  resume(idOrNumber: string): ThreadHeader
  /**
   * The same goal as the next thread of the same chat. Where a model's failure ended the thread, it goes on with what was done
   * by it and by every retry of it since: each call and its result are in the transcript.
   * @throws AppError thread.transition while it, or the newest retry of it, is active.
   */
  retry(idOrNumber: string): Sent
  /** A new thread of a new chat that goes on from a step of another one; see `forkThread`. */
  fork(input: ForkInput): ThreadHeader
  /** For a firing, inside a transaction that is open: Running, but nothing runs it yet. Answers its id. @throws AppError project.not_found */
  insertFiring(append: Append, wish: FiringWish): string
  /** Lets it run, once that is committed. */
  beginFiring(threadId: string): void
  /** Waits until each rests (ended, suspended or waiting). Outcomes in the order asked; null for one that did not end. */
  join(ids: readonly string[], signal: AbortSignal): Promise<readonly (Outcome | null)[]>
  /**
   * What a crash left Running: suspended, on record, and with `resume` those that may go on are taken up again in the same
   * transaction.
   */
  recover(mode: 'resume' | 'suspend', mayGoOn?: (thread: ThreadHeader) => boolean): readonly string[]
  /** Brings every active thread to Suspended and takes no more; used when the engine stops. */
  suspendAll(reason: string): Promise<void>
  /**
   * The computer slept: a stream that was open then is dead, though nothing says so. Each such call is made again, from the
   * record. Answers the threads.
   */
  wokeUp(): Promise<readonly string[]>
  /** What decisions do to threads; for the approvals. */
  readonly wake: Wake
}

export function createThreads(parts: Omit<RunParts, 'runs'>): Threads {
  const { store } = parts
  let isClosing = false
  const runs = createActiveRuns({ ...parts, onRest: (threadId) => lookAgain(threadId) })

  /** What was decided, or ended, in the very moment in which the thread came to rest. */
  function lookAgain(threadId: string): void {
    const thread = store.threads.get(threadId)
    if (thread !== undefined && isTerminal(thread.state)) {
      // Nothing of an ended thread may still draw on a model (asks A10). One that only rests goes on, and its children may run.
      if (thread.parentId === null) parts.meters.letGo(thread.id)
      parts.onEnded(thread)
      endChildren(threadId)
    }
    if (isClosing) return
    if (thread !== undefined && suspendIfStuck(parts, thread)) return
    const parentId = thread?.parentId ?? null
    if (!wakeIfReady({ ...parts, runs }, threadId) && parentId !== null) wakeIfReady({ ...parts, runs }, parentId)
  }

  function follow(thread: ThreadHeader, goal: string, more: Following): Sent {
    const { projectId, conversationId, tier, model, maxSteps } = thread
    const wish = more.isRetry ? runWishOf(store, thread) : undefined
    if (wish !== undefined) {
      const { retryOf } = more
      return startRun({ projectId, conversationId, model, wish, budget: thread.budget, approvesAll: false, retryOf })
    }
    const spawned = spawnThread(parts, {
      ...{ projectId, conversationId, goal, tier, model, maxSteps },
      ...{ isNewMessage: more.isNewMessage, retryOf: more.retryOf },
      ...{ budget: thread.budget, approvesAll: false },
    })
    runs.start(spawned.thread)
    return { threadId: spawned.thread.id, seq: spawned.seq }
  }

  function startRun(input: RunInput): Sent {
    const spawned = spawnRun(parts, input)
    runs.start(spawned.thread)
    return { threadId: spawned.thread.id, seq: spawned.seq }
  }

  function begin(input: SendInput, goal: string): Sent {
    const { projectId = '', tier = 'allegro', model = null, maxSteps = null } = input
    const { budget = null, approvesAll = false } = input
    const wishes = { projectId, goal, tier, model, maxSteps, budget, approvesAll }
    const spawned = spawnThread(parts, { ...wishes, isNewMessage: true })
    runs.start(spawned.thread)
    return { threadId: spawned.thread.id, seq: spawned.seq }
  }

  function inject({ thread, injected }: ActiveRun, text: string): Sent {
    const { seq } = parts.events.commit((append) => append(thread.id, messageEvent('user', text)))
    faultPoint('thread.told')
    injected.push(text)
    return { threadId: thread.id, seq }
  }

  /** A thread that stands as Running and does not run here: its end could not be recorded. It is suspended first. */
  function settled(idOrNumber: string): ThreadHeader {
    const thread = requireThread(store, idOrNumber)
    if (thread.state !== 'Running' || runs.has(thread.id)) return thread
    return moveThread(parts, { thread, after: [recoveredEvent(thread)], moves: [suspendLost] }).thread
  }

  /** A thread at rest that is stopped; any other stays as it is. */
  function ended(thread: ThreadHeader, reason: string): ThreadHeader {
    if (thread.state !== 'Suspended' && thread.state !== 'Waiting') return thread
    const why = { outcome: 'stopped', reason } as const
    const moves = [{ to: 'Running' }, { to: 'Completed', ...why }, { to: 'Done', ...why }] as const
    const moved = moveThread(parts, { thread, moves }).thread
    runs.ended(moved)
    return moved
  }

  /** Whatever ended the parent: a child that waits or is suspended would ask for nobody, with leases that are gone. */
  function endChildren(parentId: string): void {
    for (const child of store.threads.childrenOf(parentId)) {
      if (runs.has(child.id)) void runs.interrupt(child.id, { as: 'stopped', reason: parentEnded })
      else ended(child, parentEnded)
    }
  }

  function isOrphan({ parentId }: ThreadHeader): boolean {
    const parent = parentId === null ? undefined : store.threads.get(parentId)
    return parent !== undefined && isTerminal(parent.state)
  }

  function recoveredEvent(thread: ThreadHeader) {
    const calls = [...store.calls.tail(thread.id).values()]
    const step = Math.max(0, ...calls.map((call) => call.step))
    const lostCalls = calls.filter((call) => call.endedAt === null).map(callKey)
    return { kind: 'thread.recovered', data: { step, lostCalls } } as const
  }

  function assertOpen(): void {
    if (isClosing) throw closing()
  }

  return {
    send(input) {
      assertOpen()
      const said = parts.redactor.text(sanitizeText(input.text).trim())
      if (said === '') throw nothingSaid()
      if (input.threadId === undefined) return begin(input, said)
      const thread = settled(input.threadId)
      const run = runs.get(thread.id)
      if (run !== undefined) return inject(run, said)
      if (thread.state === 'Suspended') {
        const moves = [{ to: 'Running', reason: 'a message came' }] as const
        const moved = moveThread(parts, { thread, after: [messageEvent('user', said)], moves })
        runs.start(moved.thread)
        return { threadId: thread.id, seq: moved.seq }
      }
      // It reads the message once what it waits for has come.
      if (thread.state === 'Waiting') {
        const { seq } = parts.events.commit((append) => append(thread.id, messageEvent('user', said)))
        return { threadId: thread.id, seq }
      }
      if (!isTerminal(thread.state)) throw notNow(thread)
      assertOwnTurn(thread)
      return follow(withWishes(thread, input), said, { isNewMessage: true })
    },

    beginRun(input) {
      assertOpen()
      return startRun(input)
    },

    async callRun(call) {
      const caller = runs.get(call.threadId)?.runCalls
      if (caller === undefined) throw notRunning(call.threadId)
      return caller.run(call)
    },

    async stop(idOrNumber) {
      const { id } = requireThread(store, idOrNumber)
      await runs.interrupt(id, { as: 'stopped', reason: 'stopped by you' })
      const stopped = ended(settled(id), 'stopped by you')
      // After their parent: the end of a child would wake one that waits for it.
      for (const child of store.threads.childrenOf(id)) if (!isTerminal(child.state)) await this.stop(child.id)
      return stopped
    },

    resume(idOrNumber) {
      assertOpen()
      const thread = settled(idOrNumber)
      if (runs.has(thread.id)) return thread
      if (thread.state === 'Waiting' && wakeIfReady({ ...parts, runs }, thread.id))
        return requireThread(store, thread.id)
      if (thread.state !== 'Suspended') throw notNow(thread)
      const moved = moveThread(parts, { thread, moves: [{ to: 'Running', reason: 'resumed by you' }] })
      runs.start(moved.thread)
      return moved.thread
    },

    retry(idOrNumber) {
      assertOpen()
      const thread = settled(idOrNumber)
      if (!isTerminal(thread.state)) throw notNow(thread)
      assertOwnTurn(thread)
      const { newest, goesOn } = tryOf(store, thread)
      if (!isTerminal(newest.state)) throw notNow(newest)
      // An unanswered message is still the last one of the chat: it need not be said twice.
      const last = store.threads.ofConversation(thread.conversationId).at(-1)
      const isUnanswered = last?.id === newest.id && newest.outcome !== 'answered'
      const more = { isNewMessage: !isUnanswered, isRetry: true }
      return follow(thread, thread.goal, { ...more, ...(goesOn && { retryOf: newest.id }) })
    },

    fork(input) {
      assertOpen()
      const thread = forkThread(parts, input)
      runs.start(thread)
      return thread
    },

    insertFiring: (append, wish) => insertFiringThread(parts, wish, append),

    beginFiring(threadId) {
      // It stands as Running: the next start takes it for one that was lost.
      if (!isClosing) runs.start(requireThread(store, threadId))
    },

    async join(ids, signal) {
      signal.throwIfAborted()
      const rests = Promise.all(ids.map((id) => runs.rest(requireThread(store, id).id)))
      await orAborted(rests, signal)
      return ids.map((id) => requireThread(store, id).outcome)
    },

    recover(mode, mayGoOn = () => true) {
      const lost = store.threads.ofState('Running').filter((thread) => !runs.has(thread.id))
      if (lost.length > 0) faultPoint('recovery.found')
      for (const thread of lost) {
        // A child is taken up by its parent, where that was running too.
        const isParents = lost.some((other) => other.id === thread.parentId)
        const goesOn = mode === 'resume' && !isParents && !isOrphan(thread) && mayGoOn(thread)
        const takenUp = { to: 'Running', reason: 'taken up again after a restart' } as const
        const moves = goesOn ? [suspendLost, takenUp] : [suspendLost]
        const moved = moveThread(parts, { thread, after: [recoveredEvent(thread)], moves })
        faultPoint('recovery.suspended')
        if (goesOn) runs.start(moved.thread)
        if (goesOn) faultPoint('recovery.started')
      }
      const atRest = [...store.threads.ofState('Waiting'), ...store.threads.ofState('Suspended')]
      // A crash came between the end of the parent and theirs.
      for (const child of atRest.filter(isOrphan)) ended(child, parentEnded)
      const reason = 'Threadsmith ended while its child ran'
      parts.events.commit((append) => {
        for (const child of store.threads.ofState('Suspended')) suspendParents(parts, child, reason, append)
      })
      if (mode === 'suspend') return lost.map((thread) => thread.id)
      const ready = store.threads.ofState('Waiting').filter((thread) => mayGoOn(thread) && canGoOn(store, thread))
      for (const thread of ready) if (wakeIfReady({ ...parts, runs }, thread.id)) faultPoint('recovery.woken')
      return [...lost, ...ready].map((thread) => thread.id)
    },

    async suspendAll(reason) {
      isClosing = true
      // One that ends in this very moment may have begun the next of its chat.
      while (runs.ids().length > 0)
        await Promise.all(runs.ids().map((id) => runs.interrupt(id, { as: 'suspended', reason })))
    },

    async wokeUp() {
      const asking = runs.asking()
      const reason = 'the computer slept while a model answered'
      await Promise.all(asking.map((id) => runs.interrupt(id, { as: 'suspended', reason })))
      const suspended = asking.filter((id) => requireThread(store, id).state === 'Suspended')
      for (const id of suspended) this.resume(id)
      return suspended
    },

    wake: createWake({ ...parts, runs }),
  }
}

/** `isRetry`: of the same goal; a skill's run is run again as one. */
interface Following extends Pick<SpawnInput, 'isNewMessage' | 'retryOf'> {
  readonly isRetry?: boolean
}

const parentEnded = 'its parent has ended'
const suspendLost = { to: 'Suspended', reason: 'Threadsmith ended while it ran' } as const

function withWishes(thread: ThreadHeader, { tier, model, maxSteps }: SendInput): ThreadHeader {
  return { ...thread, ...(tier && { tier, model: null }), ...(model && { model }), ...(maxSteps && { maxSteps }) }
}

async function orAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  let leave: () => void = () => undefined
  const aborted = new Promise<never>((_resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    leave = () => signal.removeEventListener('abort', abort)
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    leave()
  }
}

function notRunning(threadId: string): AppError {
  return new AppError('cancelled', { message: `thread ${threadId} does not run here`, userMessage: 'Stopped.' })
}

function nothingSaid(): AppError {
  return new AppError('api.input', {
    message: 'empty text',
    userMessage: 'There is nothing to send: the message is empty.',
  })
}

/** A child is no turn of a chat: nothing can follow it there. */
function assertOwnTurn(thread: ThreadHeader): void {
  if (thread.parentId === null) return
  throw new AppError('thread.transition', {
    message: `thread ${thread.id} is a child of ${thread.parentId}`,
    userMessage: `Thread #${thread.number} was asked for by the code of another one, so it cannot be gone on with by itself. Nothing was sent. Write to the chat that it belongs to.`,
  })
}

function notNow(thread: ThreadHeader): AppError {
  return new AppError('thread.transition', {
    message: `thread ${thread.id} is ${thread.state}`,
    userMessage: `Thread #${thread.number} is ${thread.state.toLowerCase()}, so that cannot be done now. Nothing was changed.`,
    data: { state: thread.state },
  })
}

function closing(): AppError {
  return new AppError('engine.stopped', {
    message: 'the engine is stopping',
    userMessage: 'Threadsmith is closing. What is on record is kept; say it again after the next start.',
    retryable: true,
  })
}
