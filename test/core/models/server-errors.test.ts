import { describe, expect, it } from 'vitest'
import type { AppError, ErrorCode } from '../../../core/domain/error.ts'
import type { Json } from '../../../core/domain/json.ts'
import { refusal, streamedError } from '../../../core/models/classify.ts'

const context = { title: 'Local server', address: 'http://127.0.0.1:8080/v1', model: 'qwen', key: 'sk-1' }

function refused(
  status: number,
  body: string,
  headers: Partial<Record<'retryAfter' | 'reset', string>> = {},
): AppError {
  const { retryAfter = null, reset = null } = headers
  return refusal({ status, contentType: 'application/json', retryAfter, reset, location: null, body }, 0, context)
}
const openAi = (message: string, fields: Record<string, Json> = {}) => JSON.stringify({ error: { message, ...fields } })
const ollama = (error: string) => JSON.stringify({ error })
const anthropic = (type: string, message: string) => JSON.stringify({ type: 'error', error: { type, message } })
const google = (code: number, status: string, message: string) => JSON.stringify([{ error: { code, message, status } }])

/** The texts are those of public reports. */
type Row = readonly [server: string, status: number, body: string]

const overflows: readonly (readonly [...Row, figures: Readonly<Record<string, number>>])[] = [
  [
    'llama.cpp',
    400,
    openAi('request (124071 tokens) exceeds the available context size (123904 tokens), try increasing it', {
      code: 400,
      type: 'exceed_context_size_error',
      n_prompt_tokens: 124_071,
      n_ctx: 123_904,
    }),
    { limit: 123_904, got: 124_071 },
  ],
  ['llama.cpp', 500, openAi('Context size has been exceeded.', { type: 'server_error' }), {}],
  [
    'llama-cpp-python',
    400,
    openAi('Requested tokens (4321) exceed context window of 4096'),
    { limit: 4_096, got: 4_321 },
  ],
  [
    'vLLM',
    400,
    openAi(
      "This model's maximum context length is 262144 tokens. However, you requested 0 output tokens and your prompt contains at least 262145 input tokens, for a total of at least 262145 tokens.",
      { type: 'BadRequestError', code: 400 },
    ),
    { limit: 262_144, got: 262_145 },
  ],
  [
    'vLLM',
    400,
    openAi(
      "This model's maximum context length is 16384 tokens. However, your request has 19427 input tokens. Please reduce the length of the input messages. (parameter=input_tokens, value=19427)",
    ),
    { limit: 16_384, got: 19_427 },
  ],
  [
    'vLLM',
    400,
    openAi(
      "You passed 99073 input tokens and requested 32000 output tokens. However, the model's context length is only 131072 tokens, resulting in a maximum input length of 99072 tokens.",
      { code: 'context_length_exceeded' },
    ),
    { limit: 131_072, got: 131_073 },
  ],
  [
    'LM Studio',
    400,
    ollama(
      'Trying to keep the first 111490 tokens when context the overflows. However, the model is loaded with context length of only 32768 tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input',
    ),
    { limit: 32_768, got: 111_490 },
  ],
  [
    'LM Studio',
    400,
    ollama(
      'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 13055>= n_ctx: 4096). Try to load the model with a larger context length, or provide a shorter input.',
    ),
    { limit: 4_096, got: 13_055 },
  ],
  [
    'LM Studio',
    400,
    ollama('Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)'),
    { limit: 7_424, got: 15_028 },
  ],
  ['Ollama', 400, ollama('prompt too long; exceeded max context length by 523 tokens'), {}],
  ['Ollama', 400, ollama('the input length exceeds the context length'), {}],
  [
    'OpenAI',
    400,
    openAi(
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 8545 tokens. Please reduce the length of the messages.",
      { type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' },
    ),
    { limit: 8_192, got: 8_545 },
  ],
  [
    'OpenAI',
    400,
    openAi('Your input exceeds the context window of this model.', { code: 'context_length_exceeded' }),
    {},
  ],
  ['OpenAI', 400, openAi('Input tokens exceed the configured limit of 272000 tokens.'), { limit: 272_000 }],
  [
    'Anthropic',
    400,
    anthropic('invalid_request_error', 'prompt is too long: 213462 tokens > 200000 maximum'),
    { limit: 200_000, got: 213_462 },
  ],
  [
    'Anthropic',
    400,
    anthropic(
      'invalid_request_error',
      'input length and `max_tokens` exceed context limit: 174167 + 64000 > 200000, decrease input length or `max_tokens` and try again',
    ),
    { limit: 200_000, got: 238_167 },
  ],
  ['Anthropic', 413, anthropic('request_too_large', 'Request exceeds the maximum size'), {}],
  [
    'Google',
    400,
    google(
      400,
      'INVALID_ARGUMENT',
      'The input token count (218152) exceeds the maximum number of tokens allowed (65536).',
    ),
    { limit: 65_536, got: 218_152 },
  ],
  [
    'OpenRouter',
    400,
    openAi(
      "This endpoint's maximum context length is 262144 tokens. However, you requested about 284283 tokens (8963 of text input, 13176 of tool input, 262144 in the output). Please reduce the length of either one.",
      { code: 400 },
    ),
    { limit: 262_144, got: 284_283 },
  ],
  [
    'OpenRouter, of the server behind it',
    400,
    openAi('Provider returned error', {
      code: 400,
      metadata: { raw: '{"message":"prompt is too long: 213462 tokens > 200000 maximum"}' },
    }),
    { limit: 200_000, got: 213_462 },
  ],
  [
    'LiteLLM',
    400,
    openAi(
      'litellm.BadRequestError: litellm.ContextWindowExceededError: AnthropicError - {"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 209303 tokens > 200000 maximum"}}',
      { code: '400' },
    ),
    { limit: 200_000, got: 209_303 },
  ],
  [
    'xAI',
    400,
    ollama("This model's maximum prompt length is 131072 but the request contains 537812 tokens."),
    { limit: 131_072, got: 537_812 },
  ],
  [
    'Moonshot',
    400,
    openAi('Invalid request: Your request exceeded model token limit: 262144 (requested: 291351)'),
    { limit: 262_144, got: 291_351 },
  ],
  [
    'Mistral',
    400,
    openAi('Prompt contains 40003 tokens and 0 draft tokens, too large for model with 32768 maximum context length'),
    { limit: 32_768, got: 40_003 },
  ],
]

describe('a request that its model cannot hold', () => {
  it.each(overflows)('%s, %i: %s', (_, status, body, figures) => {
    const error = refused(status, body)
    expect(error).toMatchObject({ code: 'model.overflow', retryable: false })
    const { limit, got, streamCode } = error.data ?? {}
    expect(streamCode).toBe('E_CONTEXT_LENGTH')
    expect({ ...(limit !== undefined && { limit }), ...(got !== undefined && { got }) }).toEqual(figures)
  })

  it.each(overflows)('%s says the same inside a stream', (_, _status, body) => {
    expect(streamedError(JSON.parse(body), context).code).toBe('model.overflow')
  })

  it('is told with both sizes, as far as they are known', () => {
    const told = (message: string) => refused(400, openAi(message)).userMessage
    expect(told('prompt is too long: 213462 tokens > 200000 maximum')).toContain(
      'the context of “qwen”: it holds 200,000 tokens, and 213,462 were asked for.',
    )
    expect(told('Input tokens exceed the configured limit of 272000 tokens.')).toContain('it holds 272,000 tokens.')
    expect(told('Your input exceeds the context window of this model.')).toContain(
      'the context of “qwen”. Your messages',
    )
  })
})

/** Words of other matters that speak of a context, of tokens or of a length: a history shortened for these is lost for nothing. */
const noOverflows: readonly (readonly [ErrorCode, ...Row])[] = [
  ['model.provider', 'Ollama', 500, ollama('context deadline exceeded')],
  ['model.provider', 'Ollama', 500, ollama('Post "http://127.0.0.1:41231/completion": context canceled')],
  ['model.provider', 'Ollama', 500, ollama('model requires more system memory (9.4 GiB) than is available (5.1 GiB)')],
  [
    'model.provider',
    'Ollama',
    500,
    ollama('llama runner process has terminated: error loading model: unable to allocate CUDA0 buffer'),
  ],
  ['model.provider', 'llama.cpp', 500, openAi('failed to create context with model', { type: 'server_error' })],
  [
    'model.refused',
    'OpenAI',
    400,
    openAi('max_tokens is too large: 64000. This model supports at most 16384 completion tokens'),
  ],
  ['model.refused', 'OpenAI', 400, openAi('Invalid max_tokens: must be between 1 and 4096')],
  [
    'model.refused',
    'OpenAI',
    400,
    openAi('Your prompt exceeds what the content policy allows', { code: 'content_policy_violation' }),
  ],
  [
    'model.refused',
    'OpenAI',
    400,
    openAi("Unsupported value: 'reasoning.effort' does not support 'xhigh' with this model. Context: reasoning", {
      code: 'invalid_reasoning_effort',
    }),
  ],
  [
    'model.refused',
    'OpenAI',
    400,
    openAi("Invalid 'tools': array too long. Expected an array with maximum length 128, but got 141"),
  ],
  ['model.refused', 'a gateway', 400, openAi('session token is too long')],
  ['model.refused', 'a gateway', 414, openAi('URL is too long')],
  ['model.refused', 'any', 400, openAi('temperature exceeds the maximum of 2')],
  [
    'model.rate_limit',
    'OpenAI',
    429,
    openAi(
      'Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 36278. The input or output tokens must be reduced in order to run successfully.',
      { type: 'tokens', code: 'rate_limit_exceeded' },
    ),
  ],
  [
    'model.rate_limit',
    'Groq',
    413,
    openAi(
      'Request too large for model on tokens per minute (TPM): Limit 6000, Requested 7000, please reduce your message size and try again.',
      { type: 'tokens', code: 'rate_limit_exceeded' },
    ),
  ],
  [
    'model.rate_limit',
    'Anthropic',
    429,
    anthropic(
      'rate_limit_error',
      'This request would exceed the rate limit for your organization of 20,000 input tokens per minute. Please reduce the prompt length or the maximum tokens requested, or try again later.',
    ),
  ],
  ['model.auth', 'any', 401, openAi('Your authentication token is too long or has expired')],
  [
    'model.template',
    'llama.cpp',
    500,
    openAi('Jinja Exception: Conversation roles must alternate user/assistant/user/assistant/... The prompt exceeds'),
  ],
]

describe('is not found where something else is said', () => {
  it.each(noOverflows)('%s: %s, %i: %s', (code, _, status, body) => {
    expect(refused(status, body).code).toBe(code)
  })

  it.each(noOverflows)('%s: %s says so inside a stream', (_, _server, _status, body) => {
    expect(streamedError(JSON.parse(body), context).code).not.toBe('model.overflow')
  })
})

const jinja =
  "\n------------\nWhile executing CallExpression at line 47, column 32 in source:\n...== 0) %}↵            {{- raise_exception('After the optional system message, con...\n                                           ^\nError: Jinja Exception: After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results."

const classes: readonly (readonly [ErrorCode, ...Row])[] = [
  ['model.template', 'llama.cpp', 500, openAi(jinja, { code: 500, type: 'server_error' })],
  ['model.template', 'llama.cpp', 500, openAi('Jinja Exception: System message must be at the beginning.')],
  [
    'model.template',
    'LM Studio',
    400,
    ollama(
      'Error rendering prompt with jinja template: "Unknown test: sequence".\n\nThis is usually an issue with the model\'s prompt template.',
    ),
  ],
  [
    'model.template',
    'vLLM',
    400,
    openAi('Conversation roles must alternate user/assistant/user/assistant/...', {
      type: 'BadRequestError',
      code: 400,
    }),
  ],
  [
    'model.template',
    'vLLM',
    400,
    JSON.stringify({ object: 'error', message: 'System role not supported', type: 'BadRequestError', code: 400 }),
  ],
  [
    'model.template',
    'vLLM',
    400,
    openAi(
      'As of transformers v4.44, default chat template is no longer allowed, so you must provide a chat template if the tokenizer does not define one.',
    ),
  ],
  ['model.template', 'llama.cpp', 500, openAi('Only user, assistant and tool roles are supported, got system.')],
  [
    'model.template',
    'Mistral',
    400,
    JSON.stringify({
      object: 'error',
      message: "Unexpected role 'user' after role 'tool'",
      type: 'invalid_request_message_order',
      param: null,
      code: '3230',
    }),
  ],
  [
    'model.template',
    'Mistral by OpenRouter',
    400,
    openAi('Provider returned error', {
      code: 400,
      metadata: {
        raw: '{"message":"Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant"}',
      },
    }),
  ],
  ['model.tools', 'Ollama', 400, ollama('registry.ollama.ai/library/gemma3:4b does not support tools')],
  [
    'model.tools',
    'OpenRouter',
    404,
    openAi(
      'No endpoints found that support tool use. To learn more about provider routing, visit: https://openrouter.ai/docs',
      { code: 404 },
    ),
  ],
  [
    'model.tools',
    'vLLM',
    400,
    JSON.stringify({
      object: 'error',
      message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      type: 'BadRequestError',
      code: 400,
    }),
  ],
  ['model.tools', 'llama.cpp', 500, openAi('tools param requires --jinja flag', { code: 500, type: 'server_error' })],
  ['model.tools', 'llama.cpp, older', 500, openAi('Unsupported param: tools', { code: 500 })],
  [
    'model.tools',
    'Google',
    400,
    google(400, 'INVALID_ARGUMENT', 'Function calling is not enabled for models/gemma-3-27b-it'),
  ],
  ['model.loading', 'llama.cpp', 503, openAi('Loading model', { type: 'unavailable_error', code: 503 })],
  ['model.loading', 'Ollama', 503, ollama('server busy, please try again.  maximum pending requests exceeded')],
  ['model.loading', 'Ollama', 500, ollama('unexpected server status: llm busy - no slots available')],
  ['model.loading', 'a gateway', 500, openAi('The model qwen is still being loaded, please retry')],
  ['model.loading', 'Anthropic', 529, anthropic('overloaded_error', 'Overloaded')],
  ['model.loading', 'Anthropic', 500, anthropic('api_error', 'Overloaded')],
  ['model.loading', 'Google', 503, google(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.')],
  ['model.loading', 'any', 503, ''],
  ['model.auth', 'OpenAI', 401, openAi('Incorrect API key provided: sk-1.', { code: 'invalid_api_key' })],
  ['model.auth', 'Google', 400, google(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.')],
  [
    'model.not_found',
    'OpenAI',
    404,
    openAi('The model `gpt-9` does not exist or you do not have access to it.', { code: 'model_not_found' }),
  ],
  ['model.not_found', 'Ollama', 404, ollama('model "qwen" not found, try pulling it first')],
  ['model.not_found', 'Anthropic', 404, anthropic('not_found_error', 'model: claude-9')],
  [
    'model.not_found',
    'Google',
    404,
    google(
      404,
      'NOT_FOUND',
      'models/gemini-9 is not found for API version v1beta, or is not supported for generateContent.',
    ),
  ],
  ['model.not_found', 'OpenRouter', 400, openAi('qwen/none is not a valid model ID', { code: 400 })],
  [
    'model.not_found',
    'LM Studio',
    400,
    openAi('No models loaded. Please load a model in the developer page or use the `lms load` command.'),
  ],
  ['model.refused', 'llama.cpp, a wrong route', 404, openAi('File Not Found', { code: 404, type: 'not_found_error' })],
  [
    'model.rate_limit',
    'OpenRouter, without credit',
    402,
    openAi('Insufficient credits. Add more using https://openrouter.ai/settings/credits', { code: 402 }),
  ],
  [
    'model.rate_limit',
    'Anthropic, without credit',
    400,
    anthropic('invalid_request_error', 'Your credit balance is too low to access the Anthropic API.'),
  ],
  [
    'model.rate_limit',
    'Google',
    429,
    google(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota, please check your plan and billing details.'),
  ],
]

describe('the class of what a server says', () => {
  it.each(classes)('%s: %s, %i: %s', (code, _, status, body) => {
    const error = refused(status, body)
    expect(error.code).toBe(code)
    expect(error.userMessage).toContain('kept')
    expect(error.userMessage).toMatch(/Settings → Models|look at the server/)
    expect(error.userMessage).not.toContain('sk-1')
  })

  it('says whether the engine sends it again by itself, and whether a person may', () => {
    const rule = ({ data, retryable }: AppError) => [data?.ownRetry ?? null, retryable]
    expect(rule(refused(503, openAi('Loading model')))).toEqual(['loading', true])
    expect(rule(refused(429, openAi('slow down')))).toEqual(['rate-limit', true])
    expect(rule(refused(500, openAi(jinja)))).toEqual([null, false])
    // Asked again it is offered none, and works by code.
    expect(rule(refused(400, ollama('m does not support tools')))).toEqual([null, true])
    // No wait helps here.
    expect(rule(refused(429, openAi('You exceeded your current quota', { code: 'insufficient_quota' })))).toEqual([
      null,
      true,
    ])
    expect(rule(refused(500, openAi('The server had an error')))).toEqual([null, true])
  })

  it('is found inside a stream as well', () => {
    const code = (value: Json) => streamedError(value, context).code
    expect(code({ error: jinja })).toBe('model.template')
    expect(code({ error: { code: 429, message: 'slow down' } })).toBe('model.rate_limit')
    expect(code({ error: { type: 'overloaded_error', message: 'Overloaded' } })).toBe('model.loading')
    expect(code({ error: { code: 503, message: 'no instance' } })).toBe('model.loading')
    expect(code({ error: { code: 401, message: 'no' } })).toBe('model.auth')
    expect(code({ error: { message: 'The server had an error' } })).toBe('model.provider')
  })
})

describe('a rate limit says when again', () => {
  it.each([
    ['seconds', { retryAfter: '20' }, '', 20_000, '20 s'],
    ['a date', { retryAfter: 'Thu, 01 Jan 1970 00:00:30 GMT' }, '', 30_000, '30 s'],
    ['a span of OpenAI', { reset: '1m30s' }, '', 90_000, '90 s'],
    ['a date of Anthropic', { reset: '1970-01-01T00:00:45Z' }, '', 45_000, '45 s'],
    ['an epoch time of OpenRouter', { reset: '1741305600000' }, '', 120_000, '483696 h'],
    [
      'its words',
      {},
      'Rate limit reached on tokens per min (TPM): Limit 10000. Please try again in 9.816s. Visit',
      9_816,
      '10 s',
    ],
    ['the words of Google', {}, 'You exceeded your current quota. Please retry in 32.5s.', 32_500, '33 s'],
    ['more than the engine waits', { retryAfter: '3600' }, '', 120_000, '60 min'],
    ['nothing', {}, 'slow down', undefined, 'Wait a little'],
    ['a limit that is reset already', { reset: '0s' }, 'slow down', undefined, 'Wait a little'],
    ['nonsense', { retryAfter: 'soon' }, 'slow down', undefined, 'Wait a little'],
  ])('by %s', (_, headers, message, retryAfterMs, told) => {
    const error = refused(429, openAi(message), headers)
    expect(error.data?.retryAfterMs).toBe(retryAfterMs)
    expect(error.userMessage).toContain(told)
  })
})
