import { z } from 'zod'
import { apiInputs } from './api-inputs.ts'
import { chatMessage, wholeEvent, wholeRecord, wholeSteps } from './api-record.ts'
import type { Approvals, Trash } from './capabilities/capabilities.ts'
import type { DoctorCheck, EngineInfo, Room, RoomQuestion } from './domain/contract.ts'
import { AppError } from './domain/error.ts'
import { limits } from './domain/limits.ts'
import type { Firing, Mission } from './domain/mission.ts'
import type { ThreadHeader } from './domain/thread.ts'
import type { IntegrationsDesk } from './integrations.ts'
import { analyseTrace, type LearntDesk } from './learning/learning.ts'
import type { Memory } from './memory/memory.ts'
import type { MissionDesk } from './mission-desk.ts'
import { parseMission, previewCadence } from './missions/missions.ts'
import type { LocalModels, Models } from './models/models.ts'
import type { LoopReviews, LoopVersions } from './orchestrator/orchestrator.ts'
import type { Projects } from './projects.ts'
import type { Providers } from './providers.ts'
import type { Runs } from './runs/runs.ts'
import type { SettingsStore } from './settings.ts'
import type { SkillLists } from './skill-lists.ts'
import type { SkillSystem } from './skills/skills.ts'
import type { Store } from './store/store.ts'
import { requireThread, type Threads } from './threads/threads.ts'
/** What the handlers work on; wired by `createEngine`. */
export interface ApiParts {
  readonly info: () => EngineInfo
  readonly doctor: () => Promise<readonly DoctorCheck[]>
  readonly store: Store
  readonly threads: Threads
  readonly runs: Pick<Runs, 'begin'>
  readonly approvals: Approvals
  readonly trash: Trash
  readonly versions: LoopVersions
  readonly loopReviews: LoopReviews
  readonly memory: Memory
  readonly projects: Projects
  readonly settings: SettingsStore
  readonly models: Models
  readonly local: LocalModels
  readonly providers: Providers
  readonly integrations: IntegrationsDesk
  readonly skills: SkillSystem
  readonly skillLists: SkillLists
  readonly learnt: LearntDesk
  readonly missions: MissionDesk
  /** Where a mission's file names none. */
  readonly missionZone: string
  readonly now: () => number
  readonly correct: (correction: { readonly id: string; readonly reason: string }) => Promise<ThreadHeader>
  readonly room: (question: RoomQuestion, signal: AbortSignal) => Promise<Room>
}

export type Entry<Output> = (input: unknown, signal: AbortSignal) => Promise<Output>

function entry<Schema extends z.ZodType, Output>(
  schema: Schema,
  handle: (input: z.output<Schema>, signal: AbortSignal) => Output | Promise<Output>,
): Entry<Output> {
  return async (input, signal) => {
    const parsed = schema.safeParse(input)
    if (!parsed.success) throw wrongInput(parsed.error)
    return handle(parsed.data, signal)
  }
}

function threadEntries({ threads, runs, store, room, correct }: ApiParts) {
  return {
    'thread.list': entry(apiInputs['thread.list'], (filter) => {
      const rows = store.threads.list(filter)
      return { rows, next: rows.length < filter.limit ? null : (rows.at(-1)?.number ?? null) }
    }),
    'thread.get': entry(apiInputs['thread.get'], ({ id }) => requireThread(store, id)),
    'thread.conversation': entry(apiInputs['thread.conversation'], ({ conversationId }) =>
      store.threads.ofConversation(conversationId),
    ),
    'thread.send': entry(apiInputs['thread.send'], ({ skill, ...input }, signal) => {
      if (skill === undefined) return threads.send(input)
      const { text: objective, projectId = '' } = input
      return runs.begin({ ...input, skill, objective, projectId }, signal)
    }),
    'thread.room': entry(apiInputs['thread.room'], room),
    'thread.children': entry(apiInputs['thread.children'], ({ id }) =>
      store.threads.childrenOf(requireThread(store, id).id),
    ),
    'thread.stop': entry(apiInputs['thread.stop'], ({ id }) => threads.stop(id)),
    'thread.correct': entry(apiInputs['thread.correct'], (correction) => correct(correction)),
    'thread.resume': entry(apiInputs['thread.resume'], ({ id }) => threads.resume(id)),
    'thread.retry': entry(apiInputs['thread.retry'], ({ id }) => threads.retry(id)),
    'thread.fork': entry(apiInputs['thread.fork'], (input) => threads.fork(input)),
  }
}

