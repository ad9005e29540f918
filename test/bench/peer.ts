import { generateText, stepCountIs, tool } from 'ai'
import { z } from 'zod'

/** The AI SDK's own loop on the same fake model and the same no-op action. Nothing of it is stored. Answers µs per step. */
export async function generateTextLoop(steps: number, resultBytes: number): Promise<number> {
  const text = 'x'.repeat(resultBytes)
  const usage = {
    inputTokens: { total: 100, noCache: 100, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 20, text: 20, reasoning: 0 },
  }
  let asked = 0
  const model = {
    specificationVersion: 'v3' as const,
    provider: 'fake',
    modelId: 'fake',
    supportedUrls: {},
    async doGenerate() {
      asked += 1
      const isLast = asked > steps
      const content = isLast
        ? [{ type: 'text' as const, text: 'done' }]
        : [{ type: 'tool-call' as const, toolCallId: `c${asked}`, toolName: 'noop', input: JSON.stringify({ text }) }]
      const finishReason = isLast
        ? { unified: 'stop' as const, raw: 'stop' }
        : { unified: 'tool-calls' as const, raw: 'tool_calls' }
      return { content, finishReason, usage, warnings: [] }
    },
    async doStream(): Promise<never> {
      throw new Error('this bench does not stream')
    },
  }
  const noop = tool({
    description: 'Answers its text.',
    inputSchema: z.object({ text: z.string() }),
    execute: async (input) => input.text,
  })
  const from = performance.now()
  const result = await generateText({ model, prompt: 'go', tools: { noop }, stopWhen: stepCountIs(steps + 5) })
  const us = ((performance.now() - from) * 1_000) / steps
  if (result.steps.length !== steps + 1) throw new Error(`the peer made ${result.steps.length} steps`)
  return us
}
