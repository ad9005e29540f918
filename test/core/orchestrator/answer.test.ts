import { expect, test } from 'vitest'
import { limits } from '../../../core/domain/limits.ts'
import type { ToolCall } from '../../../core/domain/model.ts'
import { answerOf } from '../../../core/orchestrator/answer.ts'

/** What is recorded of a call that came with this signature. */
function recorded(signature: string) {
  const call: ToolCall = {
    ...{ id: 'c1', name: 'read_file', arguments: { path: 'a\u202eb' } },
    providerMetadata: { google: { thoughtSignature: signature } },
  }
  const completion = { text: '', toolCalls: [call], finishReason: 'tool_calls' as const }
  return answerOf(completion, { runsCode: false }).toolCalls[0]
}
const around = JSON.stringify({ google: { thoughtSignature: '' } }).length

test('what a provider wants back is kept byte for byte, while all else of a call is made fit to show', () => {
  expect(recorded('c2ln\u202e')?.providerMetadata).toEqual({ google: { thoughtSignature: 'c2ln\u202e' } })
  expect(JSON.stringify(recorded('c2ln'))).not.toContain('\u202e')
})

test('up to the size of arguments; of a larger one nothing is kept', () => {
  const most = limits.actionArgumentBytes - around
  expect(recorded('x'.repeat(most))?.providerMetadata).toBeDefined()
  expect(recorded('x'.repeat(most + 1))).toEqual({ id: 'c1', name: 'read_file', arguments: expect.any(Object) })
})
