import type { EffectType } from '../../core/domain/action.ts'
import type { Approval, ApprovalState, Change, GrantScope } from '../../core/domain/approval.ts'
import type { StatusLook } from '../components/status.tsx'
import { middleCut } from '../format/figures.ts'

const effectWords: Readonly<Record<EffectType, string>> = {
  ReadLocal: 'reads files of the project',
  ReadExternal: 'reads from the network',
  WriteLocal: 'changes files of the project',
  WriteExternal: 'changes things outside this project',
  CredentialedNetwork: 'uses a stored credential',
  Compute: 'computes',
  Financial: 'costs money',
}

/** What an action gives as its reason begins as it likes; a sentence on the screen begins large. */
export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** What it may touch, as a sentence: the strongest first. */
export function effectsText(effects: readonly EffectType[]): string {
  const strongest = order.filter((effect) => effects.includes(effect)).map((effect) => effectWords[effect])
  if (strongest.length === 0) return 'none declared'
  return sentence(strongest.join(', '))
}
const order: readonly EffectType[] = [
  'Financial',
  'WriteExternal',
  'CredentialedNetwork',
  'WriteLocal',
  'ReadExternal',
  'ReadLocal',
  'Compute',
]

/** Cannot be put right from here: one press is too easy. */
export function mustBeHeld(effects: readonly EffectType[]): boolean {
  return effects.includes('WriteExternal') || effects.includes('Financial')
}

const verbs: Readonly<Record<string, string>> = {
  write_file: 'Write',
  patch_file: 'Change',
  move: 'Move',
  delete: 'Delete',
  shell: 'Run',
  http: 'Send',
}
const objectCharacters = 40

/** Verb and object of what would be done: `Write docs/a.md`. */
export function doText({ action, summary }: Pick<Approval, 'action' | 'summary'>): string {
  const object = action === 'http' ? requestText(summary) : middleCut(summary, objectCharacters)
  const verb = verbs[action]
  if (verb === undefined) return object === '' ? `Run ${action}` : `Run ${action} ${object}`
  return object === '' ? `${verb} it` : `${verb} ${object}`
}

/** Method and host: the whole address stands below. Plain http stays in sight. */
function requestText(summary: string): string {
  const [, method, origin] = /^(\S+) (?:https:\/\/)?((?:http:\/\/)?[^/\s]+)/.exec(summary) ?? []
  return method === undefined || origin === undefined ? middleCut(summary, objectCharacters) : `${method} to ${origin}`
}

/** What would come of it: for a question that stands above the change. */
export function changeTitle(change: Change | null): string {
  switch (change?.kind) {
    case 'file':
      return 'What it does'
    case 'move':
      return 'What it moves'
    case 'command':
      return 'What it runs'
    case 'request':
      return 'What it sends'
    case 'text':
      return 'What it says'
    case undefined:
      return 'What it does'
  }
}

export const scopeTitles: Readonly<Record<GrantScope, string>> = {
  once: 'Once',
  thread: 'This thread',
  mission: 'This mission',
  project: 'This project',
  always: 'Always',
}

/** What a scope would let through from now on. */
export function scopeText(scope: GrantScope, { action, scopeKey }: Pick<Approval, 'action' | 'scopeKey'>): string {
  if (scope === 'once') return 'This very call. A changed one asks again.'
  const covered = scopeKey === action || scopeKey === null ? `every ${action}` : `${action}: ${scopeKey}`
  const where = {
    ...{ thread: 'in this thread', mission: 'in each firing of this mission' },
    ...{ project: 'in this project', always: 'in every project' },
  }[scope]
  return `From now on ${covered}, ${where}. Revoke it under Standing.`
}

/** Scopes that a request can have. What costs money, or is asked each time, has one; a firing is of its mission. */
export function scopesOf(
  { scopeKey, effects }: Pick<Approval, 'scopeKey' | 'effects'>,
  isOfMission: boolean,
): readonly GrantScope[] {
  if (scopeKey === null || effects.includes('Financial')) return ['once']
  return ['once', isOfMission ? 'mission' : 'thread', 'project', 'always']
}

export const approvalLooks: Readonly<Record<ApprovalState, StatusLook>> = {
  pending: { status: 'waiting', word: 'Waits' },
  approved: { status: 'done', word: 'Approved' },
  denied: { status: 'denied', word: 'Denied' },
  expired: { status: 'denied', word: 'Expired, denied' },
  cancelled: { status: 'queued', word: 'Cancelled' },
}

/** How it was decided, in a line: `you, for this thread`. */
export function decisionText({ state, scope, decisionReason }: Approval): string {
  const said = decisionReason ? `: “${decisionReason}”` : ''
  switch (state) {
    case 'pending':
      return 'waits for you'
    case 'approved':
      return `you, ${(scope === null || scope === 'once' ? 'once' : scopeTitles[scope].toLowerCase()).replace('this', 'for this')}${said}`
    case 'denied':
      return `you${said}`
    case 'expired':
      return 'nobody answered in time, so it was denied'
    case 'cancelled':
      return decisionReason ?? 'the thread ended'
  }
}
