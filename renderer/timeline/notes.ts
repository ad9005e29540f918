import type { BudgetCheck } from '../../core/domain/budget.ts'
import type { ContextWarned } from '../../core/domain/event.ts'
import { secretsInWords } from '../../core/domain/leaks/words.ts'
import type { SkillSelected } from '../../core/domain/skill.ts'
import { durationText, tokensText, usdText } from '../format/figures.ts'
import { type EventFacts, type Fact, factOf } from './fact.ts'

/** What an event says, in a line. Null for a call's own events, and for messages, which stand in the transcript. */
export function noteText(fact: Fact): string | null {
  switch (fact.kind) {
    case 'thread.created':
      return fact.data.parentId === undefined ? 'Created' : 'Created by the code of another thread'
    case 'thread.recovered': {
      const { step, lostCalls } = fact.data
      const lost = lostCalls.length === 0 ? 'nothing was lost' : `begun again: ${lostCalls.join(', ')}`
      return `Recovered at step ${step + 1}; ${lost}`
    }
    case 'thread.corrected':
      return `You said that this was wrong: ${fact.data.wrong}`
    case 'step.restarted':
      return `The model call of step ${fact.data.step + 1} was made again`
    case 'slot.queued':
      return `Waits for a slot, ${fact.data.ahead} ahead`
    case 'slot.acquired':
      return `Got a slot after ${durationText(fact.data.waitedMs)}`
    case 'status':
      return fact.data.text
    case 'unreadable':
      return `What stood here cannot be read any more (${fact.data.problem})`
    default:
      return permissionText(fact) ?? contextText(fact) ?? skillText(fact) ?? loopText(fact)
  }
}

function permissionText(fact: Fact): string | null {
  switch (fact.kind) {
    case 'lease.granted':
      return `Lease on ${fact.data.capability}: ${fact.data.actions.join(', ')}`
    case 'lease.revoked':
      return `Lease on ${fact.data.capability} ${fact.data.reason === 'ended' ? 'ended with the thread' : fact.data.reason}`
    case 'grant.given':
      return `Standing approval of ${fact.data.scopeKey}, for ${fact.data.scope === 'always' ? 'every project' : `this ${fact.data.scope}`}`
    case 'grant.revoked':
      return 'A standing approval was revoked'
    case 'approval.requested':
      return `Asked you: ${`${fact.data.name} ${fact.data.summary}`.trim()}`
    case 'approval.decided': {
      const { name, state, scope, reason, editedHash } = fact.data
      const how =
        state === 'approved' && scope !== 'once' ? `, ${scope === 'always' ? 'always' : `for this ${scope}`}` : ''
      return `${name}: ${state}${how}${editedHash === undefined ? '' : ', edited'}${reason ? ` (${reason})` : ''}`
    }
    case 'effect.undone':
      return `Undone: ${fact.data.file}`
    case 'skill.ran': {
      const { skill, version, turns, elapsedMs, outcome } = fact.data
      return `Skill ${skill} v${version} ran: ${outcome}, ${turns} ${turns === 1 ? 'turn' : 'turns'}, ${durationText(elapsedMs)}`
    }
    default:
      return null
  }
}

function contextText(fact: Fact): string | null {
  switch (fact.kind) {
    case 'context.compacted': {
      const { tokensBefore, tokensAfter, windowTokens, trigger } = fact.data
      const why = trigger === 'overflow' ? 'it did not fit any more' : 'it was nearly full'
      return `Context shortened from ${tokensText(tokensBefore)} to ${tokensText(tokensAfter)} of ${tokensText(windowTokens)} tokens: ${why}`
    }
    case 'context.warned':
      return warningText(fact.data)
    case 'docs.retrieved': {
      const { docs } = fact.data
      return docs.length === 0
        ? 'No doc of the memory fitted'
        : `From the memory: ${docs.map(({ title }) => title).join(', ')}`
    }
    case 'skill.selected':
      return skillsText(fact.data)
    case 'canvas.emitted':
      return `Drew a ${fact.data.kind === 'markdown' ? 'text' : fact.data.kind}: ${fact.data.title}`
    case 'message.added': {
      const { origin, preview } = fact.data
      if (origin === 'skills') return 'The text of the skills was given to the model'
      if (origin === 'catalogue') return 'The model was told of the skills of the host'
      if (origin === 'nudge') return `Note to the model: ${preview}`
      if (origin === 'knowledge') return `Docs were given to the model: ${preview}`
      return origin === 'surroundings' ? 'The project was described to the model' : null
    }
    case 'budget.checked': {
      const worst =
        fact.data.checks.find(({ verdict }) => verdict === 'stop') ??
        fact.data.checks.find(({ verdict }) => verdict === 'warn')
      return worst ? budgetText(worst) : null
    }
    default:
      return null
  }
}