function recordEntries({ store }: ApiParts) {
  return {
    'thread.calls': entry(apiInputs['thread.calls'], ({ id, afterStep, limit }) =>
      wholeSteps((rows) => store.calls.page(requireThread(store, id).id, afterStep, rows), limit),
    ),
    'thread.events': entry(apiInputs['thread.events'], ({ id, after, limit }) => {
      const rows = store.events.headersOf(requireThread(store, id).id, after, limit)
      return { rows, next: rows.length < limit ? null : (rows.at(-1)?.seq ?? null) }
    }),
    'thread.issues': entry(apiInputs['thread.issues'], ({ id }) => {
      const thread = requireThread(store, id)
      return analyseTrace(thread, wholeRecord(store, thread.id))
    }),
    'chat.messages': entry(apiInputs['chat.messages'], ({ conversationId, before, limit }) => {
      const events = store.events.messagesBefore(conversationId, before ?? Number.MAX_SAFE_INTEGER, limit)
      const rows = events.flatMap(chatMessage).reverse()
      return { rows, next: events.length < limit ? null : (events.at(-1)?.seq ?? null) }
    }),
    'event.body': entry(apiInputs['event.body'], ({ seq }) => wholeEvent(store, seq)),
  }
}

function decisionEntries({ approvals, trash, versions, loopReviews, store }: ApiParts) {
  return {
    'approval.list': entry(apiInputs['approval.list'], (filter) => approvals.list(filter)),
    'approval.get': entry(apiInputs['approval.get'], ({ id }) => approvals.get(id)),
    'approval.decide': entry(apiInputs['approval.decide'], ({ reason, edited, ...decision }) =>
      approvals.decide({ ...decision, reason: reason ?? null, edited }),
    ),
    'grant.list': entry(apiInputs['grant.list'], () => approvals.grants()),
    'grant.revoke': entry(apiInputs['grant.revoke'], ({ id }) => approvals.revokeGrant(id)),
    'trash.list': entry(apiInputs['trash.list'], ({ threadId, limit: most }) =>
      trash.list(threadId === undefined ? { limit: most } : { threadId: requireThread(store, threadId).id }),
    ),
    'trash.restore': entry(apiInputs['trash.restore'], ({ id: trashId }) => trash.restore(trashId)),
    'lease.list': entry(apiInputs['lease.list'], ({ threadId }) => approvals.leasesOf(threadId)),
    'lease.revoke': entry(apiInputs['lease.revoke'], ({ id }) => approvals.revokeLease(id)),
    'orchestrator.list': entry(apiInputs['orchestrator.list'], () => versions.list()),
    'orchestrator.get': entry(apiInputs['orchestrator.get'], ({ version }) => versions.get(version)),
    'orchestrator.activate': entry(apiInputs['orchestrator.activate'], ({ version }) => loopReviews.activate(version)),
    'orchestrator.propose': entry(apiInputs['orchestrator.propose'], (proposal) =>
      versions.propose({ ...proposal, source: 'user' }),
    ),
    'orchestrator.review': entry(apiInputs['orchestrator.review'], ({ version }) => loopReviews.review(version)),
    'orchestrator.rollback': entry(apiInputs['orchestrator.rollback'], ({ to }) => versions.rollBack(to)),
  }
}

