import type { Approval, GrantScope } from '../domain/approval.ts'
import type { Candidate } from '../domain/candidate.ts'
import { AppError } from '../domain/error.ts'
import { limits } from '../domain/limits.ts'
import type { Access } from './access.ts'
import { showRequest } from './requests.ts'
import { watch } from './rest.ts'
import { progress, report } from './run.ts'
import type { Terminal } from './terminal.ts'

/** `approval list`: what waits for a person, oldest first. */
export async function listApprovals(access: Access, terminal: Terminal): Promise<number> {
  const { rows } = await access.call('approval.list', { state: 'pending', limit: limits.pageRows })
  for (const [at, request] of rows.entries()) {
    terminal.json(shortForm(request))
    if (terminal.isJson) continue
    if (at > 0) terminal.line('')
    await showRequest(access, terminal, request)
  }
  const candidates = await access.call('candidate.list', { state: 'pending', limit: limits.pageRows })
  for (const [at, candidate] of candidates.rows.entries()) {
    terminal.json(candidateForm(candidate))
    if (terminal.isJson) continue
    if (at > 0 || rows.length > 0) terminal.line('')
    showCandidate(terminal, candidate)
  }
  if (rows.length + candidates.rows.length === 0) terminal.note('nothing waits for you')
  return 0
}

function candidateForm({ id, name: candidate, sha256: hash, state }: Candidate) {
  return { id, kind: 'skill', candidate, hash, state } as const
}

/** Nothing waits for it: whoever wants to see diff and evidence looks at it in the app. */
function showCandidate(
  terminal: Terminal,
  { id, kind, name, reason, proposedBy, threadNumber, target }: Candidate,
): void {
  const version = target === null ? 'new' : `after v${target.version}`
  terminal.line(`${id}  skill ${name}, ${kind === 'new' || kind === 'update' ? version : kind}`)
  const from = threadNumber === null ? proposedBy : `${proposedBy}, thread #${threadNumber}`
  terminal.line(terminal.dim(`  ${reason}; from ${from}`))
  terminal.line(terminal.dim(`  threadsmith skill approve ${id}  or  skill reject ${id} --reason "…"`))
}

export interface DecideOptions {
  readonly id: string
  readonly decision: 'approve' | 'deny'
  readonly scope: GrantScope
  readonly reason?: string
  readonly stop: boolean
  /** Goes on with the thread to its next rest. */
  readonly run: boolean
}

/** `approval approve|deny`: exit 0 once it is decided, whatever then becomes of the thread. */
export async function decideApproval(access: Access, terminal: Terminal, options: DecideOptions): Promise<number> {
  const { decision, scope, reason, stop, run } = options
  const { id, threadId } = await requestNamed(access, options.id)
  // An app that owns the thread goes on with it by itself.
  const shown = progress(terminal)
  const watching = run && access.isOwn ? await watch(access, shown) : undefined
  shown.follow(threadId)
  const decided = await access.call('approval.decide', { id, decision, scope, stop, run, ...(reason && { reason }) })
  terminal.json(shortForm(decided))
  const { state, action, summary, threadNumber } = decided
  terminal.line(terminal.status(state, state === 'approved'), ` ${action} ${summary} of #${threadNumber}`)
  if (watching === undefined) return 0
  const { rootId } = await access.call('thread.get', { id: threadId })
  const thread = await watching.untilRest(rootId)
  watching.end()
  if (!terminal.isJson) await report(access, terminal, thread)
  return 0
}

function shortForm({ id, kind, action, hash, state }: Approval) {
  return { id, kind, action, hash, state }
}

/** By its id or the beginning of it, with or without `app_`. @throws AppError approval.not_found; api.input for several. */
async function requestNamed(access: Access, name: string): Promise<Approval> {
  const { rows } = await access.call('approval.list', { state: 'pending', limit: limits.pageRows })
  const found = rows.filter(({ id }) => id.startsWith(name) || id.startsWith(`app_${name}`))
  const exact = found.find(({ id }) => id === name) ?? (found.length === 1 ? found[0] : undefined)
  if (exact !== undefined) return exact
  if (found.length === 0) return access.call('approval.get', { id: name })
  throw new AppError('api.input', {
    message: `${found.length} requests begin with ${name}`,
    userMessage: `${found.length} requests begin with “${name}”. Nothing was decided; give more of the id.`,
    data: { ids: found.slice(0, 20).map(({ id }) => id) },
  })
}
