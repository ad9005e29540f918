import { describe, expect, test } from 'vitest'
import { isSingleKey, isTextKey, matchKeys, pressName } from '../../renderer/keys.ts'

const press = { key: 'k', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }

describe('names of key presses', () => {
  test.each([
    [{ key: 'j' }, 'j'],
    [{ key: 'k', ctrlKey: true }, 'Mod+K'],
    [{ key: 'P', ctrlKey: true, shiftKey: true }, 'Mod+Shift+P'],
    [{ key: '?', shiftKey: true }, '?'],
    [{ key: ',', ctrlKey: true }, 'Mod+,'],
    [{ key: 'ArrowLeft', altKey: true }, 'Alt+ArrowLeft'],
    [{ key: 'Enter', shiftKey: true }, 'Shift+Enter'],
  ])('%o is %s', (part, name) => {
    expect(pressName({ ...press, ...part }, false)).toBe(name)
  })

  test('Mod is Command on a Mac and Ctrl elsewhere', () => {
    expect(pressName({ ...press, metaKey: true }, true)).toBe('Mod+K')
    expect(pressName({ ...press, ctrlKey: true }, true)).toBe('k')
    expect(pressName({ ...press, metaKey: true }, false)).toBe('k')
  })
})

describe('sequences', () => {
  const bindings = ['g c', 'g t', 'j', 'Mod+K']

  test('a first key waits for the second', () => {
    expect(matchKeys(bindings, '', 'g')).toEqual({ kind: 'prefix', keys: 'g' })
    expect(matchKeys(bindings, 'g', 't')).toEqual({ kind: 'match', keys: 'g t' })
  })

  test('a key that does not go on counts by itself', () => {
    expect(matchKeys(bindings, 'g', 'j')).toEqual({ kind: 'match', keys: 'j' })
    expect(matchKeys(bindings, 'g', 'x')).toEqual({ kind: 'none' })
    expect(matchKeys(bindings, 'g', 'g')).toEqual({ kind: 'prefix', keys: 'g' })
  })

  test('only keys without a modifier are switched off in text fields', () => {
    expect(isSingleKey('g c')).toBe(true)
    expect(isSingleKey('/')).toBe(true)
    expect(isSingleKey('Mod+K')).toBe(false)
    expect(isSingleKey('Alt+ArrowLeft')).toBe(false)
  })

  test('a text field keeps what it writes and what it wipes out', () => {
    expect(['c j', '/', 'Backspace'].map(isTextKey)).toEqual([true, true, true])
    expect(['Mod+J', 'Alt+ArrowLeft'].map(isTextKey)).toEqual([false, false])
  })
})