function docEntries({ memory }: ApiParts) {
  return {
    'doc.list': entry(apiInputs['doc.list'], (filter) => {
      const rows = memory.list(filter)
      return { rows, next: rows.length < filter.limit ? null : (rows.at(-1)?.number ?? null) }
    }),
    'doc.get': entry(apiInputs['doc.get'], ({ id, version }) => memory.get(id, version)),
    'doc.versions': entry(apiInputs['doc.versions'], ({ id }) => memory.versions(id)),
    'doc.search': entry(apiInputs['doc.search'], async ({ projectId, query, limit }, signal) => {
      const { hits } = await memory.search(projectId, query, limit, signal)
      return hits
    }),
    'doc.save': entry(apiInputs['doc.save'], ({ id, ...doc }) => {
      if (id !== undefined) return memory.edit({ ...doc, id })
      return memory.writeDoc({ ...doc, provenance: 'user', sourceThreadId: null, callKey: null })
    }),
    'doc.archive': entry(apiInputs['doc.archive'], ({ id, archived }) => memory.archive(id, archived)),
  }
}

function setupEntries({ info, doctor, projects, settings, models, providers, missions }: ApiParts) {
  return {
    'engine.info': entry(apiInputs['engine.info'], info),
    doctor: entry(apiInputs.doctor, doctor),
    'project.list': entry(apiInputs['project.list'], () => projects.list()),
    'project.open': entry(apiInputs['project.open'], ({ folder }) => projects.open(folder)),
    'project.save': entry(apiInputs['project.save'], ({ id, patch }) => projects.save(id, patch)),
    'settings.get': entry(apiInputs['settings.get'], () => settings.current),
    'settings.set': entry(apiInputs['settings.set'], async ({ patch: { local, ...patch } }) => {
      const next = settings.set({ ...patch, ...(local && { local: { ...settings.current.local, ...local } }) })
      if (patch.webhooks !== undefined) await missions.triggers.settingsChanged()
      return next
    }),
    'model.list': entry(apiInputs['model.list'], (_input, signal) => providers.list(signal)),
    'model.discover': entry(apiInputs['model.discover'], (_input, signal) => models.discover(signal)),
    'model.probe': entry(apiInputs['model.probe'], (ref, signal) => providers.probe(ref, signal)),
    'provider.save': entry(apiInputs['provider.save'], ({ provider, key }, signal) =>
      providers.save(provider, key, signal),
    ),
    'provider.keychain': entry(apiInputs['provider.keychain'], () => providers.keychain()),
    'provider.remove': entry(apiInputs['provider.remove'], ({ id }) => providers.remove(id)),
  }
}

function integrationEntries({ integrations }: ApiParts) {
  return {
    'integration.list': entry(apiInputs['integration.list'], () => integrations.list()),
    'integration.connect': entry(apiInputs['integration.connect'], (asked) => integrations.connect(asked)),
    'integration.disconnect': entry(apiInputs['integration.disconnect'], (named) => integrations.disconnect(named)),
    'integration.test': entry(apiInputs['integration.test'], (named, signal) => integrations.test(named, signal)),
    'integration.address': entry(apiInputs['integration.address'], (asked) => integrations.setAddress(asked)),
  }
}

