import { describe, expect, it } from 'vitest'
import { refusal, streamedError } from '../../../core/models/classify.ts'

const context = { title: 'Local server', address: 'http://127.0.0.1:8080/v1', model: 'qwen', key: undefined }

function refused(status: number, body: string, contentType = 'application/json') {
  return refusal({ status, contentType, retryAfter: null, location: null, body }, 0, context)
}
const said = (message: string, fields = {}) => JSON.stringify({ error: { message, ...fields } })

describe('an overflow of the context is known by its text', () => {
  it.each([
    [
      400,
      said('request (60179 tokens) exceeds the available context size (60160 tokens), try increasing it'),
      { limit: 60_160, got: 60_179 },
    ],
    [
      400,
      said('request (60 179 tokens) exceeds the available context size (60\u202f160 tokens), try increasing it'),
      { limit: 60_160, got: 60_179 },
    ],
    [
      400,
      said('the request exceeds the available context size', {
        type: 'exceed_context_size_error',
        n_prompt_tokens: 9_000,
        n_ctx: 4_096,
      }),
      { limit: 4_096, got: 9_000 },
    ],
    [
      400,
      said(
        'This model’s maximum context length is 4096 tokens. However, you requested 512 output tokens and your prompt contains at least 3585 input tokens',
      ),
      { limit: 4_096, got: 4_097 },
    ],
    [
      400,
      said(
        'This model’s maximum context length is 4097 tokens. However, you requested 5000 tokens (4000 in the messages, 1000 in the completion).',
      ),
      { limit: 4_097, got: 5_000 },
    ],
    [400, said('too long', { code: 'context_length_exceeded' }), {}],
    [500, said('input is too large: the prompt exceeds the context window of 8192 tokens'), { limit: 8_192 }],
  ])('status %i: %s', (status, body, figures) => {
    const error = refused(status, body)
    expect(error).toMatchObject({
      code: 'model.overflow',
      retryable: false,
      data: { ...figures, streamCode: 'E_CONTEXT_LENGTH' },
    })
  })

  it('inside a stream too', () => {
    expect(streamedError({ code: 400, message: 'exceeds the available context size' }, context).code).toBe(
      'model.overflow',
    )
  })

  it.each([
    [500, said('Conversation roles must alternate user/assistant/user/assistant')],
    [400, said('temperature exceeds the maximum of 2')],
    [429, said('Rate limit: maximum tokens per minute exceeded')],
  ])('other refusals are none: status %i %s', (status, body) => {
    expect(refused(status, body).code).not.toBe('model.overflow')
  })
})

describe('a missing model is told from a missing route', () => {
  it.each([
    [404, said('The model `qwen` does not exist.', { code: 'model_not_found' })],
    [404, '{"error":"model \'qwen\' not found"}'],
    [400, said('No models loaded. Please load a model.')],
  ])('status %i %s', (status, body) => {
    expect(refused(status, body)).toMatchObject({
      code: 'model.not_found',
      userMessage: expect.stringContaining('“qwen”'),
    })
  })

  it('a route that does not exist', () => {
    expect(refused(404, '{"detail":"Not Found"}').code).toBe('model.refused')
  })
})

describe('what a server says is shown short and plain', () => {
  it('in any of the usual shapes', () => {
    expect(refused(400, '{"error":"plain"}').message).toBe('plain')
    expect(refused(400, '{"message":"flat"}').message).toBe('flat')
    expect(refused(422, '{"detail":[{"msg":"field required"}]}').message).toContain('field required')
    expect(refused(400, 'no JSON at all').message).toBe('no JSON at all')
    expect(refused(400, '').message).toBe('HTTP 400')
    expect(streamedError({ error: { message: 'inner' } }, context).message).toBe('inner')
  })

  it('without control characters, without end, without a page’s code', () => {
    const error = refused(500, said(`\u001b[31m${'x'.repeat(5_000)}`))
    expect(error.message).not.toContain('\u001b')
    expect(error.message.length).toBeLessThan(600)
    const page = refused(502, '<html><title>Bad Gateway</title><b>x</b></html>', 'text/html')
    expect(`${page.message} ${page.userMessage}`).toContain('Bad Gateway')
    expect(`${page.message} ${page.userMessage}`).not.toMatch(/<[a-z]/)
  })
})

describe('what hosted providers say in their own way', () => {
  const google = (message: string, more = {}) => JSON.stringify({ error: { code: 429, message, ...more } })

  it('Google names the pause in the body', () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.5s' }]
    expect(refused(429, google('Resource has been exhausted', { details }))).toMatchObject({
      code: 'model.rate_limit',
      data: { retryAfterMs: 34_500, ownRetry: 'rate-limit' },
    })
  })

  it('Anthropic says in the stream that it is overloaded: that is asked again', () => {
    expect(streamedError({ type: 'overloaded_error', message: 'Overloaded' }, context).data).toMatchObject({
      ownRetry: 'loading',
    })
  })
})
