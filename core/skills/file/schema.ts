import { z } from 'zod'

const text = z.string()
const texts = z.union([z.array(z.string()), z.string().transform((one) => [one])])
const count = z
  .string()
  .regex(/^\d{1,6}$/)
  .transform(Number)
const yes = z
  .string()
  .regex(/^(?:true|false|yes|no)$/i)
  .transform((word) => /^(?:true|yes)$/i.test(word))

/** Everything is text at first (FAILSAFE): a field says by itself what it is. Unknown keys are kept (RULES 15). */
export const activationSchema = z.looseObject({
  keywords: texts.default([]),
  exclude_keywords: texts.default([]),
  patterns: texts.default([]),
  tags: texts.default([]),
  max_context_tokens: count.optional(),
  /** So many different keywords and patterns must be found before anything of it counts. */
  min_signs: count.optional(),
})

const headerName = z.string().regex(/^[A-Za-z0-9-]{1,64}$/)
const location = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('bearer') }),
  z.looseObject({
    type: z.literal('header'),
    name: headerName,
    prefix: text.default(''),
  }),
  z.looseObject({ type: z.enum(['basic', 'basic_auth']), username: text.default('') }),
  z.looseObject({ type: z.enum(['query', 'query_param']), name: z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/) }),
])

export const credentialSchema = z.looseObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9_]{0,63}$/),
  provider: text.min(1).max(64),
  location,
  hosts: z.array(z.string()).min(1).max(20),
  path_patterns: z.array(z.string().regex(/^\/[^?#]*$/)).default([]),
  setup_instructions: text.max(2_000).default(''),
  /** A harmless GET that only answers well with the credential: how it is tried out. On one of `hosts`. */
  test_url: z
    .url({ protocol: /^https$/ })
    .max(500)
    .optional(),
  /** What that request must have beside the credential: a version of the API, say. */
  test_headers: z.record(headerName, text.max(200)).optional(),
})

/** What a function takes, and how it is found in what was asked: the first group of the pattern, whatever its case. */
const parameterSchema = z.looseObject({
  name: z.string().regex(/^[a-z_][a-z0-9_]{0,63}$/),
  pattern: text.max(512).optional(),
  examples: texts.default([]),
})

export const snippetSchema = z.looseObject({
  name: z.string().regex(/^[a-z_][a-z0-9_]{0,63}$/),
  parameters: z.array(parameterSchema).max(20).default([]),
  /** Its value says all that was asked for. */
  complete: yes.optional(),
  description: text.max(400).default(''),
  code: text.min(1).max(20_000),
})

const requiresSchema = z.looseObject({
  bins: texts.default([]),
  env: texts.default([]),
  config: texts.default([]),
  skills: texts.default([]),
})

/** Below `metadata.threadsmith`; E's own keys mean the same there. */
const extrasSchema = z.looseObject({
  hosts: z.array(z.string()).max(20).optional(),
  tier: z.enum(['minuet', 'allegro', 'forte']).optional(),
  tools: texts.optional(),
  maxTurns: count.optional(),
  version: text.optional(),
  'disable-model-invocation': yes.optional(),
  requires: requiresSchema.optional(),
  activation: activationSchema.optional(),
  credentials: z.array(credentialSchema).optional(),
  snippets: z.array(snippetSchema).optional(),
})

export const skillFieldsSchema = z.looseObject({
  license: text.optional(),
  compatibility: text.max(500).optional(),
  metadata: z.looseObject({ threadsmith: extrasSchema.optional() }).optional(),
  'allowed-tools': texts.optional(),
  'disable-model-invocation': yes.optional(),
  version: z
    .string()
    .regex(/^[a-zA-Z0-9._\-+~]{1,32}$/)
    .optional(),
  activation: activationSchema.optional(),
  credentials: z.array(credentialSchema).optional(),
  requires: requiresSchema.optional(),
  snippets: z.array(snippetSchema).optional(),
})
export type SkillFields = z.infer<typeof skillFieldsSchema>
