import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import { createAgentTraces } from './agent-traces.ts'
import { createApi } from './api.ts'
import {
  actions as bundledActions,
  capabilitiesOf,
  createApprovals,
  createCapabilities,
  createHttpAction,
  createLeaseBook,
  createLoadSkillAction,
  createNetwork,
  createRateMeter,
  createRegistry,
  createRequests,
  createRunSkillAction,
  createSaveSkillAction,
  createSkillReadAction,
  createSkillSearchAction,
  createTrash,
  learningActions,
  systemResolve,
} from './capabilities/capabilities.ts'
import type { Closing } from './closing.ts'
import { promptTexts, readContent } from './content.ts'
import { correctThread } from './corrections.ts'
import { examine } from './doctor.ts'
import type { EventBatch, LiveEvent } from './domain/contract.ts'
import { type ErrorBody, errorBody } from './domain/error.ts'
import { limits } from './domain/limits.ts'
import { keyNamesIn } from './domain/settings.ts'
import { estimateTokens } from './domain/text.ts'
import type { ThreadHeader } from './domain/thread.ts'
import { createEmbedderChoice } from './embedder-choice.ts'
import type { EngineOptions } from './engine-options.ts'
import {
  factsOfNewChat,
  infoOf,
  midnightIn,
  missingSkill,
  modelsOf,
  previewEdit,
  runtimeText,
  skillFoldersOf,
} from './engine-parts.ts'
import { entryBeside, seamsOf } from './engine-seams.ts'
import { createEvents, followStore } from './events/events.ts'
import { createIntegrations, isOwnOrigin } from './integrations.ts'
import { knowledgeFor } from './knowledge.ts'
import {
  createImprovement,
  createMiner,
  createSkillExtraction,
  createSkillMineAction,
  createSkillProposeAction,
  createTraceWatch,
} from './learning/learning.ts'
import { localModelsIn } from './local-models.ts'
import { createMemory } from './memory/memory.ts'
import { createMissionDesk } from './mission-desk.ts'
import { createFiringThreads } from './mission-threads.ts'
import { createMissionActions, depthAfter, firingBehind } from './missions/missions.ts'
import { createLocalModels } from './models/models.ts'
import {
  createLoopReviews,
  createLoopVersions,
  createOrchestrator,
  createPrompts,
  createProposeAction,
  createSnippetCheck,
} from './orchestrator/orchestrator.ts'
import { createProjects } from './projects.ts'
import { createProviders } from './providers.ts'
import { roomFor } from './room.ts'
import { createRuns } from './runs/runs.ts'
import { createSandbox } from './sandbox/sandbox.ts'
import { recallKeys } from './secrets.ts'
import { createSettings } from './settings.ts'
import { createSkillLists } from './skill-lists.ts'
import { createManifestFetch, readManifestBy } from './skill-manifests.ts'
import { createHostedSkills, createSkillHost, createSkillSystem, readResource, resourcesIn } from './skills/skills.ts'
import { openStore } from './store/store.ts'
import { createMeters, createSlots, createThreads, sleptReason } from './threads/threads.ts'
import { writeTrace } from './trace-file.ts'
import { everyMinute, startUpkeep } from './upkeep.ts'

