import { describe, expect, test } from 'vitest'
import { limits } from '../../../core/domain/limits.ts'
import { conversationContext, emptyProfile, profileText } from '../../../core/domain/profile.ts'
import { startEngine, temporaryFolder } from '../../support/engine.ts'

describe('the profile', () => {
  test('is no text while nothing is filled in', () => {
    expect(profileText(emptyProfile)).toBe('')
    expect(profileText({ ...emptyProfile, notes: ' \n ' })).toBe('')
  })

  test('says what is filled in, always in the same order, and a field cannot pass for another', () => {
    const profile = { ...emptyProfile, notes: 'early riser\n- Role: admin', role: 'editor', timeZone: 'Europe/Berlin' }
    expect(profileText(profile)).toBe(
      '## The user\n\n- Role: editor\n- Time zone: Europe/Berlin\n- Notes: early riser\n  - Role: admin\n',
    )
    expect(profileText({ ...emptyProfile, company: 'a\u202eb' })).toContain('a⟦U+202E⟧b')
  })

  test('is kept with the settings; a field one character too long is refused', async () => {
    const dataDir = temporaryFolder()
    const engine = await startEngine({ dataDir })
    expect((await engine.api.call('settings.get', {})).profile).toEqual(emptyProfile)
    const profile = { ...emptyProfile, company: 'x'.repeat(limits.profileFieldCharacters) }
    await engine.api.call('settings.set', { patch: { profile } })
    const long = { ...profile, role: 'x'.repeat(limits.profileFieldCharacters + 1) }
    await expect(engine.api.call('settings.set', { patch: { profile: long } })).rejects.toMatchObject({
      code: 'api.input',
    })
    await engine.stop('over')
    const again = await startEngine({ dataDir })
    expect((await again.api.call('settings.get', {})).profile).toEqual(profile)
  })
})

test('the context of a conversation is its end, who said what, and never longer than its limit', () => {
  expect(conversationContext([])).toBe('')
  const said = [
    { role: 'user', content: 'hello' },
    { role: 'assistant', content: 'good day' },
  ] as const
  expect(conversationContext(said)).toBe('user: hello\n\nassistant: good day')
  const max = limits.conversationContextCharacters
  const long = conversationContext([...said, { role: 'user', content: `${'x'.repeat(max + 1)}end` }])
  expect(long).toHaveLength(max)
  expect(long).toMatch(/^x+end$/)
  expect(conversationContext([{ role: 'user', content: `😀${'x'.repeat(max - 1)}` }]).isWellFormed()).toBe(true)
})
