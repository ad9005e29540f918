import { z } from 'zod'
import { grantScopes } from './domain/approval.ts'
import { limits } from './domain/limits.ts'
import { docTypes } from './domain/memory.ts'
import { cadenceSchema, missionDefinitionSchema } from './domain/mission.ts'
import { isBareAddress, providerKinds } from './domain/model.ts'
import { projectPatchSchema } from './domain/project.ts'
import { settingsPatchSchema } from './domain/settings.ts'
import { threadStates, tiers } from './domain/thread.ts'

const id = z.string().min(1).max(64)
const key = z.number().int().nonnegative()
const limit = z.number().int().min(1).max(limits.pageRows).default(200)
const nothing = z.strictObject({})
const localName = z.string().min(1).max(200)
const threadInput = z.strictObject({ id })

/** Every call that the window, the command line and tests may make: what it takes. The answers stand in `ApiOutputs`. */
const missionName = z.string().min(1).max(64)
const zone = z.string().min(1).max(100)
const missionIds = z.array(id).min(1).max(limits.missionsAsked).readonly()
const fewDays = z.number().int().min(0).max(15)
const instant = z.number().int().min(0).max(8_640_000_000_000_000)
const skillName = z.string().min(1).max(200)
const skillVersion = z.number().int().positive()
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const note = z.string().trim().max(1_000)
const credential = { skill: skillName, credential: z.string().min(1).max(64) }