/** What happened to skills by what a thread did: each is a fact of the store, the thread only tells of it. */
function skillText(fact: Fact): string | null {
  switch (fact.kind) {
    case 'skill.loaded': {
      const { name, version } = fact.data.skill
      return `The model asked for the skill ${name} v${version}`
    }
    case 'skill.proposed':
      return `${proposedWords[fact.data.kind]} ${fact.data.name}: inert until you approve it`
    case 'skill.mined': {
      const { subjectNumber, verdict, reason, detail } = fact.data
      return `Thread #${subjectNumber}: ${minedWords[verdict]} (${reason}): ${detail}`
    }
    case 'skill.decided': {
      const { name, state, version, reason } = fact.data
      return `Candidate of ${name}: ${state}${version === null ? '' : ` as v${version}`}${reason ? ` (${reason})` : ''}`
    }
    case 'skill.versioned': {
      const { name, from, to, reason } = fact.data
      const what = to === null ? 'out of use' : from === null ? `v${to} is live` : `v${from} → v${to}`
      return `Skill ${name}: ${what}${reason === '' ? '' : ` (${reason})`}`
    }
    case 'skill.used': {
      const { name, version, outcome, reason } = fact.data
      const how =
        outcome === null ? 'does not count' : outcome === 'success' ? 'counts as a success' : 'counts as a failure'
      return `Skill ${name} v${version}: ${how}${reason === '' ? '' : ` (${reason})`}`
    }
    default:
      return null
  }
}

const minedWords = {
  proposed: 'a skill was proposed',
  skipped: 'no skill',
  unfit: 'not looked at',
} as const

const proposedWords = {
  new: 'Proposed the new skill',
  update: 'Proposed the next version of the skill',
  rollback: 'Proposed to go back with the skill',
  global: 'Proposed for everywhere the skill',
} as const

function skillsText({ skills, looked, unavailable }: SkillSelected): string {
  const chosen = skills.map(
    ({ name, version, score, isForced }) => `${name} v${version} (${isForced ? 'named' : score})`,
  )
  const what = chosen.length === 0 ? `No skill joined, ${looked} looked at` : `Skills: ${chosen.join(', ')}`
  return unavailable.length === 0 ? what : `${what}. Not available: ${unavailable.map((name) => `/${name}`).join(', ')}`
}

/** That a prompt does not fit, or was not read as a whole, and what to do. */
export function warningText({ phase, promptTokens, windowTokens, reportedTokens = 0 }: ContextWarned): string {
  const mend = 'Give the model a larger window in Settings → Models.'
  const sent = `about ${promptTokens.toLocaleString('en')} tokens`
  if (phase === 'after') {
    return `The server read only ${reportedTokens.toLocaleString('en')} of ${sent}, so the oldest part of the conversation was left out. ${mend}`
  }
  const window = windowTokens === null ? 'an unknown window' : `a window of ${windowTokens.toLocaleString('en')}`
  return `A${sent.slice(1)} go to ${window}: the server may drop the oldest part without a word. ${mend}`
}

function loopText(fact: Fact): string | null {
  switch (fact.kind) {
    case 'repeat.noticed': {
      const { name, count, verdict } = fact.data
      return `${name} was called ${count} times with the same result: ${verdict === 'told' ? 'the model was told' : 'stopped'}`
    }
    case 'secret.redacted':
      return `Redacted: ${secretsInWords(fact.data.redactions)}`
    case 'trace.analysed':
      return fact.data.issues.length === 0
        ? 'Looked over: nothing went wrong'
        : `Looked over: ${fact.data.issues.length} found`
    case 'orchestrator.chosen':
      return fact.data.version === 0 ? null : `Runs on version ${fact.data.version} of the step loop`
    case 'orchestrator.failed':
      return `Version ${fact.data.version} of the step loop failed: ${fact.data.reason}`
    case 'orchestrator.rolledBack':
      return `Step loop back from version ${fact.data.from} to ${fact.data.to}: ${fact.data.reason}`
    case 'orchestrator.diverged':
      return `Step ${fact.data.step + 1} ran differently after a restart: expected ${fact.data.expected}, got ${fact.data.got}`
    default:
      return null
  }
}

const scopeWords = { thread: 'this thread', project: 'this project', day: 'today' } as const

/** `80 % of the tokens of this thread`: what a check found. */
function budgetText({ scope, kind, used, limit, verdict }: BudgetCheck): string {
  const figure = (value: number) => (kind === 'usd' ? usdText(value) : tokensText(value))
  const unit = kind === 'usd' ? '' : ` ${kind}`
  const what = `${figure(used)} of ${figure(limit)}${unit} for ${scopeWords[scope]}`
  return verdict === 'stop' ? `Budget used up: ${what}` : `Budget nearly used up: ${what}`
}

const marked: ReadonlySet<Fact['kind']> = new Set([
  'context.compacted',
  'context.warned',
  'repeat.noticed',
  'thread.recovered',
  'thread.corrected',
  'lease.revoked',
  'effect.undone',
  'secret.redacted',
  'budget.checked',
  'orchestrator.failed',
  'orchestrator.rolledBack',
  'orchestrator.diverged',
])

/** What is marked on the thread's line; what is only history is not. */
export function markText(note: EventFacts): string | null {
  const fact = factOf(note)
  if (fact === null || !marked.has(fact.kind)) return null
  return fact.kind === 'lease.revoked' && fact.data.reason === 'ended' ? null : noteText(fact)
}
