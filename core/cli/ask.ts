import type { Approval } from '../domain/approval.ts'
import { errorBody } from '../domain/error.ts'
import { limits } from '../domain/limits.ts'
import type { ThreadHeader } from '../domain/thread.ts'
import type { Access } from './access.ts'
import { showRequest } from './requests.ts'
import type { Watch } from './rest.ts'
import type { Terminal } from './terminal.ts'

type Answer =
  | { readonly decision: 'approve'; readonly scope: 'once' | 'thread' }
  | { readonly decision: 'deny'; readonly reason?: string; readonly stop: boolean }

/** Decides at this terminal what a thread and its children ask for, until it rests otherwise or the person leaves it waiting. */
export async function decideHere(access: Access, terminal: Terminal, watching: Watch, threadId: string) {
  for (;;) {
    const thread = await watching.untilRest(threadId)
    const [request] = thread.state === 'Waiting' ? await requestsOf(access, thread) : []
    if (request === undefined) return thread
    terminal.line('')
    await showRequest(access, terminal, request)
    const answer = await answerTo(terminal, request)
    if (answer === 'leave') return thread
    await decide(access, terminal, { id: request.id, ...answer })
  }
}

/** Somebody else may have decided meanwhile, or the time was over: then that counts. */
async function decide(access: Access, terminal: Terminal, decision: Answer & { readonly id: string }): Promise<void> {
  try {
    await access.call('approval.decide', decision)
  } catch (error) {
    const { code, userMessage } = errorBody(error)
    if (code !== 'approval.decided' && code !== 'approval.expired') throw error
    terminal.note(userMessage)
  }
}

/** Oldest first, the children's among them. */
async function requestsOf(access: Access, thread: ThreadHeader): Promise<readonly Approval[]> {
  const { rows } = await access.call('approval.list', { state: 'pending', limit: limits.pageRows })
  const ids = new Set(await familyOf(access, thread.id))
  return rows.filter((request) => ids.has(request.threadId))
}

async function familyOf(access: Access, id: string): Promise<readonly string[]> {
  const children = await access.call('thread.children', { id })
  const below = await Promise.all(children.map((child) => familyOf(access, child.id)))
  return [id, ...below.flat()]
}

/** Only a letter decides: an empty line asks again, and the end of the input leaves it waiting. */
async function answerTo(terminal: Terminal, { scopeKey, effects }: Approval): Promise<Answer | 'leave'> {
  const canStand = scopeKey !== null && !effects.includes('Financial')
  const keys = `y once${canStand ? ', t for all of this thread' : ''}, n no, s no and stop, q leave it waiting`
  for (;;) {
    const said = await terminal.ask(`Allow it? (${keys}) `)
    if (said === null) return 'leave'
    switch (said.trim().toLowerCase()) {
      case 'y':
        return { decision: 'approve', scope: 'once' }
      case 't':
        if (canStand) return { decision: 'approve', scope: 'thread' }
        break
      case 'n': {
        const reason = await terminal.ask('Why not? The agent reads it; empty for nothing: ')
        if (reason === null) return 'leave'
        return { decision: 'deny', stop: false, ...(reason.trim() !== '' && { reason }) }
      }
      case 's':
        return { decision: 'deny', stop: true }
      case 'q':
        return 'leave'
    }
  }
}