export const apiInputs = {
  'engine.info': nothing,
  doctor: nothing,
  'project.list': nothing,
  /** Opens a folder as a project, or answers the project that it already is. */
  'project.open': z.strictObject({ folder: z.string().min(1).max(4_096) }),
  /** Name, goals and the day's budget; the folder stays. */
  'project.save': z.strictObject({ id, patch: projectPatchSchema }),
  /** Newest first, by thread number. `conversations`: only the newest thread of each chat; firings that nobody answered are none. `query` is a part of the title. */
  'thread.list': z.strictObject({
    projectId: id.optional(),
    state: z.enum(threadStates).optional(),
    query: z.string().max(200).optional(),
    conversations: z.boolean().default(false),
    limit,
    before: key.optional(),
  }),
  /** `id` is a thread's id or its number. */
  'thread.get': threadInput,
  /** All threads of one chat, oldest first. */
  'thread.conversation': z.strictObject({ conversationId: id }),
  /**
   * A message: to a running thread it is injected, a suspended one goes on with it, an ended one is followed by a new
   * thread of the same chat, and without `threadId` a new chat begins in `projectId`.
   */
  'thread.send': z
    .strictObject({
      threadId: id.optional(),
      projectId: id.optional(),
      text: z.string().min(1).max(limits.goalCharacters),
      tier: z.enum(tiers).optional(),
      /** `<providerId>/<model>`, in place of what the tier means. */
      model: z.string().min(3).max(300).includes('/').optional(),
      maxSteps: z.number().int().min(1).max(limits.maxStepsCeiling).optional(),
      /** Of a new thread with all its children; without one the settings say. */
      budget: z
        .strictObject({
          tokens: z.number().int().positive().nullable(),
          usd: z.number().positive().nullable(),
          ms: z.number().int().positive().nullable(),
        })
        .optional(),
      /** Every ordinary action of a new thread runs without asking; never what costs money. */
      approvesAll: z.boolean().optional(),
      /** The new thread is a run of this skill: its text, its tier and its tools alone. */
      skill: skillName.optional(),
    })
    .refine(({ skill, threadId }) => skill === undefined || threadId === undefined, {
      error: 'A skill runs in a thread of its own.',
    }),
  /** What the next request would hold with a message of so many characters, for whoever writes it. */
  'thread.room': z.strictObject({
    threadId: id.optional(),
    tier: z.enum(tiers).optional(),
    model: z.string().min(3).max(300).includes('/').optional(),
    draftCharacters: key,
  }),
  /** The threads that its code asked for, oldest first. */
  'thread.children': threadInput,
  'thread.stop': threadInput,
  'thread.resume': threadInput,
  /** It ended, and was wrong: nothing is learnt from it, and it counts against the skills that it used. */
  'thread.correct': z.strictObject({ id, reason: z.string().trim().min(1).max(1_000) }),
  /** Starts an ended thread's goal again, as the next thread of the same chat. */
  'thread.retry': threadInput,
  /**
   * A new chat whose thread has the record of another one up to and including `step`, and goes on from there; `text` is what
   * is said next. Nothing of what is copied runs again.
   */
  'thread.fork': z.strictObject({
    id,
    step: z.number().int().min(0).max(limits.maxStepsCeiling),
    text: z.string().min(1).max(limits.goalCharacters).optional(),
  }),
  /** The compact index of a thread's timeline, by step. */
  'thread.calls': z.strictObject({
    id,
    afterStep: z.number().int().min(-1).default(-1),
    limit: z.number().int().min(1).max(5_000).default(2_000),
  }),
  'thread.events': z.strictObject({ id, after: key.default(0), limit }),
  /** What went wrong in a thread, worst first, read from its record as it stands. */
  'thread.issues': threadInput,
  /** What was said in a chat, newest page first in time, oldest first within the page. */
  'chat.messages': z.strictObject({ conversationId: id, before: key.optional(), limit }),
  'event.body': z.strictObject({ seq: key }),
  /** Pending: oldest first, all of them. Decided: newest first; `before` is the time of the last one seen. */
  'approval.list': z.strictObject({ state: z.enum(['pending', 'decided']), before: key.optional(), limit }),
  'approval.get': z.strictObject({ id }),
  /** The first decision counts. `edited` runs in place of what was asked for; `stop` ends the thread as denied. */
  'approval.decide': z.strictObject({
    id,
    decision: z.enum(['approve', 'deny']),
    scope: z.enum(grantScopes).default('once'),
    reason: z.string().trim().max(1_000).optional(),
    edited: z.record(z.string(), z.json()).optional(),
    stop: z.boolean().default(false),
    /** False: only decided; the thread goes on at the next start. */
    run: z.boolean().default(true),
  }),
  /** Standing approvals that are in force. */
  'grant.list': nothing,
  'grant.revoke': z.strictObject({ id }),
  /** What can be put back: of one thread oldest first, else the newest. */
  'trash.list': z.strictObject({ threadId: id.optional(), limit }),
  /** Puts back what was there, unless it was changed since. */
  'trash.restore': z.strictObject({ id }),
  'lease.list': z.strictObject({ threadId: id }),
  /** With all that were cut from it. */
  'lease.revoke': z.strictObject({ id }),
  /** The step loop's versions; 0 is the bundled one. */
  'orchestrator.list': nothing,
  'orchestrator.get': z.strictObject({ version: key }),
  /** An inert candidate; nothing runs it before it was activated. */
  'orchestrator.propose': z.strictObject({
    code: z.string().min(1).max(262_144),
    reason: z.string().trim().min(1).max(1_000),
  }),
  /** Runs it over the newest threads on record, without any effect. */
  'orchestrator.review': z.strictObject({ version: key }),
  /** Reviewed first; then what new threads begin with. */
  'orchestrator.activate': z.strictObject({ version: key }),
  /** To the parent of the current one where no version is given. */
  'orchestrator.rollback': z.strictObject({ to: key.optional() }),
  /** The newest docs first, by number. `query` is a part of the title. */
  'doc.list': z.strictObject({
    projectId: id,
    type: z.enum(docTypes).optional(),
    query: z.string().max(200).optional(),
    archived: z.boolean().default(false),
    before: key.optional(),
    limit,
  }),
  /** The newest version where none is named; archived docs too. */
  'doc.get': z.strictObject({ id, version: z.number().int().min(1).optional() }),
  /** The newest 200, newest first. */
  'doc.versions': z.strictObject({ id }),
  'doc.search': z.strictObject({
    projectId: id,
    query: z.string().min(1).max(1_000),
    limit: z.number().int().min(1).max(100).default(20),
  }),
  /** A person's edit: with `id` a new version of that doc, else of the doc with this type and title, or a new doc. */
  'doc.save': z.strictObject({
    id: id.optional(),
    projectId: id,
    /** Skills change by a decision of their own. */
    type: z.enum(docTypes).exclude(['Skill']),
    title: z.string().trim().min(1).max(limits.memoryTitleCharacters),
    content: z.string().min(1).max(limits.memoryDocCharacters),
    tags: z.array(z.string().trim().min(1).max(40)).max(20).default([]),
  }),
  /** Takes a doc out of searches and prompts, or back into them. Its versions stay. */
  'doc.archive': z.strictObject({ id, archived: z.boolean() }),
  'settings.get': nothing,
  'settings.set': z.strictObject({ patch: settingsPatchSchema }),
  'model.list': nothing,
  /** Looks on the usual loopback ports for Ollama, LM Studio, llama.cpp and vLLM. */
  'model.discover': nothing,
  /** One small real request. */
  'model.probe': z.strictObject({ providerId: id, model: z.string().min(1).max(200) }),
  /**
   * Adds or replaces a provider. `key` goes to the secrets, never to the settings; without it the one there is stays, as
   * long as the server's origin does.
   */
  'provider.save': z.strictObject({
    provider: z.strictObject({
      id: id.optional(),
      kind: z.enum(providerKinds),
      title: z.string().min(1).max(80),
      baseUrl: z
        .url({ protocol: /^https?$/ })
        .refine(isBareAddress, {
          error:
            'The address holds a user name, a password, a “?” or a “#”, and an address is stored and shown as it is. Enter it without them, and the key in the field for the key (on the command line: `threadsmith provider key <id>`).',
        })
        .nullable(),
    }),
    key: z.string().min(1).max(4_096).optional(),
  }),
  'provider.keychain': nothing,
  'provider.remove': z.strictObject({ id }),
  /** What each skill needs to talk to its services, and whether it has it. No value of a credential is ever answered. */
  'integration.list': nothing,
  'integration.connect': z.strictObject({ ...credential, value: z.string().min(1).max(8_192) }),
  'integration.disconnect': z.strictObject(credential),
  /** One harmless request that the skill names. */
  'integration.test': z.strictObject(credential),
  /** Null: the host itself again. */
  'integration.address': z.strictObject({
    skill: skillName,
    host: z.string().min(1).max(253),
    baseUrl: z
      .url({ protocol: /^https?$/ })
      .refine(isBareAddress, { error: 'The address must be without user name, password, “?” and “#”.' })
      .nullable(),
  }),
  /** Of a project those of everywhere too; without one, all that there are. The dry run alike. */
  'skill.list': z.strictObject({ projectId: id.optional() }),
  /** By name within a project, or by id. Without a version the live one. */
  'skill.get': z.strictObject({ name: skillName, projectId: id.optional(), version: skillVersion.optional() }),
  /** A dry run: how skills would be chosen for a goal in a new chat. Nothing is recorded. */
  'skill.select': z.strictObject({ goal: z.string().min(1).max(limits.goalCharacters), projectId: id.optional() }),
  /** The newest first. */
  'skill.uses': z.strictObject({ id, limit: z.number().int().min(1).max(limits.skillUses).default(limits.skillUses) }),
  /** A person's own text as the next version, live at once: refused where another version is live than `parent`. */
  'skill.save': z.strictObject({
    id: id.optional(),
    projectId: id.optional(),
    parent: skillVersion.nullable(),
    content: z.string().min(1).max(limits.skillFileBytes),
    reason: note.optional(),
  }),
  /** Any version that was live, also one that was rolled back: it is a recorded decision, and can be taken back the same way. */
  'skill.rollback': z.strictObject({ id, to: skillVersion, reason: note.optional() }),
  /** Out of use, or in use again. */
  'skill.quarantine': z.strictObject({ id, quarantined: z.boolean(), reason: note.optional() }),
  /** Proposes a project's skill for everywhere: a decision of its own. */
  'skill.globalize': z.strictObject({ id }),
  /** Files that are no skill, have flaws, or a name that another one wins. */
  'skill.problems': z.strictObject({ projectId: id.optional() }),
  /** Writes what the problem offers, where the file still holds the bytes that were looked at. */
  'skill.mend': z.strictObject({ file: z.string().min(1).max(4_096), sha256 }),
  /** Reads all sources anew. */
  'skill.rescan': nothing,
  /** Lists of skills on servers, each read anew at the start and by `skill.rescan`. What is sent along to one is kept as a secret. */
  'skill.lists': nothing,
  'skill.follow': z.strictObject({
    url: z.url({ protocol: /^https$/ }).max(2_000),
    headers: z.record(z.string().min(1).max(64), z.string().min(1).max(4_096)).optional(),
  }),
  'skill.unfollow': z.strictObject({ url: z.string().min(1).max(2_000) }),
  /** A folder or zip file, by its whole path; what it holds becomes candidates. */
  'skill.import': z.strictObject({
    path: z.string().min(1).max(4_096),
    projectId: id.optional(),
    isDryRun: z.boolean().default(false),
  }),
  /** To a folder, or to a file that ends in .zip; never over something that is there. */
  'skill.export': z.strictObject({ id, version: skillVersion.optional(), path: z.string().min(1).max(4_096) }),
  /** Pending: the oldest first. Decided: the newest first; `before` is the time of the last one seen. */
  'candidate.list': z.strictObject({
    state: z.enum(['pending', 'decided']).default('pending'),
    before: z.number().optional(),
    limit: z.number().int().min(1).max(1_000).default(200),
  }),
  'candidate.get': z.strictObject({ id }),
  /** Another text for it, as a person is writing it: nothing is stored. */
  'candidate.check': z.strictObject({ id, content: z.string().min(1).max(limits.skillFileBytes) }),
  /** The text of one of the files beside its SKILL.md. @throws AppError skill.resource for what is no text, and says why. */
  'candidate.file': z.strictObject({ id, path: z.string().min(1).max(4_096) }),
  'candidate.decide': z.strictObject({
    id,
    decision: z.enum(['approve', 'reject', 'quarantine']),
    sha256,
    before: sha256.nullable(),
    edited: z.string().min(1).max(limits.skillFileBytes).optional(),
    reason: note.optional(),
  }),
  /** Everything that learning proposed or brought about, the newest first. */
  'learn.list': z.strictObject({ projectId: id.optional(), limit }),
  /** On exactly the text that was seen. */
  'learn.decide': z.strictObject({ id, decision: z.enum(['approve', 'reject']), sha256, reason: note.optional() }),
  'learn.undo': z.strictObject({ id, reason: note.optional() }),
  'learn.status': z.strictObject({ projectId: id.optional() }),
  /** Models inside the app, asked often while something moves. */
  'local.status': nothing,
  /** A GGUF file on this computer, by its whole path. */
  'local.add': z.strictObject({ file: z.string().min(1).max(4_096) }),
  /** Null: as much as fits, and as many threads as the processor has cores for sums. */
  'local.change': z.strictObject({
    name: localName,
    contextTokens: z.number().int().min(256).max(10_000_000).nullable(),
    threads: z.number().int().min(1).max(256).nullable(),
  }),
  /** The file is deleted only where it lies in the app's own folder. */
  'local.remove': z.strictObject({ name: localName, deletesFile: z.boolean() }),
  /** One of the recommended ones: begins, or goes on. */
  'local.download': z.strictObject({ id }),
  'local.pause': z.strictObject({ id }),
  'local.cancel': z.strictObject({ id }),
  /** Fetches what makes models compute on the graphics processor, or takes it away. */
  'local.gpu': z.strictObject({ install: z.boolean() }),
  /** Frees the memory. */
  'local.unload': nothing,

  /** By name, all that are not removed: a page after the last one of the page before; or those of these that there are. */
  'mission.list': z.union([
    z.strictObject({ after: z.strictObject({ name: z.string().max(200), id }).optional() }),
    z.strictObject({ ids: missionIds }),
  ]),
  /** Which one fires next by the clock; null for none. */
  'mission.next': nothing,
  /** Those of agents that nobody has decided about, the oldest first. */
  'mission.proposed': nothing,
  /** By id, or by name in a project. */
  'mission.get': z.union([z.strictObject({ id }), z.strictObject({ projectId: id, name: missionName })]),
  /** What was and what is to come in so many days before and after today, each mission by the clocks of its zone. */
  'mission.days': z.strictObject({ ids: missionIds, before: fewDays, after: fewDays }),
  /** A new mission, or the next version of the one with this id. */
  'mission.save': z.strictObject({
    projectId: id,
    id: id.optional(),
    /** The version that was seen; null where there was none. Another one is not written over. */
    follows: z.number().int().positive().nullable().optional(),
    definition: missionDefinitionSchema,
  }),
  /** What the text of a mission's file means, with the zone where it names none; nothing is saved. */
  'mission.read': z.strictObject({ text: z.string().max(limits.skillFileBytes), zone: zone.optional() }),
  'mission.pause': z.strictObject({ id }),
  /** `version`: the one that was seen; a proposed one is approved by it. */
  'mission.resume': z.strictObject({ id, version: z.number().int().positive().optional() }),
  /** Its next instant is left out. */
  'mission.skip': z.strictObject({ id }),
  'mission.remove': z.strictObject({ id }),
  /** Whether other programs of this computer can set off missions, and by which port. */
  'webhook.status': nothing,
  /** Where to send what sets off this mission. */
  'webhook.get': z.strictObject({ id }),
  /** A new secret for it, told this once. */
  'webhook.renew': z.strictObject({ id }),
  /** Once, now, whatever its cadence. */
  'mission.fire': z.strictObject({ id }),
  /** Once, now, with all that any thread may use: what it asks can be approved for the mission, and what it used is on record. */
  'mission.rehearse': z.strictObject({ id }),
  /** What the newest rehearsal used. */
  'mission.rehearsal': z.strictObject({ id }),
  /** The ledger, the newest instant first, from `from` to before `to`. */
  'mission.firings': z.strictObject({ id, from: instant.optional(), to: instant.optional() }),
  /** What its next firing would be sent. */
  'mission.preview': z.strictObject({ id }),
  /** Claims what is due and begins what may run, as the clock does while the app is open. */
  'mission.tick': nothing,
  /** They were held after crashes: a person lets them fire again. */
  'mission.release': nothing,
  /** A cadence in words, with its next instants; a cron expression that cannot be used says where and why. */
  'cadence.preview': z.strictObject({
    cadence: cadenceSchema,
    zone: zone.optional(),
    from: instant.optional(),
    count: z.number().int().min(1).max(limits.cronPreview).default(5),
  }),
} satisfies Record<string, z.ZodType>