function skillEntries({ skills: { desk, collection, transfer }, skillLists }: ApiParts) {
  return {
    'skill.import': entry(apiInputs['skill.import'], (asked) => transfer.import(asked)),
    'skill.export': entry(apiInputs['skill.export'], (asked) => transfer.export(asked)),
    'skill.lists': entry(apiInputs['skill.lists'], () => skillLists.list()),
    'skill.follow': entry(apiInputs['skill.follow'], ({ url, headers }) => skillLists.follow(url, headers ?? {})),
    'skill.unfollow': entry(apiInputs['skill.unfollow'], ({ url }) => skillLists.unfollow(url)),
    'skill.list': entry(apiInputs['skill.list'], ({ projectId }) => desk.list(projectId ?? null)),
    'skill.get': entry(apiInputs['skill.get'], (asked) => desk.get(asked)),
    'skill.select': entry(apiInputs['skill.select'], ({ goal, projectId }) => desk.select(goal, projectId ?? null)),
    'skill.uses': entry(apiInputs['skill.uses'], ({ id, limit }) => desk.uses(id, limit)),
    'skill.save': entry(apiInputs['skill.save'], (asked) => desk.save(asked)),
    'skill.rollback': entry(apiInputs['skill.rollback'], (asked) => desk.rollBack(asked)),
    'skill.quarantine': entry(apiInputs['skill.quarantine'], (asked) => desk.quarantine(asked)),
    'skill.globalize': entry(apiInputs['skill.globalize'], ({ id }) => desk.globalize(id)),
    'skill.problems': entry(apiInputs['skill.problems'], ({ projectId }) => desk.problems(projectId ?? null)),
    'skill.mend': entry(apiInputs['skill.mend'], ({ file, sha256 }) => {
      collection.mend(file, sha256)
      return desk.problems(null)
    }),
    'skill.rescan': entry(apiInputs['skill.rescan'], async () => {
      await skillLists.read()
      collection.rescan()
      return desk.problems(null)
    }),
  }
}

function candidateEntries({ skills: { review } }: ApiParts) {
  return {
    'candidate.list': entry(apiInputs['candidate.list'], (filter) => review.list(filter)),
    'candidate.get': entry(apiInputs['candidate.get'], ({ id }) => review.get(id)),
    'candidate.check': entry(apiInputs['candidate.check'], ({ id, content }) => review.checkEdit(id, content)),
    'candidate.file': entry(apiInputs['candidate.file'], ({ id, path }) => review.file(id, path)),
    'candidate.decide': entry(apiInputs['candidate.decide'], (decision) => review.decide(decision)),
  }
}

function learntEntries({ learnt }: ApiParts) {
  return {
    'learn.list': entry(apiInputs['learn.list'], (of) => learnt.list(of)),
    'learn.decide': entry(apiInputs['learn.decide'], (decision) => learnt.decide(decision)),
    'learn.undo': entry(apiInputs['learn.undo'], ({ id, reason }) => learnt.undo(id, reason ?? null)),
    'learn.status': entry(apiInputs['learn.status'], ({ projectId }) => learnt.status(projectId)),
  }
}

