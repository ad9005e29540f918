import { expect, it } from 'vitest'
import { actions } from '../../../../core/capabilities/actions/index.ts'
import { limits } from '../../../../core/domain/limits.ts'
import { runAction } from './project.ts'

it('message tells the person, and asks nobody', async () => {
  const told: string[] = []
  const context = { notify: (text: string) => void told.push(text) }
  expect(await runAction('message', { text: ' done ' }, context)).toEqual({ told: true })
  await runAction('message', { text: 'look', urgency: 'urgent' }, context)
  expect(told).toEqual(['done', 'Urgent: look'])
  const message = actions.find(({ name }) => name === 'message')
  expect(message).toMatchObject({ effects: ['Compute'], isIdempotent: false, rate: { perMinute: 10, perHour: 60 } })
  expect(message?.review).toBeUndefined()
})

it('message takes at most so many characters, and not none', async () => {
  const told: string[] = []
  const context = { notify: (text: string) => void told.push(text) }
  const longest = 'x'.repeat(limits.messageCharacters)
  await runAction('message', { text: longest }, context)
  await expect(runAction('message', { text: `${longest}x` }, context)).rejects.toMatchObject({ code: 'action.args' })
  await expect(runAction('message', { text: ' ' }, context)).rejects.toMatchObject({ code: 'action.args' })
  expect(told).toEqual([longest])
})
