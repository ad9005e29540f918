import type { z } from 'zod'
import { type ApiParts, createEntries, type Entry } from './api-entries.ts'
import type { apiInputs } from './api-inputs.ts'
import type { Lease } from './domain/action.ts'
import type { Approval, Grant, TrashItem } from './domain/approval.ts'
import type { Candidate, CandidateDetail, CheckedEdit, SkillExport, SkillImport } from './domain/candidate.ts'
import type { ChatMessage, DoctorCheck, EngineInfo, Keychain, Page, ProviderStatus, Room } from './domain/contract.ts'
import type { CronPreview, CronRefusal } from './domain/cron.ts'
import { AppError } from './domain/error.ts'
import type { EventHeader, StoredEvent } from './domain/event.ts'
import type { Integration, Integrations } from './domain/integration.ts'
import type { TraceIssue } from './domain/issue.ts'
import { cleanError } from './domain/leaks/errors.ts'
import type { Redactor } from './domain/leaks/redactor.ts'
import type { LearntEntry, LearntStatus } from './domain/learnt.ts'
import type { LocalModel, LocalStatus } from './domain/local.ts'
import type { DocHeader, DocVersionHeader, MemoryDoc, MemoryHit } from './domain/memory.ts'
import type { Firing, MissionDays, MissionDetail, MissionSummary, Rehearsal } from './domain/mission.ts'
import type { DiscoveredServer, ProbeResult } from './domain/model.ts'
import type { Project } from './domain/project.ts'
import type { Settings } from './domain/settings.ts'
import type {
  SkillChoice,
  SkillDetail,
  SkillHeader,
  SkillList,
  SkillProblem,
  SkillResourceText,
  SkillUse,
} from './domain/skill.ts'
import type { CallRow, ThreadHeader } from './domain/thread.ts'
import type { WebhookDoor, WebhookSecret, WebhookStatus } from './domain/webhook.ts'
import type { Brief, MissionVerdict } from './missions/missions.ts'
import type { LoopReview, LoopVersion } from './orchestrator/orchestrator.ts'

export { apiInputs } from './api-inputs.ts'
/** Where a message went: the thread that works on it and the event that holds it. */
export interface Started {
  readonly threadId: string
  readonly seq: number
}

