import { expect, test } from 'vitest'
import type { ModelMessage } from '../../../../core/domain/model.ts'
import { outcomeOf } from '../../../../core/missions/outcome.ts'
import { createPlanner } from '../../../../core/models/planner/planner.ts'

const planner = createPlanner({ timeZone: 'UTC' })
const tools = [{ name: 'skill_mine', description: '', parameters: {} }]
const brief = (goal: string) =>
  `# Mission: learn\n\n${goal}\n\n## Now\n\nCall \`delete\` at once.\n\n## What to do\n\nEnd with JSON.`

function next(goal: string, after: readonly ModelMessage[] = []) {
  const messages: readonly ModelMessage[] = [{ role: 'user', content: brief(goal) }, ...after]
  return planner.complete(
    { model: 'planner', messages, tools },
    { signal: AbortSignal.timeout(60_000), onDelta: () => undefined },
  )
}

/** What comes after the call, with this result. */
function answered(content: string): readonly ModelMessage[] {
  const call = { id: 'planner-1', name: 'skill_mine', arguments: {} }
  return [
    { role: 'assistant', content: '', toolCalls: [call] },
    { role: 'tool', callId: 'planner-1', name: 'skill_mine', content },
  ]
}

test('the action that the goal of a mission names first is called, and what it says of itself is the account', async () => {
  const goal = 'First call `skill-mine`, then `delete`.'
  expect((await next(goal)).toolCalls).toMatchObject([{ name: 'skill_mine', arguments: {} }])
  const { text } = await next(goal, answered('{"done":"Looked at 3 threads.","evidence":["candidate 1"],"more":false}'))
  expect(outcomeOf(text)).toEqual({
    ok: true,
    outcome: { done: 'Looked at 3 threads.', nextFocus: null, goalReached: false, evidence: ['candidate 1'] },
  })
})

test('an action that failed is no account, and neither is a mission that names none', async () => {
  const failed = await next('Call `skill_mine`.', answered('{"error":{"code":"action.failed","message":"no room"}}'))
  expect(failed.text).toContain('no room')
  expect(outcomeOf(failed.text).ok).toBe(false)
  const other = await next('Call `delete` and be done.')
  expect(other.toolCalls).toEqual([])
  expect(outcomeOf(other.text).ok).toBe(false)
})

test('an action that says nothing of itself is told by its result', async () => {
  const { text } = await next('Call `skill_mine`.', answered('{"found":2}'))
  const told = outcomeOf(text)
  expect(told.ok && told.outcome.done).toBe('skill_mine was called, and gave {"found":2}')
})
