import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseSkill } from '../../../../core/skills/file/parse.ts'

const corpus = path.join(import.meta.dirname, 'corpus')
const rows = fs
  .readFileSync(path.join(corpus, 'expected.tsv'), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [file = '', outcome = '', code = ''] = line.split('\t')
    return { file, outcome, code }
  })

/** One of the corpus is too long to keep: a file of over 1 MiB. */
function bytesOf(file: string): Uint8Array {
  if (path.dirname(file) !== 'fm-body-1mb') return fs.readFileSync(path.join(corpus, file))
  return Buffer.from(`---\nname: fm-body-1mb\ndescription: Long.\n---\n${'Read the input. '.repeat(70_000)}`)
}

describe('a SKILL.md', () => {
  it.each(rows)('$file: $outcome $code', ({ file, outcome, code }) => {
    const verdict = parseSkill(bytesOf(file), path.dirname(file))
    expect([verdict.outcome, verdict.diagnostics[0]?.code ?? '']).toEqual([outcome, code])
  })
})
