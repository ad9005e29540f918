import { z } from 'zod'
import { effectTypes } from './action.ts'
import { limits } from './limits.ts'
import { providerKinds } from './model.ts'
import { verdicts } from './policy.ts'
import { emptyProfile, profileSchema } from './profile.ts'
import type { tiers } from './thread.ts'

const modelRef = z.strictObject({ providerId: z.string().min(1), model: z.string().min(1) })
/** A newer version may have written more of a server: what is not known here is left out, and kept in the store. */
export const providerSchema = z.object({
  id: z.string().min(1).max(64),
  kind: z.enum(providerKinds),
  title: z.string().min(1).max(80),
  baseUrl: z.url({ protocol: /^https?$/ }).nullable(),
  keyName: z.string().max(120).nullable(),
})
/** USD for a million tokens. `cachedInputUsd`: of those that the provider had cached; the same as others without it. */
const price = z.strictObject({
  inputUsd: z.number().min(0).max(100_000),
  outputUsd: z.number().min(0).max(100_000),
  cachedInputUsd: z.number().min(0).max(100_000).optional(),
})
const most = z.number().positive().nullable()
const wholeMost = z.number().int().positive().nullable()
const dayBudget = z.strictObject({ tokens: wholeMost, usd: most })
const policyRule = z.strictObject({
  name: z.string().trim().min(1).max(120),
  when: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('always') }),
    z.strictObject({ kind: z.literal('action'), action: z.string().min(1).max(64) }),
    z.strictObject({ kind: z.literal('effect'), effect: z.enum(effectTypes) }),
  ]),
  verdict: z.enum(verdicts),
})
/** Per model: how long to wait, and its real window where the user knows better than the server. */
const modelLimits = z.strictObject({
  firstTokenMs: z.number().int().min(1_000).max(3_600_000).optional(),
  idleMs: z.number().int().min(1_000).max(3_600_000).optional(),
  totalMs: z.number().int().min(1_000).max(86_400_000).optional(),
  contextTokens: z.number().int().min(256).max(10_000_000).optional(),
})
/** A GGUF file with what its header says. A newer version may have written more. */
export const localModel = z.object({
  name: z.string().min(1).max(200),
  title: z.string().min(1).max(200),
  file: z.string().min(1).max(4_096),
  bytes: z.number().int().positive(),
  purpose: z.enum(['chat', 'embedding']),
  architecture: z.string().min(1).max(100),
  trainedTokens: z.number().int().positive().nullable(),
  /** Of the cache that a context needs for each of its tokens. */
  cacheBytesPerToken: z.number().int().nonnegative(),
  /** Null: as much as fits. */
  contextTokens: z.number().int().min(256).max(10_000_000).nullable(),
  /** Null: as many as the processor has cores for sums. */
  threads: z.number().int().min(1).max(256).nullable(),
})
const localIdle = { idleMs: z.number().int().min(1_000).max(86_400_000) }
/** What a test of the model showed when it was last made. */
const probe = z.object({
  at: z.number(),
  tools: z.boolean().nullable(),
  parallel: z.boolean().nullable(),
  contextTokens: z.number().nullable(),
  firstTokenMs: z.number().nullable(),
  error: z.object({ code: z.string(), userMessage: z.string() }).optional(),
})

/** A credential that a person entered: what keeps it, and how the service answered last. */
const kept = z.object({
  keyName: z.string().min(1).max(200),
  connectedAt: z.number(),
  lastCheck: z
    .object({ at: z.number(), ok: z.boolean(), status: z.number().nullable(), message: z.string() })
    .nullable(),
})
/** Of one skill: its credentials, and the person's own servers in the place of its hosts. */
const integration = z.object({
  credentials: z.record(z.string(), kept),
  addresses: z.record(z.string(), z.url({ protocol: /^https?$/ })),
})
/** `https://example.com`, `http://127.0.0.1:8080`: a scheme, a host and perhaps a port, as the browser writes them. */
const origin = z.url({ protocol: /^https?$/ }).refine((url) => URL.canParse(url) && new URL(url).origin === url, {
  error: 'Only scheme, host and port, such as https://example.com.',
})

const tierModels = z.strictObject({
  minuet: modelRef,
  allegro: modelRef,
  forte: modelRef,
} satisfies Record<(typeof tiers)[number], typeof modelRef>)
const planner = { providerId: 'planner', model: 'planner' }

/**
 * Everything a person can set, without defaults: a patch must not bring them along. Stored key by key (`setting` table): an
 * unknown key that a newer version wrote is kept, a value that no longer parses shows its default and is kept too.
 */
