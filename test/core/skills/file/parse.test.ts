import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseSkill } from '../../../../core/skills/file/parse.ts'

const corpus = path.join(import.meta.dirname, 'frontmatter-hard')
const rows = fs
  .readFileSync(path.join(corpus, 'expected.tsv'), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [file = '', outcome = '', code = ''] = line.split('\t')
    return { file, outcome, code }
  })

describe('a SKILL.md', () => {
  it.each(rows)('$file: $outcome $code', ({ file, outcome, code }) => {
    const verdict = parseSkill(fs.readFileSync(path.join(corpus, file)), path.dirname(file))
    expect([verdict.outcome, verdict.diagnostics[0]?.code ?? '']).toEqual([outcome, code])
  })
})
