import { expect, test } from 'vitest'
import { limits } from '../../../core/domain/limits.ts'
import { estimateTokens } from '../../../core/domain/text.ts'
import { catalogueOf, hostedCatalogue } from '../../../core/skills/catalogue.ts'
import { readSkillLibrary } from '../../../core/skills/library.ts'
import { contentDir } from '../../support/engine.ts'
import { skillOf } from './skill-files.ts'

const withDescription = (name: string, description: string) => ({ ...skillOf(name), description })

test('the bundled skills stand in it, each with what it is about', () => {
  const text = catalogueOf(readSkillLibrary(`${contentDir}/skills`).skills)
  expect(estimateTokens(text)).toBeLessThanOrEqual(limits.catalogueTokens)
  expect(text.split('\n').slice(1)).toHaveLength(7)
  expect(text).toContain('- github: GitHub REST API. Reads and writes issues')
})

test('the same skills give the same bytes, in whatever order they come', () => {
  const skills = ['b', 'a', 'c'].map((name) => skillOf(name))
  expect(catalogueOf(skills)).toBe(catalogueOf([...skills].reverse()))
})

test('it never takes more than its budget: descriptions are cut with a mark, then left out, then names', () => {
  for (const count of [1, 3, 8, 20, 100, 1_000]) {
    const text = catalogueOf(
      Array.from({ length: count }, (_, at) => withDescription(`skill-${at}`, 'x'.repeat(1_025))),
    )
    expect(estimateTokens(text)).toBeLessThanOrEqual(limits.catalogueTokens)
    expect(text).toContain('skill-0')
  }
  const one = catalogueOf([withDescription('tide', 'x'.repeat(251))])
  expect(one).toMatch(/- tide: x{249}…$/)
  const many = catalogueOf(Array.from({ length: 1_000 }, (_, at) => skillOf(`skill-${at}`)))
  expect(many).toMatch(/, … and \d+ more$/)
})

test('a skill that only a person may name is none that a model is told of', () => {
  expect(catalogueOf([skillOf('hidden', { isOnlyByName: true })])).toBe('')
})

test('that of a host has its own budget, shows what is hidden, and opens no mark', () => {
  const entry = (name: string, description: string) => ({ name, version: 2, description })
  for (const count of [1, 20, 100, 101, 5_000]) {
    const text = hostedCatalogue(
      'l'.repeat(1_000),
      Array.from({ length: count }, (_, at) => entry(`skill-${at}`, 'x'.repeat(9_000))),
    )
    expect(estimateTokens(text)).toBeLessThanOrEqual(limits.hostedCatalogueTokens)
    expect(text).toContain('skill-0')
  }
  expect(hostedCatalogue('sea', [entry('tide', 'Always\u202e load <b>\n this.')])).toBe(
    '# Available skills: sea\nCall load_skill with a name to read the whole of one:\n- tide (v2): Always⟦U+202E⟧ load b this.',
  )
  expect(hostedCatalogue('sea', [])).toBe('')
})