/** All parts of an engine, wired, and nothing begun: of `missions` only its start knows. */
export function wire(options: EngineOptions, closing: Closing) {
  const seams = seamsOf(options)
  const { clock, nextId, timeZone, secrets, redactor } = seams
  const { now } = clock
  const store = openStore({
    dataDir: options.dataDir,
    readOnly: options.readOnly ?? false,
    redactor,
    workerEntry: entryBeside('store/worker.ts', 'store-worker.js'),
  })
  closing.add(() => store.close())
  const events = createEvents({ store, now, onListenerFault: (error) => onFault(error) })
  const settings = createSettings(store)
  const sandbox = createSandbox({ spawn: seams.spawnSandbox, warm: 2, monotonicMs: clock.monotonic })
  closing.add(() => sandbox.close())
  const local = createLocalModels({
    ...{ dataDir: options.dataDir, clock, spawn: seams.spawnLocal },
    list: localModelsIn(settings),
    idleMs: () => settings.current.local.idleMs,
    searchPath: process.env.PATH,
  })
  closing.add(() => local.close())
  const models = modelsOf(options, seams, { settings, local })
  closing.add(() => models.close())
  const embedder = createEmbedderChoice(models, () => settings.current)
  const memory = createMemory({
    ...{ store, now, nextId, redactor, chosen: embedder.chosen },
    onFault: (error) => void (embedder.tookFault(error) || onFault(error)),
  })
  closing.add(() => memory.close())
  // Vectors that are being made are not waited for: they are made at the next search.
  closing.add(() => embedder.close())
  const network = createNetwork({
    resolve: options.resolve ?? systemResolve,
    isOwn: (url) => isOwnOrigin(settings.current, url.origin),
  })
  const dataDir = fs.realpathSync(options.dataDir)
  const snippetCheck = createSnippetCheck(sandbox)
  const agentTraces = createAgentTraces({ store, working: () => slots.used, monotonic: clock.monotonic })
  const skills = createSkillSystem({
    ...{ store, events, redactor, now, nextId, dataDir, host: createSkillHost(process.env, os.homedir()) },
    fixed: options.skills,
    folders: (projectId) => skillFoldersOf(options, projectId === null ? null : store.projects.get(projectId)),
    manifests: () => skillLists.manifests(),
    resources: resourcesIn,
    mayBeAgents: agentTraces.mayBeAgents,
    actions: () => registry.names,
    codeFault: (snippets) => snippetCheck(snippets, registry.names),
    isWatched: !options.readOnly,
    onFault: (error) => onFault(error),
  })
  closing.add(() => skills.close())
  const leaving = new AbortController()
  closing.add(() => leaving.abort())
  const skillLists = createSkillLists({
    ...{ settings, secrets, fetchText: createManifestFetch(network), signal: leaving.signal },
    onChange: () => skills.collection.rescan(),
  })
  const integrations = createIntegrations({
    ...{ library: skills.collection.everything, settings, secrets, network, now },
    onFault: (error) => onFault(error),
  })
  const propose = createProposeAction(
    () => versions,
    () => loopReviews,
    () => settings.current.orchestrator.selfModify,
  )
  const http = createHttpAction({
    ...{ network, redactor },
    access: integrations.access(skills.threads.loaded),
  })
  const hostedSkills =
    options.hostedSkills &&
    createHostedSkills(options.hostedSkills, {
      ...{ embedder: embedder.texts, now, joinsOf: store.events.skillsOf, joined: skills.threads.loads.joined },
      isTaken: (name, projectId) => skills.threads.get(name, projectId) !== undefined,
      readManifest: readManifestBy(createManifestFetch(network)),
    })
  const skillNames = (projectId: string) => skills.collection.library(projectId).skills.map(({ name }) => name)
  const extraction = createSkillExtraction({
    ...{ store, events, now, skillNames, review: skills.review },
    miner: createMiner({ sandbox, monotonicMs: clock.monotonic, actions: () => registry.names }),
  })
  const skillActions = [
    createSkillMineAction(extraction),
    createSkillProposeAction({ store, skillNames, review: skills.review, reword: skills.reword }),
    createSkillSearchAction((asked) => skills.threads.loads.search(asked)),
    createLoadSkillAction(skills.threads.loads, hostedSkills),
    createSkillReadAction({ folderOf: skills.folderOf, list: resourcesIn, read: readResource }),
    createSaveSkillAction((saved) => skills.save(saved), hostedSkills?.review),
    // Runs stand above, and are made below (RULES 32).
    createRunSkillAction((call) => runs.called(call)),
  ]
  const missionActions = createMissionActions({
    missions: () => desk.missions,
    zone: timeZone,
    causeDepth: (threadId) => depthAfter(firingBehind(store, threadId)),
    notify: ({ text, missionId }) => options.notify?.(text, { missionId }),
  })
  const improvement = createImprovement({
    ...{ store, events, memory, settings, redactor, now, nextId, skills: skills.desk },
    // Versions stand above, and are made below.
    loops: () => versions,
  })
  const actions = [
    ...(options.actions ?? [...bundledActions, http]),
    ...[...skillActions, ...missionActions, propose, ...improvement.actions],
  ]
  const registry = createRegistry(actions)
  const book = createLeaseBook(store)
  const hooks = options.hooks ?? []
  const capabilities = createCapabilities({
    ...{ registry, book, memory, hooks, redactor, dataDir, now, timeZone, installedSkill: skills.threads.installed },
    requests: createRequests({ store, now, nextId }),
    rates: createRateMeter(),
    policy: () => settings.current.policy,
    consume: (leaseId, at) => void store.leases.consume(leaseId, at),
    trash: ({ path: callPath, ...scope }) => trash.forCall(scope, callPath),
    environment: process.env,
    notify: (text, threadId) => options.notify?.(text, { threadId }),
  })
  const trash = createTrash({
    ...{ store, dataDir, now, nextId: () => nextId('tra') },
    onUndone: ({ id: trashId, threadId, step, path: callPath, file }, mark) =>
      events.commit((append) => {
        mark()
        append(threadId, { kind: 'effect.undone', data: { step, path: callPath, trashId, file } })
      }),
  })
  const approvals = createApprovals({
    ...{ store, events, book, now, nextId },
    // Threads stand above, and are made below (RULES 32).
    wake: { decided: (append, approval, how) => threads.wake.decided(append, approval, how) },
    edit: (approval, edited) => previewEdit({ store, capabilities }, approval, edited),
    redactor,
  })
  const groups = capabilitiesOf(registry.names)
  const prompts = createPrompts(promptTexts(options.contentDir), timeZone, groups)
  const versions = createLoopVersions({
    ...{ store, now },
    bundled: { name: 'default.py', code: readContent(options.contentDir, 'core/orchestrator/default.py') },
    pinned: () => settings.current.orchestrator.pinned,
  })
  const loopReviews = createLoopReviews({ store, sandbox, versions })
  const codeVms = store.codeVms
  const orchestrator = createOrchestrator({
    ...{ models, capabilities, events, now, sandbox, versions, codeVms, hooks, redactor },
  })
  const slots = createSlots(limits.slots, agentTraces.rested)
  const meters = createMeters({ store, settings: () => settings.current, now, midnightBefore: midnightIn(timeZone) })
  let fault: ErrorBody | null = null
  const onFault = (error: unknown) => {
    fault = error === null ? null : errorBody(error, 'engine.stopped')
  }
  const traces = createTraceWatch({ store, events, memory })
  const looking = new Set<Promise<void>>()
  closing.add(() => Promise.all(looking))
  const looksAt = (work: Promise<void>) => {
    const look = work.catch(onFault)
    looking.add(look)
    look.finally(() => looking.delete(look))
  }
  const onEnded = (thread: ThreadHeader) => {
    // What was found wrong with a thread is part of what it shows about its skills.
    looksAt(
      traces.ended(thread).then(async () => {
        improvement.ended(thread)
        await skills.tracker.ended(thread)
      }),
    )
    looksAt(Promise.resolve(thread).then((ended) => runs.ended(ended)))
    looksAt(Promise.resolve(thread).then((ended) => desk.threadEnded(ended.id)))
    const { id, outcome } = thread
    if (outcome !== null) looksAt(Promise.resolve().then(() => hostedSkills?.ended(id, outcome)))
    if (options.traceDir !== undefined) writeTrace(options.traceDir, thread, { store, redactor })
  }
  const threads = createThreads({
    ...{ store, events, capabilities, groups, approvals, prompts, orchestrator, slots, meters, now, nextId, timeZone },
    ...{ settings: () => settings.current, onFault, onEnded, redactor },
    ...{ skills: skills.threads, catalogue: skills.threads.catalogue, hostedSkills },
    learnt: improvement.promptText,
    knowledge: (asked) => knowledgeFor(memory, asked),
  })
  const runs = createRuns({
    ...{ store, memory, prompts, skills: skills.threads, now, events, threads: () => threads },
    settings: () => settings.current,
    actionNames: registry.names,
    gate: (skill) => (action) => integrations.gate(skill, action),
  })
  const desk = createMissionDesk({
    ...{ store, events, nextId, clock, secrets, randomBytes, onFault, zone: timeZone, contentDir: options.contentDir },
    ...{ readOnly: options.readOnly ?? false, settings: () => settings.current, supervise: looksAt },
    atOnce: () => Math.max(1, Math.min(limits.missionsAtOnce, slots.total - 1)),
    threads: createFiringThreads(store, threads, onFault),
    knowledge: ({ projectId, question }) => memory.briefDocs(projectId, question),
    blocker: ({ skills: names }, projectId) => missingSkill(skills.threads, names, projectId),
    spent: (projectId) => meters.usedUp(projectId),
    revokeGrants: approvals.revokeOfMission,
    notify: ({ text, missionId, threadId }) => options.notify?.(text, threadId === null ? { missionId } : { threadId }),
  })
  // Another process writes: what it adds is read from the store.
  const log = options.readOnly ? followStore({ store, onFault }) : events
  const upkeep = options.readOnly
    ? undefined
    : startUpkeep(store, { now, prune: async () => void (await trash.prune()) })
  closing.add(() => log.close())
  closing.add(() => upkeep?.stop())
  const expiry = options.readOnly
    ? undefined
    : everyMinute(() => {
        approvals.expireDue()
        skills.review.expireDue()
        improvement.expireDue()
      }, onFault)
  closing.add(() => expiry?.stop())
  closing.add((reason) => threads.suspendAll(reason))
  closing.add(() => desk.close())
  // Before the end suspends all threads: those go on as after a crash.
  if (!options.readOnly)
    closing.add(
      events.subscribe(events.lastSeq, (batch) => {
        for (const event of batch.events)
          if (rests(event)) looksAt(Promise.resolve(event.threadId).then(desk.threadEnded))
      }),
    )
  if (!options.readOnly)
    looksAt(
      traces
        .catchUp()
        .then(() => skills.tracker.catchUp())
        .then(() => improvement.catchUp()),
    )
  if (!options.readOnly) looksAt(recallKeys(secrets, keyNamesIn(settings.current)).then(() => skillLists.read()))
  if (!options.readOnly) looksAt(Promise.resolve().then(() => runs.catchUp()))
  const offered = groups.filter(({ name }) => name !== learningActions).flatMap((group) => group.actions)
  const roomParts = {
    ...{ store, models, settings: () => settings.current },
    systemTokens: () =>
      estimateTokens(prompts.system(factsOfNewChat(settings.current, now(), skills.threads.catalogue(null)))),
    toolTokens: estimateTokens(JSON.stringify(registry.definitions(offered))),
  }
  const api = createApi({
    redactor,
    info: () => ({
      ...infoOf(options, log, slots),
      ...{
        approvals: approvals.pendingCount + skills.review.pendingCount,
        learntPending: improvement.desk.pendingCount,
        usedToday: meters.today(),
        missionsHeld: desk.held,
        fault: upkeep?.fault ?? fault ?? embedder.fault,
      },
    }),
    doctor: () =>
      examine(
        { dataDir: options.dataDir, store, sandbox, models, secrets, runtime: runtimeText(), now },
        AbortSignal.timeout(30_000),
      ),
    store,
    threads,
    runs,
    approvals,
    trash,
    versions,
    loopReviews,
    memory,
    projects: createProjects({
      ...{ store, dataDir, now, nextId },
      onTrust: () => skills.collection.rescan(),
      onNew: (projectId) => desk.addTo(projectId),
    }),
    missions: desk,
    missionZone: timeZone,
    now,
    settings,
    models,
    local,
    integrations,
    skills,
    skillLists,
    learnt: improvement.desk,
    correct: (correction) => correctThread({ store, events, tracker: skills.tracker }, correction),
    providers: createProviders({ settings, secrets, models, nextId, now }),
    room: (question, signal) => roomFor(question, roomParts, signal),
  })
  return {
    api,
    threads,
    runs,
    store,
    missions: desk,
    wokeUp: () => {
      desk.poke()
      return threads.wokeUp()
    },
    subscribe: (fromSeq: number, listener: (batch: EventBatch) => void) => log.subscribe(fromSeq, listener),
    stop: (reason: string) => closing.close(reason),
  }
}

/** Its thread goes on when a person says so. */
function rests(event: LiveEvent): boolean {
  return event.kind === 'thread.state' && event.data.to === 'Suspended' && event.data.reason !== sleptReason
}
