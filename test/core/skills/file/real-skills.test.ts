import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parseSkill } from '../../../../core/skills/file/parse.ts'
import { strictSkillText } from '../../../../core/skills/file/write.ts'

/** Some hundreds of real skills, beside the checkout and not of it. Source: RULES 15. */
const folder = path.resolve(import.meta.dirname, '../../../../../shared/corpora/skills')
const names = fs.existsSync(folder)
  ? fs.readdirSync(folder).filter((name) => fs.existsSync(path.join(folder, name, 'SKILL.md')))
  : []

test.skipIf(names.length === 0)(
  `every real skill loads but the one without a description (${names.length} here)`,
  () => {
    const verdicts = names.map((name) => {
      const bytes = fs.readFileSync(path.join(folder, name, 'SKILL.md'))
      return { name, bytes, verdict: parseSkill(bytes, name) }
    })
    const rejected = verdicts.flatMap(({ name, verdict }) => (verdict.outcome === 'reject' ? [name] : []))
    expect(rejected.filter((name) => !name.endsWith('__invalid-yaml'))).toEqual([
      expect.stringMatching(/__missing-description$/),
    ])
    for (const { name, bytes, verdict } of verdicts) {
      if (verdict.outcome === 'reject') continue
      const strict = parseSkill(Buffer.from(strictSkillText(bytes)), name)
      const { skill } = strict.outcome === 'reject' ? expect.fail(`${name}: ${strict.diagnostics[0]?.message}`) : strict
      expect([skill.name, skill.description, skill.body], name).toEqual([
        ...[verdict.skill.name, verdict.skill.description, verdict.skill.body],
      ])
    }
  },
)
