import { generateText, stepCountIs, tool } from 'ai'
import { z } from 'zod'
import { textOfStep } from './text-of-step.mjs'
import { timed } from './timed.mjs'

// Plain JavaScript: its packages are installed by `npm run bench` only, so its types are not there for the check.

/** The AI SDK's own loop on the same fake model and the same no-op action. Nothing of it is stored. */
export async function generateTextLoop(steps, textBytes) {
  const usage = {
    inputTokens: { total: 100, noCache: 100, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 20, text: 20, reasoning: 0 },
  }
  let asked = 0
  const model = {
    specificationVersion: 'v3',
    provider: 'fake',
    modelId: 'fake',
    supportedUrls: {},
    async doGenerate() {
      asked += 1
      const isLast = asked > steps
      const content = isLast
        ? [{ type: 'text', text: 'done' }]
        : [
            {
              type: 'tool-call',
              toolCallId: `c${asked}`,
              toolName: 'noop',
              input: JSON.stringify({ text: textOfStep(asked, textBytes) }),
            },
          ]
      const finishReason = isLast ? { unified: 'stop', raw: 'stop' } : { unified: 'tool-calls', raw: 'tool_calls' }
      return { content, finishReason, usage, warnings: [] }
    },
    async doStream() {
      throw new Error('this bench does not stream')
    },
  }
  const noop = tool({
    description: 'Answers its text.',
    inputSchema: z.object({ text: z.string() }),
    execute: async (input) => input.text,
  })
  let made = 0
  const figures = await timed(steps, async () => {
    const result = await generateText({ model, prompt: 'go', tools: { noop }, stopWhen: stepCountIs(steps + 5) })
    made = result.steps.length
  })
  if (made !== steps + 1) throw new Error(`the peer made ${made} steps`)
  return figures
}
