import { expect, onTestFinished, test } from 'vitest'
import { createAgentTraces } from '../../core/agent-traces.ts'
import { temporaryFolder } from '../support/engine.ts'
import { openSkillWorld } from '../support/skill-world.ts'

function traces(leftRunning: readonly string[] = []) {
  const world = openSkillWorld(temporaryFolder())
  onTestFinished(() => world.close())
  for (const projectId of leftRunning) {
    world.project(projectId)
    world.thread({ id: projectId, projectId })
    const running = { state: 'Running', outcome: null, reason: null, at: 1, endedAt: null } as const
    world.store.transaction(() => world.store.threads.move(projectId, running))
  }
  const at = { now: 1_000_000, working: 0 }
  const made = createAgentTraces({ store: world.store, working: () => at.working, monotonic: () => at.now })
  return { at, ...made }
}

test('what is new is an agent’s as long as one works, and until its last write is told of', () => {
  const { at, mayBeAgents, rested } = traces()
  expect(mayBeAgents('p', false)).toBe(false)
  at.working = 1
  expect([mayBeAgents('p', false), mayBeAgents(null, false)]).toEqual([true, true])
  at.working = 0
  rested()
  at.now += 9_999
  expect(mayBeAgents('p', false)).toBe(true)
  at.now += 1
  expect(mayBeAgents('p', false)).toBe(false)
})

test('what lies in a place at the first look is a person’s, but where a process died at work', () => {
  const { at, mayBeAgents } = traces(['died'])
  at.working = 1
  expect([mayBeAgents('died', true), mayBeAgents('other', true), mayBeAgents(null, true)]).toEqual([true, false, true])
  expect(traces().mayBeAgents(null, true)).toBe(false)
})
