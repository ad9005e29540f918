import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Effect } from '../../../../renderer/screens/learnt/effect.tsx'
import { LearntRow } from '../../../../renderer/screens/learnt/learnt-row.tsx'
import { Sources } from '../../../../renderer/screens/learnt/sources.tsx'
import { noon } from '../../support.ts'
import { learnt, source } from './support.ts'

const html = (node: React.ReactNode) => renderToStaticMarkup(node)
const plain = (node: React.ReactNode) =>
  html(node)
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')

test('a row says what it is, where it comes from and, of untrusted text, that it is', () => {
  const row = (patch: Parameters<typeof learnt>[0]) =>
    plain(<LearntRow entry={learnt(patch)} isShown={false} now={noon} />)
  expect(row({})).toContain('Rule, from #1 and #2')
  expect(row({})).not.toContain('from outside')
  expect(row({ isUntrusted: true })).toContain('from outside')
  const look = (state: 'pending' | 'live') =>
    html(<LearntRow entry={learnt({ isUntrusted: true, state })} isShown={false} now={noon} />)
  expect(look('pending')).toContain('st waiting lrn-outside')
  expect(look('live')).not.toContain('waiting')
})

test('its text is shown as text, whatever stands in it', () => {
  const text = '<img src=x onerror=alert(1)> **bold**'
  expect(html(<LearntRow entry={learnt({ text })} isShown={false} now={noon} />)).toContain('&lt;img src=x')
})

test('a source leads to the thread at the event where it was said, or to the thread alone', () => {
  const shown = html(<Sources entry={{ sources: [source(7, 41), source(8)] }} />)
  expect(shown).toContain('href="#/thread/t7/41"')
  expect(shown).toContain('href="#/thread/t8"')
  expect(plain(<Sources entry={{ sources: [] }} />)).toContain('No thread is on record for it.')
})

test('many sources are counted, the first ones shown', () => {
  const sources = Array.from({ length: 9 }, (_, n) => source(n + 1))
  expect(plain(<Sources entry={{ sources }} />)).toMatch(/#6 .*Show all 9/)
  expect(plain(<Sources entry={{ sources }} />)).not.toContain('#7')
})

test('the effect never stands without how many threads there were', () => {
  const effect = { before: { n: 3, issues: 2, failures: 1 }, after: { n: 0, issues: 0, failures: 0 } }
  const shown = plain(<Effect entry={learnt({ state: 'live', effect })} />)
  expect(shown).toContain('Before 2 of 3 1 of 3')
  expect(shown).toContain('Since no data no data')
  expect(shown).toContain('Too few to say: 0 threads so far, it takes 5.')
})