function missionEntries({ missions: desk, missionZone, info, now }: ApiParts) {
  const { missions, triggers } = desk
  const shown = (mission: Pick<Mission, 'id'>) => missions.get(mission.id)
  return {
    'mission.list': entry(apiInputs['mission.list'], (asked) =>
      'ids' in asked ? missions.some(asked.ids) : missions.list(asked.after, limits.missionPageRows),
    ),
    'mission.proposed': entry(apiInputs['mission.proposed'], () => missions.proposed()),
    'mission.next': entry(apiInputs['mission.next'], () => missions.next()),
    'mission.get': entry(apiInputs['mission.get'], (asked) =>
      missions.get('id' in asked ? asked.id : missions.idOf(asked.projectId, asked.name)),
    ),
    'mission.days': entry(apiInputs['mission.days'], ({ ids, ...asked }) => missions.days(ids, asked)),
    'mission.save': entry(apiInputs['mission.save'], (asked) => shown(missions.save({ ...asked, source: 'person' }))),
    'mission.read': entry(apiInputs['mission.read'], ({ text, zone = missionZone }) =>
      parseMission(Buffer.from(text), { zone }),
    ),
    'mission.pause': entry(apiInputs['mission.pause'], ({ id }) => shown(missions.pause(id))),
    'mission.resume': entry(apiInputs['mission.resume'], ({ id, version }) => shown(missions.resume(id, version))),
    'mission.skip': entry(apiInputs['mission.skip'], ({ id }) => shown(missions.skipNext(id))),
    'mission.remove': entry(apiInputs['mission.remove'], async ({ id }) => {
      await triggers.webhooks.forget(id)
      missions.remove(id)
      return { id }
    }),
    'webhook.status': entry(apiInputs['webhook.status'], () => triggers.webhooks.status()),
    'webhook.get': entry(apiInputs['webhook.get'], ({ id }) => triggers.webhooks.door(id)),
    'webhook.renew': entry(apiInputs['webhook.renew'], ({ id }) => triggers.webhooks.renew(id)),
    'mission.fire': entry(apiInputs['mission.fire'], ({ id: missionId }) =>
      missions.fire({ missionId, trigger: 'manual', payload: null, dedupeKey: null, causeDepth: 0 }),
    ),
    'mission.rehearse': entry(apiInputs['mission.rehearse'], ({ id: missionId }) =>
      missions.fire({ missionId, trigger: 'rehearsal', payload: null, dedupeKey: null, causeDepth: 0 }),
    ),
    'mission.rehearsal': entry(apiInputs['mission.rehearsal'], ({ id }) => missions.rehearsal(id)),
    'mission.firings': entry(apiInputs['mission.firings'], ({ id, from = 0, to = Number.MAX_SAFE_INTEGER }) =>
      missions.firings({ id, from, to }),
    ),
    'mission.preview': entry(apiInputs['mission.preview'], ({ id }) => missions.preview(id)),
    'mission.tick': entry(apiInputs['mission.tick'], async () => {
      const { claimed, begun } = await missions.tick(now())
      return newest([...claimed, ...begun])
    }),
    'mission.release': entry(apiInputs['mission.release'], () => {
      desk.release()
      return info()
    }),
    'cadence.preview': entry(apiInputs['cadence.preview'], ({ cadence, zone = missionZone, from = now(), count }) =>
      previewCadence({ cadence, zone }, { from, count }),
    ),
  }
}

/** Each once, as it was told last. */
function newest(firings: readonly Firing[]): readonly Firing[] {
  return [...new Map(firings.map((firing) => [firing.id, firing])).values()]
}

/** Each change answers with what there is now. */
function localEntries({ local }: ApiParts) {
  const after = async (change: void | Promise<void>) => {
    await change
    return local.status()
  }
  return {
    'local.status': entry(apiInputs['local.status'], () => local.status()),
    'local.add': entry(apiInputs['local.add'], ({ file }) => local.add(file)),
    'local.change': entry(apiInputs['local.change'], ({ name, ...change }) => local.change(name, change)),
    'local.remove': entry(apiInputs['local.remove'], ({ name, deletesFile }) => after(local.remove(name, deletesFile))),
    'local.download': entry(apiInputs['local.download'], ({ id }) => after(local.download(id))),
    'local.pause': entry(apiInputs['local.pause'], ({ id }) => after(local.pause(id))),
    'local.cancel': entry(apiInputs['local.cancel'], ({ id }) => after(local.cancel(id))),
    'local.gpu': entry(apiInputs['local.gpu'], ({ install }) => after(local.gpu(install))),
    'local.unload': entry(apiInputs['local.unload'], () => after(local.unload())),
  }
}

/** What a rule of our own says is written for people; what the parser says is not. */
function wrongInput(error: z.ZodError): AppError {
  const own = error.issues.find(({ code }) => code === 'custom')?.message
  return new AppError('api.input', {
    message: z.prettifyError(error),
    userMessage: `${own ?? 'What was asked for is not complete or not in the right form.'} Nothing was changed.`,
  })
}

/** Every handler, by the name of its call. */
export function createEntries(parts: ApiParts) {
  return {
    ...threadEntries(parts),
    ...recordEntries(parts),
    ...decisionEntries(parts),
    ...docEntries(parts),
    ...setupEntries(parts),
    ...integrationEntries(parts),
    ...skillEntries(parts),
    ...candidateEntries(parts),
    ...learntEntries(parts),
    ...missionEntries(parts),
    ...localEntries(parts),
  }
}
