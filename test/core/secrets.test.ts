import { describe, expect, it } from 'vitest'
import { recallKeys, rememberSecrets, type Secrets } from '../../core/secrets.ts'

function kept(values: Readonly<Record<string, string>>): Secrets {
  const held = new Map(Object.entries(values))
  return {
    ...{ backend: 'a test', isProtected: true },
    get: async (name) => held.get(name) ?? Promise.reject(new Error(`no ${name}`)),
    set: async (name, value) => {
      if (name === 'full') throw new Error(`no room for ${value}`)
      held.set(name, value)
    },
    remove: async (name) => void held.delete(name),
  }
}

describe('the keys that are remembered', () => {
  it('are those that were read and written since the start, also once they are gone', async () => {
    const { secrets, known } = rememberSecrets(kept({ one: 'first', two: 'second' }))
    expect(known()).toEqual([])
    await secrets.get('one')
    await secrets.get('one')
    await secrets.set('one', 'newer')
    await secrets.remove('one')
    expect(known()).toEqual([
      { name: 'one', value: 'first' },
      { name: 'one', value: 'newer' },
    ])
  })

  it('are another list only where there is another key', async () => {
    const { secrets, known } = rememberSecrets(kept({ one: 'first' }))
    await secrets.get('one')
    const before = known()
    await secrets.get('one')
    expect(known()).toBe(before)
  })

  it('hold a key that could not be kept: what went wrong may quote it', async () => {
    const { secrets, known } = rememberSecrets(kept({}))
    await expect(secrets.set('full', 'too much')).rejects.toThrow('no room')
    expect(known()).toEqual([{ name: 'full', value: 'too much' }])
  })

  it('are recalled at the start, each that can be had', async () => {
    const { secrets, known } = rememberSecrets(kept({ one: 'first', two: 'second' }))
    await recallKeys(secrets, ['missing', 'one', 'two'])
    expect(known().map(({ value }) => value)).toEqual(['first', 'second'])
  })
})
