import { describe, expect, test } from 'vitest'
import { linkUse } from '../../../renderer/components/link-policy.ts'

describe('links of an answer', () => {
  test('a web address opens outside and names its real host', () => {
    expect(linkUse('https://docs.example.com/a', 'the docs')).toEqual({
      kind: 'external',
      url: 'https://docs.example.com/a',
      host: 'docs.example.com',
      showsHost: false,
    })
  })

  test('a text that looks like another host has the real one beside it', () => {
    const shows = (address: string, text: string) => {
      const use = linkUse(address, text)
      return use.kind === 'external' && use.showsHost
    }
    expect(shows('https://evil.example.org/x', 'docs.example.com')).toBe(true)
    expect(shows('https://evil.example.org/x', 'https://bank.example/login')).toBe(true)
    expect(shows('https://docs.example.com/x', 'https://docs.example.com/x')).toBe(false)
    expect(shows('https://docs.example.com/x', 'see the page')).toBe(false)
  })

  test.each([
    'javascript:alert(1)',
    'data:text/html,<b>x</b>',
    'file:///etc/passwd',
    'app://threadsmith/index.html',
    'vbscript:x',
    '../docs/a.md',
    '#here',
    '',
    'https://user:secret@example.com/',
  ])('%s is text, never a link', (address) => {
    expect(linkUse(address, 'click').kind).toBe('text')
  })

  test('mail opens the mail program', () => {
    expect(linkUse('mailto:ada@example.com', 'Ada')).toMatchObject({ kind: 'external', host: 'ada@example.com' })
  })

  test('the offer to connect a model leads to its settings, under its own name', () => {
    expect(linkUse('threadsmith://settings/models', 'free money')).toEqual({
      kind: 'place',
      route: { screen: 'settings', section: 'models' },
      label: 'Connect a model',
    })
  })

  test.each(['threadsmith://thread/t1', 'threadsmith://settings/unknown', 'threadsmith://settings', 'threadsmith://x'])(
    '%s leads nowhere',
    (address) => {
      expect(linkUse(address, 'x').kind).toBe('text')
    },
  )
})