export const settingsSchema = z.strictObject({
  theme: z.enum(['system', 'light', 'dark']),
  density: z.enum(['compact', 'comfortable']),
  singleKeys: z.boolean(),
  firstRunDone: z.boolean(),
  lastProjectId: z.string().nullable(),
  providers: z.array(providerSchema),
  tiers: tierModels,
  /** Keyed `providerId/model`. */
  modelLimits: z.record(z.string(), modelLimits),
  /** Keyed `providerId/model`. */
  prices: z.record(z.string(), price),
  /** Null: words alone and their spelling find docs. */
  embedder: modelRef.nullable(),
  /** `idleMs`: after that long without a request a model leaves the memory. */
  local: z.strictObject({ models: z.array(localModel).max(limits.localModels), ...localIdle }),
  /** Keyed `providerId/model`; written by the engine. */
  probes: z.record(z.string(), probe),
  /** `thread`: what each new thread may use with all its children. `project` and `day` count from local midnight. */
  budgets: z.strictObject({
    thread: z.strictObject({ tokens: wholeMost, usd: most, steps: wholeMost, ms: wholeMost }),
    project: dayBudget,
    day: dayBudget,
  }),
  /** Effects that are switched off, and rules beside the engine's own. */
  policy: z.strictObject({
    deniedEffects: z.array(z.enum(effectTypes)),
    rules: z.array(policyRule).max(100),
  }),
  /** Origins that the agent may read beside the hosts of active skills. Plain http and one's own network only by this list. */
  http: z.strictObject({ origins: z.array(origin).max(limits.httpOrigins) }),
  /** By skill; written by the engine. */
  integrations: z.record(z.string(), integration),
  /** Lists of skills on servers; what is sent along to each is a secret, by `keyName`. Written by the engine. */
  skillLists: z
    .array(z.strictObject({ url: z.url({ protocol: /^https$/ }).max(2_000), keyName: z.string().max(200).nullable() }))
    .max(limits.skillLists),
  /** Other programs of this computer may set off missions. `port`: 0 for any that is free. */
  webhooks: z.strictObject({ enabled: z.boolean(), port: z.number().int().min(0).max(65_535) }),
  /** Fenced Python of an answer runs in the sandbox. */
  runsCode: z.boolean(),
  /** After so many starts within an hour that did not come to their end, missions wait for a person; 0 for never. */
  missions: z.strictObject({ holdAfterCrashes: z.number().int().min(0).max(20) }),
  orchestrator: z.strictObject({
    /** The agent may propose versions of its own loop; each still asks. */
    selfModify: z.boolean(),
    /** Null: the newest that is active. */
    pinned: z.number().int().min(0).nullable(),
  }),
  learning: z.strictObject({
    /** One rule, or one fact, from threads that no untrusted text touched is in force without a decision (RULES 14). */
    autoApply: z.boolean(),
  }),
  profile: profileSchema,
})
export type Settings = z.infer<typeof settingsSchema>
export type LocalModelSettings = Settings['local']['models'][number]
/** Without the servers: those are changed one by one, so that a key never goes to an address that it was not entered for. */
export const settingsPatchSchema = settingsSchema
  .omit({ providers: true, local: true, probes: true, integrations: true, skillLists: true })
  // A window that shows an old list must not put it back.
  .extend({ local: z.strictObject(localIdle) })
  .partial()
export type SettingsPatch = z.input<typeof settingsPatchSchema>
export const defaultSettings: Settings = {
  theme: 'system',
  density: 'compact',
  singleKeys: true,
  firstRunDone: false,
  lastProjectId: null,
  providers: [],
  tiers: { minuet: planner, allegro: planner, forte: planner },
  modelLimits: {},
  prices: {},
  embedder: null,
  local: { models: [], idleMs: limits.localIdleMs },
  probes: {},
  budgets: {
    thread: { tokens: null, usd: null, steps: null, ms: null },
    project: { tokens: null, usd: null },
    day: { tokens: null, usd: null },
  },
  policy: { deniedEffects: [], rules: [] },
  http: { origins: [] },
  integrations: {},
  skillLists: [],
  webhooks: { enabled: false, port: 0 },
  runsCode: true,
  missions: { holdAfterCrashes: 2 },
  orchestrator: { selfModify: false, pinned: null },
  learning: { autoApply: false },
  profile: emptyProfile,
}

/** What is kept in the keychain by these settings. */
export function keyNamesIn({ providers, integrations, skillLists }: Settings): readonly string[] {
  const ofServices = Object.values(integrations).flatMap(({ credentials }) => Object.values(credentials))
  return [...providers, ...ofServices, ...skillLists].flatMap(({ keyName }) => keyName ?? [])
}