export interface ApiOutputs {
  'engine.info': EngineInfo
  doctor: readonly DoctorCheck[]
  'project.list': readonly Project[]
  'project.open': Project
  'project.save': Project
  'thread.list': Page<ThreadHeader>
  'thread.get': ThreadHeader
  'thread.conversation': readonly ThreadHeader[]
  'thread.send': Started
  'thread.room': Room
  'thread.children': readonly ThreadHeader[]
  'thread.stop': ThreadHeader
  'thread.resume': ThreadHeader
  'thread.correct': ThreadHeader
  'thread.retry': Started
  'thread.fork': ThreadHeader
  'thread.calls': Page<CallRow>
  'thread.events': Page<EventHeader>
  'thread.issues': readonly TraceIssue[]
  'chat.messages': Page<ChatMessage>
  'event.body': StoredEvent
  'approval.list': Page<Approval>
  'approval.get': Approval
  'approval.decide': Approval
  'grant.list': readonly Grant[]
  'grant.revoke': Grant
  'trash.list': readonly TrashItem[]
  'trash.restore': TrashItem
  'lease.list': readonly Lease[]
  'lease.revoke': readonly Lease[]
  'orchestrator.list': readonly LoopVersion[]
  'orchestrator.get': LoopVersion
  'orchestrator.propose': LoopVersion
  'orchestrator.review': LoopReview
  'orchestrator.activate': LoopReview
  'orchestrator.rollback': LoopVersion
  'doc.list': Page<DocHeader>
  'doc.get': MemoryDoc
  'doc.versions': readonly DocVersionHeader[]
  'doc.search': readonly MemoryHit[]
  'doc.save': MemoryDoc
  'doc.archive': MemoryDoc
  'settings.get': Settings
  'settings.set': Settings
  'model.list': readonly ProviderStatus[]
  'model.discover': readonly DiscoveredServer[]
  'model.probe': ProbeResult
  'provider.save': ProviderStatus
  'provider.keychain': Keychain
  'provider.remove': Settings
  'integration.list': Integrations
  'integration.connect': Integration
  'integration.disconnect': Integration
  'integration.test': Integration
  'integration.address': Integration
  'skill.list': readonly SkillHeader[]
  'skill.get': SkillDetail
  'skill.select': SkillChoice
  'skill.uses': readonly SkillUse[]
  'skill.save': SkillDetail
  'skill.rollback': SkillDetail
  'skill.quarantine': SkillDetail
  'skill.globalize': Candidate
  'skill.problems': readonly SkillProblem[]
  'skill.mend': readonly SkillProblem[]
  'skill.rescan': readonly SkillProblem[]
  'skill.lists': readonly SkillList[]
  'skill.follow': readonly SkillList[]
  'skill.unfollow': readonly SkillList[]
  'skill.import': SkillImport
  'skill.export': SkillExport
  'candidate.list': Page<Candidate>
  'candidate.get': CandidateDetail
  'candidate.decide': Candidate
  'candidate.check': CheckedEdit
  'candidate.file': SkillResourceText
  'learn.list': readonly LearntEntry[]
  'learn.decide': LearntEntry
  'learn.undo': LearntEntry
  'learn.status': LearntStatus
  'mission.list': readonly MissionSummary[]
  'mission.next': MissionSummary | null
  'mission.proposed': readonly MissionSummary[]
  'mission.get': MissionDetail
  'mission.days': readonly MissionDays[]
  'mission.save': MissionDetail
  'mission.read': MissionVerdict
  'mission.pause': MissionSummary
  'mission.resume': MissionSummary
  'mission.skip': MissionSummary
  'mission.remove': { readonly id: string }
  'mission.fire': Firing
  'mission.rehearse': Firing
  'mission.rehearsal': Rehearsal | null
  'mission.firings': readonly Firing[]
  'webhook.status': WebhookStatus
  'webhook.get': WebhookDoor
  'webhook.renew': WebhookSecret
  'mission.preview': Brief
  'mission.tick': readonly Firing[]
  'mission.release': EngineInfo
  'cadence.preview': CronPreview | CronRefusal
  'local.status': LocalStatus
  'local.add': LocalModel
  'local.change': LocalModel
  'local.remove': LocalStatus
  'local.download': LocalStatus
  'local.pause': LocalStatus
  'local.cancel': LocalStatus
  'local.gpu': LocalStatus
  'local.unload': LocalStatus
}

export type ApiName = keyof typeof apiInputs
export type ApiInput<Name extends ApiName> = z.input<(typeof apiInputs)[Name]>
export type ApiOutput<Name extends ApiName> = ApiOutputs[Name]

export interface Api {
  call<Name extends ApiName>(name: Name, input: ApiInput<Name>, signal?: AbortSignal): Promise<ApiOutput<Name>>
  /** For a process boundary, where name and input are anything. @throws AppError api.unknown, api.input, and the call's own. */
  callByName(name: string, input: unknown, signal?: AbortSignal): Promise<unknown>
}

type Entries = { readonly [Name in ApiName]: Entry<ApiOutput<Name>> }

/** Whose answer is a secret: a person asked for a new one, and sees it this once. */
const tellsSecret: ReadonlySet<string> = new Set<ApiName>(['webhook.renew'])

/** What is answered, and what went wrong, holds no secret but that: it goes to a window, a socket or a terminal. */
export function createApi({ redactor, ...parts }: ApiParts & { readonly redactor: Redactor }): Api {
  const entries: Entries = createEntries(parts)
  const withoutSecrets = async <Output>(name: string, answer: Promise<Output>): Promise<Output> => {
    try {
      return tellsSecret.has(name) ? await answer : redactor.redact(await answer).value
    } catch (error) {
      throw cleanError(error, redactor)
    }
  }
  const names = new Set(Object.keys(entries))
  const isName = (name: string): name is ApiName => names.has(name)
  const never = new AbortController().signal
  return {
    call<Name extends ApiName>(name: Name, input: ApiInput<Name>, signal = never) {
      const run: Entry<ApiOutput<Name>> = entries[name]
      return withoutSecrets(name, run(input, signal))
    },
    async callByName(name, input, signal = never) {
      if (!isName(name)) throw unknownCall(name)
      return withoutSecrets<unknown>(name, entries[name](input, signal))
    },
  }
}

function unknownCall(name: string): AppError {
  return new AppError('api.unknown', {
    message: `no call ${name.slice(0, 80)}`,
    userMessage: 'That call does not exist in this version. Nothing was changed.',
  })
}
