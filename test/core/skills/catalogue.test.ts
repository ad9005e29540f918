import { expect, test } from 'vitest'
import { limits } from '../../../core/domain/limits.ts'
import { estimateTokens } from '../../../core/domain/text.ts'
import { catalogueOf } from '../../../core/skills/catalogue.ts'
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
