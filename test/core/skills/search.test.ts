import { describe, expect, it } from 'vitest'
import { limits } from '../../../core/domain/limits.ts'
import type { LoadedSkill } from '../../../core/skills/library.ts'
import { searchSkills } from '../../../core/skills/search.ts'
import { skillOf } from './skill-files.ts'

const named = (name: string, description: string): LoadedSkill => ({ ...skillOf(name), description })
const namesOf = ({ found }: { readonly found: readonly LoadedSkill[] }) => found.map(({ name }) => name)

describe('skills that are searched', () => {
  it('are read once for each library, however often somebody asks', () => {
    let reads = 0
    const watched = Object.defineProperty(skillOf('tide'), 'description', {
      enumerable: true,
      get() {
        reads += 1
        return 'Ask the gauge.'
      },
    })
    const skills = [watched]
    expect(namesOf(searchSkills(skills, 'gauge', 8))).toEqual(['tide'])
    const once = reads
    for (let n = 0; n < 5; n += 1) searchSkills(skills, `gauge ${n}`, 8)
    expect(reads).toBe(once)
    expect(namesOf(searchSkills([named('reef', 'Another gauge.')], 'gauge', 8))).toEqual(['reef'])
  })

  it('are those that have one of the first words of the query, each word counted once', () => {
    const skills = [named('alpha', 'first'), named('omega', 'last')]
    const words = Array.from({ length: limits.skillSearchWords - 1 }, (_, n) => `w${n}x`)
    expect(searchSkills(skills, [...words, 'last'].join(' '), 8).total).toBe(1)
    expect(searchSkills(skills, [...words, 'first', 'last'].join(' '), 8)).toMatchObject({ total: 1 })
    expect(namesOf(searchSkills(skills, `${'first '.repeat(100)} last`, 8))).toEqual(['alpha', 'omega'])
  })

  it('are ordered by their words, of equal ones by name, and all by name for an empty query', () => {
    const skills = [named('b', 'rows'), named('rows', 'x'), named('a', 'rows'), named('c', 'y')]
    expect(namesOf(searchSkills(skills, 'row', 8))).toEqual(['rows', 'a', 'b'])
    expect(searchSkills(skills, '', 2)).toMatchObject({ total: 4, found: [{ name: 'a' }, { name: 'b' }] })
  })
})
